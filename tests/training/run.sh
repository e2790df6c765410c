#!/bin/sh
# Checks the training package: format, lint, types, tests. Not part of tests/run.sh: needs packages from PyPI.
# Makes a virtual environment under build/ on the first run; NOTBAD_PYTHON names a ready interpreter instead.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
package="$root/weights/training"
python=${NOTBAD_PYTHON:-}

if [ -z "$python" ]; then
  environment="$root/build/training-venv"
  python="$environment/bin/python"
  if [ ! -e "$environment/complete" ] || [ "$package/pyproject.toml" -nt "$environment/complete" ]; then
    python3 -m venv "$environment"
    "$python" -m pip install --quiet --editable "$package[develop]"
    touch "$environment/complete"
  fi
fi

cd "$package"
"$python" -m ruff format --check . "$root/tests/training"
"$python" -m ruff check . "$root/tests/training" --config pyproject.toml
"$python" -m mypy
exec "$python" -m pytest -c pyproject.toml "$root/tests/training" "$@"
