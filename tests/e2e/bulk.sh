#!/usr/bin/env bash
# bulk.sh BIN_DIR: `notbad classify` as a filter under GNU parallel gives line for line what one process gives. By hand:
# it installs parallel.
set -euo pipefail
bin=$(readlink -f "$1")
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/../../server/packages.sh"
notbad_install parallel python3
. "$here/server_process.sh"

python3 "$here/bulk_texts.py" write >"$scratch/texts"
PATH=$bin:$PATH
notbad classify "$scratch/texts" >"$scratch/alone"
# As server/deploy/README.md has it, with blocks small enough for several processes.
parallel --pipe --keep-order --jobs 2 --block 4k notbad classify --workers 1 <"$scratch/texts" >"$scratch/parallel"
python3 "$here/bulk_texts.py" compare "$scratch/alone" "$scratch/parallel" || fail "parallel gives something else (above)"
# The exit code is the number of processes that failed: an empty line fails in its place and no other does.
sed -i '7s/.*//' "$scratch/texts"
code=0
parallel --pipe --keep-order --jobs 2 --block 4k notbad classify --workers 1 <"$scratch/texts" >"$scratch/parallel" || code=$?
[ "$code" -eq 1 ] || fail "an empty line: exit code $code, expected 1"
sed -n 7p "$scratch/parallel" | grep -q '"code":"empty_input"' || fail "an empty line is not named: $(sed -n 7p "$scratch/parallel")"
[ "$(wc -l <"$scratch/parallel")" -eq "$(wc -l <"$scratch/texts")" ] || fail "lines are missing"
echo "2 passed, 0 failed"
