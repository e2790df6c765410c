#!/usr/bin/env bash
# instructions.sh ENGINE_CONTESTANT MODEL_DIR
# Fails where a forward pass of seven tokens takes 5 % more or fewer instructions on the AVX2 path than instructions.tsv
# says for this Debian release. Callgrind counts them, so a busy machine changes nothing. Exits with 77 where
# there is no figure to hold it to, and says what it counted.
set -euo pipefail
contestant=$(readlink -f "$1")
model=$(readlink -f "$2")
figures=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/instructions.tsv

if ! grep -qw avx2 /proc/cpuinfo; then
  echo "this processor has no AVX2, which the figures are for"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The first pass also makes the kernels that oneDNN makes when they are first called: the second begins at zero.
printf '2 5 6 7 8 9 3\n2 5 6 7 8 9 3\n' >"$work/ids"
pass=$(nm --demangle "$contestant" | sed -n 's/^[0-9a-f]* T \(notbad::model::Classifier::forward(.*\)$/\1/p')
if ! echo "logits $work/ids $work/logits" |
  ONEDNN_MAX_CPU_ISA=AVX2 valgrind --tool=callgrind --callgrind-out-file="$work/out" --collect-atstart=no \
    --toggle-collect="$pass" --zero-before="$pass" "$contestant" "$model" 8 >"$work/log" 2>&1; then
  cat "$work/log" >&2
  exit 1
fi
counted=$(awk '/^totals:/ {print $2}' "$work/out")

release=$(. /etc/os-release && echo "$VERSION_CODENAME")
expected=$(awk -v release="$release" '$1 == release {print $2}' "$figures")
echo "$release: $counted instructions, expected ${expected:-unknown}"
[ -n "$expected" ] || exit 77
difference=$((counted > expected ? counted - expected : expected - counted))
[ $((difference * 20)) -le "$expected" ]
