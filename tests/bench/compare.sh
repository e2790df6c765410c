#!/usr/bin/env bash
# Compares notbad with ONNX Runtime, PyTorch, and what serves them, on the same weights, cores and threads.
# tests/bench/compare.sh --dev FILE [--rounds N] [--sentences N] [--rows NAME,...] [--core N] [--model DIR]
#
# FILE is SST-2's dev.tsv. The peers come from PyPI and npm into build/bench and stay there; remove that folder for their
# latest versions. Prints a table and writes build/bench/compare.json. Every row has its turn A B A B; its value is the
# ratio of the medians, its spread that of the single rounds.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
. server/packages.sh

work=build/bench
packages=("${notbad_build_packages[@]}" python3 python3-venv util-linux)
command -v node >/dev/null 2>&1 || packages+=(nodejs)
command -v npm >/dev/null 2>&1 || packages+=(npm)
notbad_install "${packages[@]}"
notbad_build release notbad_server_program engine_contestant

if [ ! -f "$work/venv/.complete" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check \
    onnxruntime onnx torch==2.13.0 numpy safetensors sentencepiece fastapi uvicorn
  touch "$work/venv/.complete"
fi
if [ ! -f "$work/node/.complete" ]; then
  mkdir -p "$work/node"
  # Without its script, which fetches libraries for GPUs; those for the processor are in the package.
  npm install --prefix "$work/node" --ignore-scripts --no-audit --no-fund --loglevel=error fastify onnxruntime-node
  touch "$work/node/.complete"
fi

exec "$work/venv/bin/python" tests/bench/compare "$@"
