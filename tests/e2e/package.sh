#!/usr/bin/env bash
# package.sh [bookworm|trixie [--build-arg NAME=VALUE...]]: the Debian package that the Dockerfile's build stage makes, on a
# fresh Debian of that release: it installs, serves and is removed without a trace; and `cmake --install` into a prefix.
# By hand, like container.sh, whose images it shares.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
suite=${1:-trixie}
arguments=("${@:2}")
[ "$(id -u)" -eq 0 ] || { echo "package.sh: run it as root, it makes a chroot" >&2; exit 1; }
. server/packages.sh
RUNLEVEL=1 notbad_install podman runc debootstrap curl # the run level of an installation: nothing is started
. tests/e2e/server_process.sh
. tests/e2e/debian_image.sh
. tests/e2e/podman.sh
trap 'stop_server; podman rm --all --force >/dev/null 2>&1; rm -rf "$scratch"' EXIT
port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')

import_debian "$suite" || fail "no base image"
echo "Building the package ..."
podman build --layers --format docker --isolation chroot --network host --pull=never --target build \
  --build-arg "DEBIAN=$suite" --tag "notbad-test:$suite-build" "${arguments[@]}" . >"$scratch/build.log" 2>&1 ||
  { tail -n 60 "$scratch/build.log" >&2; fail "the build stage does not build"; }
built=$(podman create "notbad-test:$suite-build" true)
podman cp "$built:/package" "$scratch/package"

# A prefix of one's own, with the source tree out of sight so that the model can only be found below it.
podman run --rm --network none "notbad-test:$suite-build" bash -euc '
  cmake --install build/release --prefix /opt/notbad >/dev/null
  mv weights/model weights/elsewhere
  cd /
  /opt/notbad/bin/notbad-server --version
  echo "The movie was not bad" | /opt/notbad/bin/notbad classify -
  grep ExecStart= /opt/notbad/lib/systemd/system/notbad.service' >"$scratch/out" 2>&1 || fail "a prefix: $(cat "$scratch/out")"
for said in '"label":"positive"' '^ExecStart=/opt/notbad/bin/notbad-server$'; do
  grep -q -- "$said" "$scratch/out" || fail "a prefix does not say $said: $(cat "$scratch/out")"
done
echo "ok: cmake --install into a prefix: programs, model and unit"

root=$scratch/root
mkdir "$root"
tar -C "$root" -xf "$container_state/$suite.tar"
cp "$scratch"/package/notbad_*.deb "$root/root/notbad.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# A mount namespace of its own: what is mounted here is gone when the command ends.
# shellcheck disable=SC2016 # for the shell inside
inside=(unshare --mount --propagation private bash -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
  exec chroot "$0" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"'
  "$root")
# What apt and dpkg write of themselves does not count.
files() {
  (cd "$root" && find . -xdev -path ./proc -prune -o -path ./dev -prune -o -path ./var/lib/dpkg -prune -o \
    -path ./var/log -prune -o -path ./var/cache -prune -o -path ./tmp -prune -o -path ./var/lib/apt -prune -o -print | sort)
}
apt() { "${inside[@]}" apt-get -y -qq --no-install-recommends "$@" >"$scratch/out" 2>&1 || fail "apt-get $*: $(tail -n 20 "$scratch/out")"; }
apt update
apt satisfy "$(dpkg-deb --field "$root/root/notbad.deb" Depends)"
files >"$scratch/before"
apt install /root/notbad.deb
files >"$scratch/installed"
for file in /usr/bin/notbad /usr/bin/notbad-server /usr/share/notbad/model/model.safetensors /usr/lib/systemd/system/notbad.service; do
  [ -e "$root$file" ] || fail "the package does not install $file"
done
if (cd "$root/usr/share/notbad/model" && ! sha256sum --quiet --check MANIFEST.sha256); then fail "the model is damaged"; fi
"${inside[@]}" bash -c 'dpkg --verify notbad; ldd /usr/bin/notbad /usr/bin/notbad-server' >"$scratch/out"
if grep -E 'not found|^\?\?' "$scratch/out"; then fail "a library or a file is missing (above)"; fi
size=$(stat -c %s "$root/root/notbad.deb")
echo "ok: installs on a fresh $suite ($((size / 1000000)) MB): $(dpkg-deb --field "$root/root/notbad.deb" Depends)"

start_server "${inside[@]}" setpriv --reuid=65534 --regid=65534 --clear-groups notbad-server --port "$port"
curl -sf "$url/v1/classify" -H 'Content-Type: application/json' -d '{"inputs":"The movie was not bad"}' |
  grep -q '"label":"positive"' || fail "no answer to the example"
curl -sf "$url/" | grep '<script type="module"' >/dev/null || fail "no page"
stop_server
[ "$exit_code" -eq 0 ] || fail "SIGTERM gave exit code $exit_code"
echo "ok: serves the example and the page as nobody, and ends with 0"

apt install --reinstall /root/notbad.deb
apt remove notbad
files | diff "$scratch/before" - >"$scratch/out" || fail "removing leaves: $(cat "$scratch/out")"
if cmp -s "$scratch/before" "$scratch/installed"; then fail "the control: installing changed nothing"; fi
apt purge notbad
if "${inside[@]}" dpkg-query -W notbad >"$scratch/out" 2>&1; then fail "dpkg still knows it: $(cat "$scratch/out")"; fi
echo "ok: installs over itself, and nothing is left when it is removed"
echo "4 passed, 0 failed ($suite)"
