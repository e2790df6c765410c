#!/usr/bin/env bash
# manifests.sh: the files of server/deploy before the programs that read them: HAProxy, Compose, the schemas of Kubernetes
# (kubernetes-validate of PyPI, which brings them), systemd. Starts nothing. By hand: it installs these.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
. server/packages.sh
RUNLEVEL=1 notbad_install haproxy docker-compose systemd python3 python3-venv # the run level of an installation
. tests/e2e/server_process.sh
PATH=$PATH:/usr/sbin
deploy=server/deploy

tools=build/manifests
if [ ! -x $tools/bin/kubernetes-validate ]; then
  python3 -m venv $tools
  $tools/bin/pip install --quiet 'kubernetes-validate>=1.30'
fi

# accepts NAME FILE FROM TO COMMAND...: the command takes the file in $scratch, and refuses it where FROM is made TO.
accepts() {
  local name=$1 file=$2 from=$3 to=$4
  shift 4
  timeout 60 "$@" "$scratch/$file" >"$scratch/out" 2>&1 || fail "$name refuses $file: $(cat "$scratch/out")"
  if grep -qi 'warning' "$scratch/out"; then fail "$name warns: $(cat "$scratch/out")"; fi
  mkdir -p "$scratch/wrong"
  sed "s/$from/$to/" "$scratch/$file" >"$scratch/wrong/$file"
  if cmp -s "$scratch/$file" "$scratch/wrong/$file"; then fail "the control changes nothing in $file"; fi
  if timeout 60 "$@" "$scratch/wrong/$file" >"$scratch/out" 2>&1; then fail "$name also takes '$to' for '$from'"; fi
  echo "ok: $name takes $file, and not '$to' for '$from'"
}

# Its names are those of containers.
sed 's/replica[12]:8080/127.0.0.1:8081/' $deploy/haproxy.cfg >"$scratch/haproxy.cfg"
accepts HAProxy haproxy.cfg redispatch redispach haproxy -c -f
cp $deploy/compose.yaml $deploy/kubernetes.yaml "$scratch"
accepts Compose compose.yaml read_only reed_only bash -c 'docker-compose -f "$0" config'
accepts Kubernetes kubernetes.yaml readinessProbe readynessProbe $tools/bin/kubernetes-validate --strict
sed 's#@program@#/bin/true#' $deploy/notbad.service.in >"$scratch/notbad.service"
accepts systemd notbad.service 'ExecStart=' 'ExecBegin=' systemd-analyze verify
expect_exit 0 'exposure level' systemd-analyze security --offline=true --threshold=20 "$scratch/notbad.service"
echo "ok: $(grep 'exposure level' "$scratch/out" | tr -d '→' | xargs)"
echo "5 passed, 0 failed"
