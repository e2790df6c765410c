#!/usr/bin/env bash
# readme_test.sh ROOT: runs every command of README.md that talks to the service or to the notbad program, as a
# newcomer would: blocks fenced as ```sh are commands, and each must end with exit code 0.
set -euo pipefail
root=$(readlink -f "$1")
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/server_process.sh"

cd "$root"
start_server server/run.sh --port 0
python3 - README.md >"$scratch/commands" <<'PYTHON'
import re, sys
for block in re.findall(r"^```sh\n(.*?)^```", open(sys.argv[1], encoding="utf-8").read(), re.M | re.S):
    for command in block.replace("\\\n", " ").splitlines():
        if re.search(r"\bcurl\b|build/release/bin/notbad ", command):
            print(command)
PYTHON
[ -s "$scratch/commands" ] || fail "README.md holds no command"
count=0
while IFS= read -r command; do
  timeout 60 bash -c "set -euo pipefail; ${command//http:\/\/127.0.0.1:8080/$url}" >"$scratch/out" 2>&1 ||
    fail "README.md: $command: $(cat "$scratch/out")"
  count=$((count + 1))
done < <(sed "s#\(^\|[ ']\)127\.0\.0\.1:8080#\1http://127.0.0.1:8080#g" "$scratch/commands")
stop_server
[ "$exit_code" -eq 0 ] || fail "SIGTERM gave exit code $exit_code"
echo "$count passed, 0 failed"
