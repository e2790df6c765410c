"""ONNX Runtime's side: ort_contestant.py MODEL.onnx, tasks on standard input (tasks.py).

alone IDS: every sentence by itself
padded IDS: in batches of 32 in the order of the file, padded to the longest
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime

from tasks import Ids, read_ids, serve

BATCH = 32


def make_session(model: str) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def padded(sentences: Ids) -> dict[str, np.ndarray]:
    longest = max(len(ids) for ids in sentences)
    feeds = {name: np.zeros((len(sentences), longest), np.int64) for name in ("ids", "mask")}
    for row, ids in enumerate(sentences):
        feeds["ids"][row, : len(ids)] = ids
        feeds["mask"][row, : len(ids)] = 1
    return feeds


def main() -> None:
    session = make_session(sys.argv[1])

    def passes(batch: int) -> Callable[[str], Callable[[], object]]:
        def prepare(path: str) -> Callable[[], object]:
            sentences = read_ids(Path(path))
            feeds = [padded(sentences[i : i + batch]) for i in range(0, len(sentences), batch)]
            return lambda: [session.run(None, feed) for feed in feeds]

        return prepare

    def logits(sentences: Ids) -> list[list[float]]:
        return [session.run(None, padded([ids]))[0][0].tolist() for ids in sentences]

    serve({"alone": passes(1), "padded": passes(BATCH)}, logits)


if __name__ == "__main__":
    main()
