"""Fails where a source includes what its layer must not know: check_layers.py ROOT

The rules are those of the layer sketch in core/README.md and README.md; the build enforces most of them by
linking libraries PRIVATE, this covers what a header-only library or a relative include would slip past.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)

# folder -> project folders that it may include; the longest matching folder decides.
ALLOWED = {
    "core/base": ["core/base"],
    "core/tensor": ["core/base", "core/tensor"],
    "core/ops": ["core/base", "core/tensor", "core/ops"],
    "core/model": ["core"],
    "tokenizer": ["core/base", "tokenizer"],
    "server/config": ["core/base", "server/config"],
    "server/service": ["core", "tokenizer", "server/service"],
    "server/metrics": ["core/base", "server/metrics"],
    "server/api": ["core/base", "core/model", "server/service", "server/api", "server/metrics"],
    "server/http": ["core/base", "server/api", "server/http", "server/metrics"],
    "server/cli": ["core", "tokenizer", "server/config", "server/service", "server/api", "server/cli"],
    "server/main.cpp": ["core", "tokenizer", "server"],
    "server/serve.cpp": ["core", "tokenizer", "server"],
    "server/serve.h": ["core/base", "server/config"],
}

# third-party header -> folders that may include it, and nobody else.
OWNERS = {
    r"(oneapi/)?dnnl.*": ["core/ops/onednn"],
    r"sentencepiece.*": ["tokenizer"],
    r"httplib\.h": ["server/http"],
    r"nlohmann/.*": ["core/model", "server/config", "server/service", "server/api"],
    r"CLI/.*": ["server/config", "server/cli"],
    r"prometheus/.*": ["server/metrics"],
}


def under(path: str, folders: list[str]) -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def complaints(root: pathlib.Path) -> list[str]:
    found = []
    for top in ("core", "tokenizer", "server"):
        for source in sorted((root / top).rglob("*")):
            if source.suffix not in {".h", ".cpp"}:
                continue
            path = source.relative_to(root).as_posix()
            layer = max((key for key in ALLOWED if under(path, [key])), key=len, default=None)
            if layer is None:
                found.append(f"{path}: in no known layer - add its folder to ALLOWED")
                continue
            for header in INCLUDE.findall(source.read_text(encoding="utf-8")):
                if under(header, ["core", "tokenizer", "server"]) and not under(header, ALLOWED[layer]):
                    found.append(f"{path}: {layer} must not include {header}")
                for pattern, owners in OWNERS.items():
                    if re.fullmatch(pattern, header) and not under(path, owners):
                        found.append(f"{path}: only {', '.join(owners)} may include {header}")
    return found


if __name__ == "__main__":
    problems = complaints(pathlib.Path(sys.argv[1]))
    print("\n".join(problems) or "layers point one way")
    sys.exit(1 if problems else 0)
