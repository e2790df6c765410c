"""python -m notbad_training --data DIR --out weights/model"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path

from notbad_training.config import ConfigError
from notbad_training.data import DataError
from notbad_training.export import ExportError
from notbad_training.pipeline import SHIPPED_STAGE, STAGES, Job, run


def main(arguments: list[str] | None = None) -> int:
    job = _parse(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    try:
        record = run(job)
    except (ConfigError, DataError, ExportError) as error:
        print(f"notbad_training: {error}", file=sys.stderr)
        return 1
    print(json.dumps({"calibration": record["calibration"], "twin": record["twin"]}, indent=2))
    return 0


def _parse(arguments: list[str] | None) -> Job:
    parser = argparse.ArgumentParser(prog="notbad_training", description="Makes weights/model.")
    parser.add_argument("--data", type=Path, required=True, help="directory of the data sets")
    parser.add_argument("--out", type=Path, required=True, help="model folder to write")
    parser.add_argument(
        "--work",
        type=Path,
        default=Path("build/training"),
        help="checkpoints, curves and record; a rerun resumes here",
    )
    parser.add_argument(
        "--suite",
        type=Path,
        default=Path("tests/golden/negation_suite.tsv"),
        help="no sentence of this file is trained on (default: %(default)s)",
    )
    parser.add_argument("--encoder", type=Path, help="model folder of all-MiniLM-L6-v2")
    parser.add_argument("--start", type=Path, help="exported model to go on from; see --after")
    parser.add_argument(
        "--after",
        choices=STAGES,
        default=STAGES[0],
        help="the stage that --start stands for: it and those before are left out (default: %(default)s)",
    )
    parser.add_argument(
        "--until",
        choices=STAGES,
        default=SHIPPED_STAGE,
        help="the last stage to run (default: %(default)s, which ships)",
    )
    parser.add_argument(
        "--targets",
        type=Path,
        default=Path("weights/training/teacher_targets.npz"),
        help="what the larger teacher said (default: %(default)s)",
    )
    parser.add_argument(
        "--again-targets",
        type=Path,
        default=Path("weights/training/again_targets.npz"),
        help="what the second teacher said, for the last stage (default: %(default)s)",
    )
    parser.add_argument(
        "--read",
        type=Path,
        default=Path("weights/training/read_targets.npz"),
        help="what a reader said of sentences of reviews, for the last stage (default: %(default)s)",
    )
    parser.add_argument(
        "--own",
        type=Path,
        default=Path("weights/training/own"),
        help="folder of own sentences (default: %(default)s)",
    )
    parser.add_argument("--smoke", action="store_true", help="two minutes, 200 rows a set, tiny encoder")
    given = parser.parse_args(arguments)
    if given.start is not None and STAGES.index(given.until) <= STAGES.index(given.after):
        parser.error(f"no stage is left to run after {given.after} until {given.until}: name a later --until")
    return Job(
        data=given.data,
        out=given.out,
        work=given.work,
        suite=given.suite,
        encoder=given.encoder,
        start=given.start,
        after=given.after,
        until=given.until,
        targets=given.targets,
        again_targets=given.again_targets,
        read=given.read,
        own=given.own,
        is_smoke=given.smoke,
    )


if __name__ == "__main__":
    sys.exit(main())
