#!/usr/bin/env bash
# rolling.sh BIN_DIR [--rate N]: server/deploy/haproxy.cfg in a real HAProxy on loopback with two replicas of the service,
# N requests a second (what the machine affords, 20 at most) while they are restarted, killed and overloaded. By hand: it
# installs haproxy.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/../../server/packages.sh"
RUNLEVEL=1 notbad_install haproxy python3 # the run level of an installation: nothing is started
PATH=$PATH:/usr/sbin exec timeout 900 python3 "$here/rolling.py" "$@"
