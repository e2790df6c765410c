"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from importlib.metadata import version
from pathlib import Path


def processor_flags() -> set[str]:
    found = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return set(found[1].split()) if found else set()


def describe_machine() -> dict[str, object]:
    name = re.search(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    flags = processor_flags()
    wide = [
        flag for flag in ("avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16") if flag in flags
    ]
    return {
        "processor": name[1] if name else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "flags": wide,
        "kernel": platform.release(),
        "load_before": os.getloadavg()[0],
    }


def describe_versions(root: Path, node_modules: Path) -> dict[str, str]:
    versions = {
        name: version(name) for name in ("onnxruntime", "torch", "onnx", "numpy", "fastapi", "uvicorn")
    }
    versions |= {
        "python": platform.python_version(),
        "node": _output("node", "--version"),
        "onednn": _output("dpkg-query", "-W", "-f=${Version}", "libdnnl-dev"),
        "notbad": _output("git", "-C", str(root), "describe", "--always", "--dirty"),
    }
    for package in ("fastify", "onnxruntime-node"):
        found = re.search(r'"version":\s*"([^"]+)"', (node_modules / package / "package.json").read_text())
        versions[package] = found[1] if found else "unknown"
    return versions


def _output(*command: str) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"
