#!/usr/bin/env bash
# Builds notbad where needed and serves it: server/run.sh [notbad-server's arguments]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. server/packages.sh

notbad_install "${notbad_build_packages[@]}"
notbad_build release notbad-server notbad
exec build/release/bin/notbad-server "$@"
