#!/usr/bin/env bash
# container.sh [bookworm|trixie [--build-arg NAME=VALUE...]]: builds the Dockerfile with podman on a base image made from
# Debian's packages and holds the container to what server/deploy/README.md says of it. By hand: it needs root and 4 GB,
# and the first build compiles everything.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
suite=${1:-trixie}
arguments=("${@:2}")
[ "$(id -u)" -eq 0 ] || { echo "container.sh: run it as root, it makes containers" >&2; exit 1; }
. server/packages.sh
RUNLEVEL=1 notbad_install podman runc debootstrap curl iproute2 python3 # the run level of an installation: nothing is started
. tests/e2e/server_process.sh
. tests/e2e/debian_image.sh
. tests/e2e/podman.sh

max_added=110000000 # bytes that the image may add to its base
base=docker.io/library/debian:$suite-slim
image=notbad-test:$suite
netns=notbad-container
checks=0

clean_up() {
  podman rm --all --force --time 0 >/dev/null 2>&1 || true
  ip netns delete "$netns" 2>/dev/null || true
  rm -rf "$scratch"
}
trap clean_up EXIT
passed() { checks=$((checks + 1)) && echo "ok: $*"; }

# --- The image -------------------------------------------------------------------------------------------------------
import_debian "$suite" || fail "no base image"
build() {
  podman build --layers --format docker --isolation chroot --network host --pull=never \
    --build-arg "DEBIAN=$suite" "$@" >"$scratch/build.log" 2>&1
}
echo "Building the image ..."
build --tag "$image" "${arguments[@]}" . || {
  # What failed in ctest stands far above its end.
  grep -A 30 '\*\*\*' "$scratch/build.log" | head -n 200 >&2 || true
  tail -n 30 "$scratch/build.log" >&2
  fail "the image does not build"
}
# A HEALTHCHECK that the format cannot hold is dropped with no more than a warning.
if grep 'level=warn' "$scratch/build.log"; then fail "the build warns (above)"; fi
tests=$(sed -n 's/^100% tests passed, 0 tests failed out of //p' "$scratch/build.log")
passed "the Dockerfile builds on $suite${tests:+, its $tests tests pass}"

printf 'FROM scratch\nCOPY . /\n' >"$scratch/context.Dockerfile"
build --tag notbad-test:context --file "$scratch/context.Dockerfile" . || fail "no image of the context: $(cat "$scratch/build.log")"
podman save --quiet notbad-test:context | tar -xO --wildcards '*/layer.tar' '*.tar' 2>/dev/null | tar -t | sort -u >"$scratch/context"
grep -q '^core/model/encoder.cpp$' "$scratch/context" || fail "the context lacks the sources"
if grep -E '(^|/)(\.git|build|node_modules|weights/training|tests/e2e)(/|$)|\.md$' "$scratch/context"; then
  fail ".dockerignore lets these through (above)"
fi
passed "the context holds sources only ($(grep -vc '/$' "$scratch/context") files)"

size_of() { podman image inspect --format '{{.Size}}' "$1"; }
added=$(($(size_of "$image") - $(size_of "$base")))
podman history --format '{{.Size}}  {{.CreatedBy}}' --no-trunc "$image" | cut -c 1-150
[ "$added" -le "$max_added" ] || fail "the image adds $added bytes to its base"
passed "base $(($(size_of "$base") / 1000000)) MB, added $((added / 1000000)) MB"

