#!/usr/bin/env bash
# Builds the fuzzers and runs each for a while on its seeds: tests/fuzz/run.sh [SECONDS [NAME...]], 60 and all by default.
# What a fuzzer finds is left in build/fuzz/found, and the exit code is 1; the inputs that it grew stay for the next run.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
. server/packages.sh

seconds=${1:-60}
[ $# -gt 0 ] && shift
notbad_install "${notbad_build_packages[@]}" clang-19 libclang-rt-19-dev libomp-19-dev
notbad_build fuzz fuzzers
mkdir -p build/fuzz/found

names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for source in tests/fuzz/*_fuzz.cpp; do
    names+=("$(basename "$source" _fuzz.cpp)")
  done
fi
failed=0
for name in "${names[@]}"; do
  mkdir -p "build/fuzz/grown/$name"
  echo "$name ($seconds s)"
  "build/fuzz/fuzz/${name}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/found/$name-" "build/fuzz/grown/$name" "tests/fuzz/seeds/$name" \
    >"build/fuzz/$name.log" 2>&1 || { failed=1; tail -n 40 "build/fuzz/$name.log"; }
  grep -E 'number_of_executed_units|slowest_unit' "build/fuzz/$name.log" || true
done
exit $failed
