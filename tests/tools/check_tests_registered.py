"""Fails where a test file is not built and run by ctest: check_tests_registered.py SOURCE_ROOT BUILD_ROOT

C++ tests must stand in the compilation database; scripts that are tests must be named by a ctest command.
"""

import json
import pathlib
import subprocess
import sys

# Suites with a command of their own, outside ctest: they need Python packages (see tests/training/run.sh).
OWN_COMMAND = {"tests/training"}
PATTERNS = ("*_test.cpp", "*_test.sh", "*_test.py", "*.test.js", "*.test.mjs")


def main(source: pathlib.Path, build: pathlib.Path) -> int:
    database = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    compiled = {pathlib.Path(entry["file"]).resolve() for entry in database}
    listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True, capture_output=True, text=True)
    commands = " ".join(" ".join(test.get("command", [])) for test in json.loads(listing.stdout)["tests"])

    missing = []
    for pattern in PATTERNS:
        for file in sorted((source / "tests").rglob(pattern)):
            path = file.relative_to(source).as_posix()
            if "node_modules" in file.parts or any(path.startswith(folder + "/") for folder in OWN_COMMAND):
                continue
            is_run = file.resolve() in compiled if file.suffix == ".cpp" else file.as_posix() in commands
            if not is_run:
                missing.append(path)
    print("\n".join(f"{path}: no ctest runs it - register it in its folder's CMakeLists.txt" for path in missing)
          or "every test file is registered")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