podman image inspect "$image" | python3 -c '
import json, sys
image, = json.load(sys.stdin)
config = image["Config"]
assert config["User"] == "10001:10001", config["User"]
assert config["Entrypoint"] == ["/usr/bin/notbad-server"] and not config.get("Cmd"), config
assert config["StopSignal"] in ("SIGTERM", "15"), config["StopSignal"]
assert list(config["ExposedPorts"]) == ["8080/tcp"], config
assert "NOTBAD_HOST=0.0.0.0" in config["Env"], config["Env"]
health = image.get("Healthcheck") or config["Healthcheck"]
assert health["Test"] == ["CMD", "/usr/bin/notbad-server", "healthcheck"], health
labels = {name.removeprefix("org.opencontainers.image."): value for name, value in config["Labels"].items()}
assert {"title", "description", "version", "licenses", "base.name"} <= labels.keys(), labels
assert labels["base.name"].endswith(f"debian:{sys.argv[1]}-slim"), labels
print(labels["version"])
' "$suite" >"$scratch/version" || fail "the image's settings (above)"
expect_exit 0 "^$(cat "$scratch/version")\$" podman run --rm --network none "$image" --version
passed "settings and labels; version $(cat "$scratch/version")"

in_image() { podman run --rm --no-healthcheck --network none --user 0 --entrypoint sh "$image" -c "$1"; }
in_image 'ls /usr/bin /usr/lib/gcc /usr/lib/python3* /usr/include /var/lib/apt/lists /src /ccache /package 2>/dev/null
  ldd /usr/bin/notbad /usr/bin/notbad-server' >"$scratch/contents"
grep -q '^notbad-server$' "$scratch/contents" || fail "the programs are not listed"
if grep -E '^(g\+\+|gcc|cc|c\+\+|clang|cmake|ninja|ccache|python|dpkg-shlibdeps|curl).*|_Packages|not found|cc1plus|CMakeLists' "$scratch/contents"; then
  fail "the image holds what it should not, or lacks a library (above)"
fi
passed "no compiler, no Python, no lists of packages; every library is there"

# --- Running it ------------------------------------------------------------------------------------------------------
# A network of its own, with an address that is not loopback.
ip netns delete "$netns" 2>/dev/null || true
ip netns add "$netns"
ip -n "$netns" link set lo up
ip -n "$netns" address add 192.0.2.1/32 dev lo
url=http://192.0.2.1:8080
ask() { ip netns exec "$netns" curl -s --max-time 60 "$@"; }
classify() { ask "$url/v1/classify" -H 'Content-Type: application/json' "$@"; }
locked=(--read-only --read-only-tmpfs=false --cap-drop all --security-opt no-new-privileges --memory 256m --cpus 1
  --pids-limit 1200 --network "ns:/run/netns/$netns")

