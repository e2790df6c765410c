#!/usr/bin/env bash
# check_format.sh ROOT: fails with the lines that clang-format 19, which both Debian releases have, would change.
set -euo pipefail
cd "$1"
find core tokenizer server tests -path '*/node_modules' -prune -o \( -name '*.h' -o -name '*.cpp' \) -print0 |
  xargs -0 clang-format-19 --dry-run --Werror
