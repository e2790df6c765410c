"""Measures ours and what people would pick instead, in turn; see compare.sh."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from onnxruntime.quantization import QuantType, quantize_dynamic

from engine_rows import check_logits, contestants, engine_rows
from growth import draw, measure_growth
from machine import describe_machine, describe_versions
from onnx_export import Exporter
from rows import ROWS, NotApplicable, Outcome, line
from served_rows import Stacks, resident_mib, served_rows
from texts import write_texts

ROOT = Path(__file__).parents[3]
PATIENCE_MS = "120000"  # of a server whose core others use too
GROWTH = "growth"  # beside the names of rows: the plots


def parse(arguments: list[str]) -> argparse.Namespace:
    cores = sorted(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(prog="compare.sh", description=__doc__)
    parser.add_argument(
        "--dev", type=Path, required=True, help="SST-2's dev.tsv: sentence<TAB>label after a header"
    )
    parser.add_argument("--rounds", type=int, default=5, help="how often each side has its turn (5)")
    parser.add_argument("--sentences", type=int, help="only the first so many of the dev set")
    parser.add_argument("--rows", help=f"only these, with commas between; {GROWTH}: the plots")
    parser.add_argument("--core", type=int, default=cores[0], help="where what is measured runs (the first)")
    parser.add_argument("--model", type=Path, default=ROOT / "weights/model")
    return parser.parse_args(arguments)


def own_server(given: argparse.Namespace, workers: str) -> list[str | Path]:
    program = ROOT / "build/release/bin/notbad-server"
    where = ["--port", "{port}", "--workers", workers, "--model", given.model, "--log-level", "warn"]
    stages = ("request", "head", "body", "write", "idle")
    return [program, *where, *(f"--{stage}-timeout-ms={PATIENCE_MS}" for stage in stages)]


def measure(given: argparse.Namespace, work: Path) -> tuple[dict[str, Outcome], dict[str, float]]:
    onnx = work / "notbad.onnx"
    Exporter(given.model).export(onnx)
    quantize_dynamic(onnx, onnx.with_suffix(".int8.onnx"), weight_type=QuantType.QInt8)
    texts = write_texts(given.model, given.dev, given.sentences, work)
    here, python = Path(__file__).parent, Path(sys.executable)
    build, modules = ROOT / "build/release", work / "node/node_modules"
    stacks = Stacks(
        ours=own_server(given, "1"),
        python=[python, here / "python_server.py", onnx, given.model / "tokenizer.model", "{port}"],
        fastify=["node", here / "fastify_server.mjs", modules, onnx, texts.known, "{port}"],
        core=given.core,
        logs=work,
    )  # fmt: skip
    chosen = given.rows.split(",") if given.rows else [row.name for row in ROWS]
    outcomes: dict[str, Outcome] = {}
    with contestants(build / "bench/engine_contestant", given.model, onnx, python, given.core) as who:
        difference = check_logits(who, texts, work)
        print(f"logits agree within {difference:.1e}", flush=True)
        measures = engine_rows(who, texts, given.rounds) | served_rows(
            stacks, who.engine, texts, given.rounds
        )
        for row in ROWS:
            if row.name not in chosen:
                continue
            outcomes[row.name] = measures[row.name]()
            print(line(row, outcomes[row.name]), flush=True)
        memory = resident_mib(stacks)
        print(f"our server at rest: {memory:.0f} MiB, f32", flush=True)
        if given.rows is None or GROWTH in chosen:
            curves = measure_growth(who.engine, own_server(given, "{workers}"), texts, work)
            (work / "growth.svg").write_text(draw(curves, caption(work)))
            print(f"drawn: {work / 'growth.svg'}", flush=True)
    return outcomes, {"logit_difference": difference, "rss_at_rest_mib": round(memory, 1)}


def caption(work: Path) -> str:
    machine, versions = describe_machine(), describe_versions(ROOT, work / "node/node_modules")
    where = f"{machine['processor']}, {machine['cores']} cores, load {machine['load_before']:.1f}"
    which = f"oneDNN {versions['onednn']}, notbad {versions['notbad']}"
    return f"{where}; {which}; processor time, one thread (left, middle); by the clock (right)"


def as_json(
    outcomes: dict[str, Outcome], figures: dict[str, float], given: argparse.Namespace, work: Path
) -> str:
    ratios, not_applicable = {}, {}
    for row in ROWS:
        outcome = outcomes.get(row.name)
        if isinstance(outcome, NotApplicable):
            not_applicable[row.name] = outcome.reason
        elif outcome is not None:
            spread = [round(outcome.low, 3), round(outcome.high, 3)]
            ratios[row.name] = {"value": round(outcome.value, 3), "bound": row.bound, "sense": row.sense,
                                "spread": spread, "medians": outcome.detail}  # fmt: skip
    document = {
        "machine": describe_machine(),
        "versions": describe_versions(ROOT, work / "node/node_modules"),
        "rounds": given.rounds,
        "sentences": given.sentences or "all",
        **figures,
        "ratios": ratios,
        "not_applicable": not_applicable,
    }
    return json.dumps(document, indent=1) + "\n"


def main() -> int:
    given = parse(sys.argv[1:])
    work = ROOT / "build/bench"
    machine = describe_machine()
    print(f"{machine['processor']}, {machine['cores']} cores, load {machine['load_before']:.1f}", flush=True)
    outcomes, figures = measure(given, work)
    (work / "compare.json").write_text(as_json(outcomes, figures, given, work))
    return 0


if __name__ == "__main__":
    sys.exit(main())