# start NAME [OPTION... -- ARGUMENT...]: runs the image locked down until it is ready.
start() {
  local name=$1 options=() tries
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  [ $# -eq 0 ] || shift
  podman run --detach --name "$name" "${locked[@]}" "${options[@]}" "$image" "$@" >/dev/null 2>"$scratch/server.log" ||
    fail "$name does not start"
  for tries in $(seq 600); do
    podman logs "$name" >"$scratch/server.log" 2>&1
    grep -q 'listening on' "$scratch/server.log" && return 0
    [ "$(podman inspect --format '{{.State.Running}}' "$name")" = true ] || fail "$name ended before it listened"
    sleep 0.1 # The program has no other way to say that it listens; a minute at most.
  done
  fail "$name did not listen in time"
}
code_of() { podman inspect --format '{{.State.ExitCode}}' "$1"; }
# stop NAME CODE: SIGTERM, and the exit code that has to follow.
stop() {
  podman stop --time "${3:-20}" "$1" >/dev/null 2>&1
  [ "$(code_of "$1")" -eq "$2" ] || fail "$1 ended with $(code_of "$1"), expected $2"
  podman rm "$1" >/dev/null
}

start main
classify -d '{"inputs":"The movie was not bad"}' | grep -q '"label":"positive"' || fail "no answer to the example"
ask "$url/" | grep '<script type="module"' >/dev/null || fail "no page"
[ "$(ask -o /dev/null -w '%{http_code}' "$url/assets/src/main.js")" = 200 ] || fail "the page has no scripts"
passed "classifies and serves the page, read-only, without capabilities, in 256 MB, on all addresses"

[ "$(podman inspect --format '{{.State.Health.Status}}' main)" = starting ] || fail "health does not begin as starting"
podman healthcheck run main >/dev/null || fail "the health check fails beside a server that is ready"
[ "$(podman inspect --format '{{.State.Health.Status}}' main)" = healthy ] || fail "health does not turn healthy"
expect_exit 1 'does not answer' podman exec --env NOTBAD_PORT=8081 main /usr/bin/notbad-server healthcheck
passed "health turns from starting to healthy, and fails where nothing answers"

for path in / /tmp /var/tmp /usr/share/notbad/model; do
  expect_exit 1 'Read-only file system' podman exec --user 0 main touch "$path/written"
done
podman run --rm --network none --user 0 --entrypoint touch "$image" /tmp/written || fail "the control: a root that can be written"
passed "nothing is writable"

expect_exit 0 '^10001 10001 0000000000000000 1$' podman exec main sh -c \
  'echo $(id -u) $(id -g) $(sed -n "s/^CapEff:\t//p; s/^NoNewPrivs:\t//p" /proc/1/status)'
passed "process 1 runs as 10001 without capabilities or new privileges"

cgroup=$(sed -n 's/^[0-9]*:memory:\|^0:://p' "/proc/$(podman inspect --format '{{.State.Pid}}' main)/cgroup" | head -n 1)
memory=/sys/fs/cgroup/memory$cgroup
limit=$(cat "$memory/memory.limit_in_bytes" 2>/dev/null || cat "/sys/fs/cgroup$cgroup/memory.max")
[ "$limit" -eq $((256 * 1024 * 1024)) ] || fail "the limit of memory is $limit"
python3 -c 'import json; print(json.dumps({"inputs": ["not bad " * 400] * 32}))' >"$scratch/large.json"
python3 -c 'import json; print(json.dumps({"input": "It is not that the plot of this movie was not bad at all"}))' >"$scratch/explain.json"
for _ in 1 2 3; do
  classify -H 'X-Timeout-Ms: 5000' -d "@$scratch/large.json" -o /dev/null &
  ask "$url/v1/explain" -H 'Content-Type: application/json' -d "@$scratch/explain.json" -o /dev/null &
done
wait $(jobs -p)
classify -d '{"inputs":"not bad"}' | grep -q '"label"' || fail "no answer after large requests"
peak=$(cat "$memory/memory.max_usage_in_bytes" 2>/dev/null || cat "/sys/fs/cgroup$cgroup/memory.peak")
resident=$(ask "$url/metrics" | sed -n 's/^process_resident_memory_bytes //p')
[ "$(podman inspect --format '{{.State.OOMKilled}} {{.State.Running}}' main)" = "false true" ] || fail "killed for memory"
passed "large requests at once leave it alive: peak $((peak / 1000000)) MB of 268 MB, resident $(python3 -c "print(round($resident / 1e6))") MB"

workers() { podman run --rm "${locked[@]}" "$@" "$image" --print-config | sed -n 's/.*"workers": \([0-9]*\).*/\1/p'; }
cores=$(nproc)
[ "$(workers)" = 1 ] || fail "$(workers) workers on one CPU"
[ "$(workers --cpus 0.5)" = 1 ] || fail "$(workers --cpus 0.5) workers on half a CPU"
if [ "$cores" -ge 2 ]; then
  [ "$(workers --cpus 2)" = 2 ] || fail "$(workers --cpus 2) workers on two CPUs"
  [ "$(workers --cpus 0)" = "$cores" ] || fail "$(workers --cpus 0) workers without a quota, on $cores cores"
fi
passed "workers follow the quota: 1 of half a CPU and of one, $cores of $cores cores without one"
stop main 0

# --- Its end ---------------------------------------------------------------------------------------------------------
start busy --env NOTBAD_REQUEST_TIMEOUT_MS=60000 --env NOTBAD_DRAIN_TIMEOUT_MS=60000
python3 -c 'import json; print(json.dumps({"inputs": ["not bad " * 400] * 12}))' >"$scratch/long.json"
classify -d "@$scratch/long.json" -o "$scratch/answer" -w '%{http_code}' >"$scratch/code" &
asking=$!
for tries in $(seq 300); do
  if ask "$url/metrics" | grep >/dev/null '^notbad_queue_tokens [1-9]'; then break; fi
  sleep 0.02 # until the request waits for a worker; 6 s and the time of as many scrapes at most
done
[ "$tries" -lt 300 ] || fail "the long request never came to the queue"
begin=$(date +%s%N)
stop busy 0 60
took=$((($(date +%s%N) - begin) / 1000000))
wait "$asking" || fail "the running request was cut off"
[ "$(cat "$scratch/code")" = 200 ] || fail "the running request got $(cat "$scratch/code")"
[ "$(grep -o '"index"' "$scratch/answer" | wc -l)" -eq 12 ] || fail "the running request lacks answers"
passed "SIGTERM: the running request is answered, exit 0 after $took ms"

podman run --detach --name shell "${locked[@]}" --entrypoint '["/bin/sh", "-c", "/usr/bin/notbad-server; true"]' "$image" >/dev/null
stop shell 137 2
passed "the control: a shell in front would not pass SIGTERM on (137)"

expect_exit 2 'NOTBAD_PORT' podman run --rm "${locked[@]}" --env NOTBAD_PORT=70000 "$image"
expect_exit 2 '--no-such-flag' podman run --rm "${locked[@]}" "$image" --no-such-flag
expect_exit 3 '/nowhere.*missing' podman run --rm "${locked[@]}" "$image" --model /nowhere
start first
expect_exit 4 '8080' podman run --rm "${locked[@]}" "$image"
stop first 0
passed "exit codes: 2 a wrong setting, 3 no model, 4 a taken port"

# --- Other users, other models, no shell -----------------------------------------------------------------------------
start other --user 54321:0
classify -d '{"inputs":"The movie was not bad"}' | grep -q '"label":"positive"' || fail "no answer as another user"
stop other 0
passed "runs as any user"

cp -r weights/model "$scratch/model"
sed -i 's/"version": "[^"]*"/"version": "9.9.9"/' "$scratch/model/config.json"
(cd "$scratch/model" && sha256sum -- config.json labels.json model.safetensors tokenizer.model >MANIFEST.sha256)
chmod -R a+rX "$scratch"
start mounted --volume "$scratch/model:/model:ro" --env NOTBAD_MODEL=/model
ask "$url/v1/info" | grep -q '"version":"9.9.9"' || fail "the mounted model is not the one that is served"
stop mounted 0
head -c 1000000 weights/model/model.safetensors >"$scratch/model/model.safetensors"
expect_exit 3 'model.safetensors: changed since the export' \
  podman run --rm "${locked[@]}" --volume "$scratch/model:/model:ro" "$image" --model /model
passed "serves a mounted model, refuses a damaged one with exit code 3"

: >"$scratch/nothing"
no_shell=(--volume "$scratch/nothing:/usr/bin/dash:ro" --volume "$scratch/nothing:/usr/bin/bash:ro")
if podman run --rm "${locked[@]}" "${no_shell[@]}" --entrypoint /bin/sh "$image" -c true 2>/dev/null; then
  fail "the control: a shell although there is none"
fi
start bare "${no_shell[@]}"
podman exec bare /usr/bin/notbad-server healthcheck || fail "no health check without a shell"
stop bare 0
passed "needs no shell"

printf 'The movie was not bad\nNothing about this works\n' |
  podman run --rm --interactive "${locked[@]}" --entrypoint /usr/bin/notbad "$image" classify - >"$scratch/labels"
[ "$(grep -o '"label":"[a-z]*"' "$scratch/labels" | xargs)" = 'label:positive label:negative' ] || fail "notbad classify: $(cat "$scratch/labels")"
passed "notbad classify is a filter in it"
echo "$checks passed, 0 failed ($suite)"
