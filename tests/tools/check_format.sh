#!/usr/bin/env bash
# check_format.sh ROOT: fails with the lines that clang-format 19, which both Debian releases have, would change, and
# with those of the page and of scripts for node that are longer than 100 characters.
set -euo pipefail
cd "$1"
if find web tests -name node_modules -prune -o -type f -regex '.*\.\(js\|mjs\|css\|html\)' -print0 |
  LC_ALL=C.UTF-8 xargs -0 grep -nHE '^.{101}'; then
  echo "Longer than 100 characters (above)." >&2
  exit 1
fi
find core tokenizer server tests -path '*/node_modules' -prune -o \( -name '*.h' -o -name '*.cpp' \) -print0 |
  xargs -0 clang-format-19 --dry-run --Werror
