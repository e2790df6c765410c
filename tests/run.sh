#!/usr/bin/env bash
# Builds notbad and runs every test that needs no more than Debian's packages and a few of npm's.
# tests/run.sh [--preset release|ci|debug|asan|tsan] [ctest's arguments, for example -R Batcher]
# tests/run.sh --sanitizers [ctest's arguments]: the C++ tests under AddressSanitizer with UBSan, then what has threads under ThreadSanitizer
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. server/packages.sh

presets=(release)
arguments=()
if [ "${1:-}" = --sanitizers ]; then
  presets=(asan tsan)
  # The page, the tools and the README's commands are the same in every build.
  arguments=(-E '^(Page|Tools)\.|PageInChromium|CommandsOfTheReadme')
  shift
elif [ "${1:-}" = --preset ]; then
  presets=("${2:?--preset needs a name, see CMakePresets.json}")
  shift 2
fi

packages=("${notbad_build_packages[@]}" clang-format-19 python3 python3-jsonschema curl valgrind ca-certificates chromium fonts-dejavu-core)
command -v node >/dev/null 2>&1 || packages+=(nodejs)
command -v npm >/dev/null 2>&1 || packages+=(npm)
notbad_install "${packages[@]}"

# npm's packages, only where the lock file has changed since the last run.
for folder in tests/web tests/e2e/browser tests/e2e/openapi; do
  [ -f "$folder/package-lock.json" ] || continue
  cmp -s "$folder/package-lock.json" "$folder/node_modules/.notbad-lock" && continue
  (cd "$folder" && npm ci --no-audit --no-fund --loglevel=error)
  cp "$folder/package-lock.json" "$folder/node_modules/.notbad-lock"
done

for preset in "${presets[@]}"; do
  # ThreadSanitizer has something to find only where there are threads.
  if [ "$preset" = tsan ]; then
    notbad_build tsan threaded_tests
    ctest --preset tsan --no-tests=error -L with-threads "${arguments[@]}" "$@"
  else
    notbad_build "$preset"
    ctest --preset "$preset" --no-tests=error "${arguments[@]}" "$@"
  fi
done
