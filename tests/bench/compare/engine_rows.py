"""The rows in which programs compute without a network between them and the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from contestant import Contestant, in_turn
from machine import processor_flags
from rows import NotApplicable, Outcome, Ratio
from texts import Texts

LOGIT_TOLERANCE = 1e-4
CHECKED = 64  # sentences
BATCH_TOKENS = "1024"  # as engine_contestant has them by itself
NEEDED_FLAGS = {"bf16": "avx512_bf16", "int8": "avx512_vnni"}


@dataclass
class Contestants:
    engine: Contestant
    ort: Contestant
    torch: Contestant
    low_precision: dict[str, Contestant]  # ours in another dtype, as far as the processor has it
    ort_int8: Contestant


@contextmanager
def contestants(engine: Path, model: Path, onnx: Path, python: Path, core: int) -> Iterator[Contestants]:
    here = Path(__file__).parent
    with ExitStack() as stack:

        def start(*command: str | Path) -> Contestant:
            return stack.enter_context(Contestant(list(command), core))

        flags = processor_flags()
        yield Contestants(
            engine=start(engine, model),
            ort=start(python, here / "ort_contestant.py", onnx),
            torch=start(python, here / "torch_contestant.py", model),
            low_precision={
                dtype: start(engine, model, BATCH_TOKENS, dtype)
                for dtype, flag in NEEDED_FLAGS.items()
                if flag in flags
            },
            ort_int8=start(python, here / "ort_contestant.py", onnx.with_suffix(".int8.onnx")),
        )


def check_logits(who: Contestants, texts: Texts, work: Path) -> float:
    """The largest difference of a logit between ours and a peer; more than the tolerance is another model."""
    few = work / "checked.ids"
    few.write_text("".join(texts.dev_ids.read_text().splitlines(keepends=True)[:CHECKED]))

    def logits(contestant: Contestant, name: str) -> list[float]:
        out = work / f"{name}.logits"
        contestant.ask(f"logits {few} {out}")
        return [float(word) for word in out.read_text().split()]

    ours = logits(who.engine, "engine")
    largest = 0.0
    for name, peer in (("onnxruntime", who.ort), ("torch", who.torch)):
        difference = max(abs(a - b) for a, b in zip(ours, logits(peer, name), strict=True))
        if difference > LOGIT_TOLERANCE:
            raise SystemExit(
                f"compare: a logit of {name} is {difference:.2g} from ours, over {LOGIT_TOLERANCE}"
            )
        largest = max(largest, difference)
    return largest


def engine_rows(who: Contestants, texts: Texts, rounds: int) -> dict[str, Callable[[], Outcome]]:
    """Name -> what measures it."""

    def alone(peer: Contestant, length: int) -> Outcome:
        task = f"alone {texts.by_length[length]}"
        ours, theirs = in_turn(rounds, (who.engine, task), (peer, task))
        return Ratio.of(_milliseconds(theirs), _milliseconds(ours), "ms")

    def mixed(ids: Path) -> Outcome:
        ours, theirs = in_turn(rounds, (who.engine, f"packed {texts.dev_ids}"), (who.ort, f"padded {ids}"))
        count = len(texts.dev)
        return Ratio.of([count / t for t in ours], [count / t for t in theirs], "sentences/s")

    def gain(dtype: str) -> Outcome:
        own = who.low_precision.get(dtype)
        if own is None:
            return NotApplicable(f"this processor has no {NEEDED_FLAGS[dtype]}")
        task = f"packed {texts.dev_ids}"
        f32, low = in_turn(rounds, (who.engine, task), (own, task))
        return Ratio.of(_milliseconds(f32), _milliseconds(low), "ms")

    def int8_mixed() -> Outcome:
        own = who.low_precision.get("int8")
        if own is None:
            return NotApplicable(f"this processor has no {NEEDED_FLAGS['int8']}")
        ours, theirs = in_turn(
            rounds, (own, f"packed {texts.dev_ids}"), (who.ort_int8, f"padded {texts.dev_ids}")
        )
        count = len(texts.dev)
        return Ratio.of([count / t for t in ours], [count / t for t in theirs], "sentences/s")

    def textbook() -> Outcome:
        ours, theirs = in_turn(rounds, (who.engine, "textbook"), (who.torch, "textbook"))
        return Ratio.of(_milliseconds(theirs), _milliseconds(ours), "ms")

    def matmul_share() -> Outcome:
        task = f"alone {texts.by_length[32]}"
        matmuls, whole = in_turn(rounds, (who.engine, "matmuls 32"), (who.engine, task))
        return Ratio.of(_milliseconds(matmuls), _milliseconds(whole), "ms")

    return {
        **{f"ort_f32_t{n}": lambda n=n: alone(who.ort, n) for n in (8, 16, 32, 64)},
        "torch_f32_t16": lambda: alone(who.torch, 16),
        "ort_mixed": lambda: mixed(texts.dev_ids),
        "ort_mixed_sorted": lambda: mixed(texts.sorted_ids),
        "ort_int8_mixed": int8_mixed,
        "bf16_gain": lambda: gain("bf16"),
        "int8_gain": lambda: gain("int8"),
        "mha_textbook": textbook,
        "matmul_share": matmul_share,
    }


def _milliseconds(seconds: list[float]) -> list[float]:
    return [1e3 * s for s in seconds]
