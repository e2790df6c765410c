#!/usr/bin/env bash
# Loads the release build on loopback, scenario by scenario, and judges what comes of it; a quarter of an hour.
# tests/load/run.sh [--soak-seconds N] [--seconds N] [--only NAME,NAME] [--server PROGRAM]
# --seconds is that of each other scenario, 30 and the soak 600 by default. The exit code is 1 where a limit is broken.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
. server/packages.sh

notbad_install "${notbad_build_packages[@]}" python3
notbad_build release notbad_server_program load_generator
exec python3 tests/load/scenarios.py --generator build/release/tests/load_generator --server build/release/bin/notbad-server "$@"
