"""The shipped model's own goldens: python -m notbad_training.parity --model weights/model --out tests/golden

shipped_logits.safetensors    ids.{k} I64 [T] and logits.{k} [C] of each sentence, by the twin in f32;
                              the metadata holds the sha256 of the model.safetensors that they belong to
shipped_logits.tsv            sentence, logits: the same for the eye, and the text for the tokenizer
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import torch

from notbad_training.evaluate import logits_of
from notbad_training.export import load_exported, write_safetensors
from notbad_training.tokens import TextEncoder

# Lengths from one word to several lines, and the spellings that a normaliser trips over.
SENTENCES = (
    "Splendid",
    "The violinist was not bad.",
    "The violinist was bad.",
    "I couldn't have wished for a warmer welcome!",
    "I couldn’t have wished for a warmer welcome!",
    "Nobody in our row laughed, and neither did I.",
    "It isn't the worst sequel, but it isn't good either.",
    "the kettle does n't boil , -lrb- ever -rrb- .",
    "Our guide arrived at 8:45 with 12 maps.",
    "A café with naïve charm – and “proper” coffee…",
    "ＦＵＬＬ　ＷＩＤＴＨ delight",
    "WHY WOULD ANYONE PAY $19.99 FOR THIS?!",
    "never   again",
    "wasnt great, dont bother",
    "🙂 lovely 🙂",
    "[CLS] not a control token [SEP]",
    "Anything but dull: sharp, tender, and never once in love with itself.",
    "The first act drags, the second is muddled, and yet the last ten minutes are so beautiful that I "
    "would sit through all of it again tomorrow without complaint.",
    "It is raining in the harbour.",
    "I do not think that the repairs they promised us, twice, in writing, were ever really started, "
    "and no one who answers the phone there seems to know, or care, what happened to our money.",
)


def write_parity(model_folder: Path, out: Path) -> None:
    model, texts = load_exported(model_folder), TextEncoder(model_folder / "tokenizer.model")
    all_ids = texts.encode(SENTENCES, model.config.max_positions)
    logits = logits_of(model, all_ids)
    tensors = {}
    for k, ids in enumerate(all_ids):
        tensors[f"ids.{k}"] = torch.tensor(ids)
        tensors[f"logits.{k}"] = logits[k]
    digest = hashlib.sha256((model_folder / "model.safetensors").read_bytes()).hexdigest()
    metadata = {"torch": torch.__version__, "model_sha256": digest}
    write_safetensors(out / "shipped_logits.safetensors", tensors, metadata)
    lines = ["sentence\tnegative\tpositive"]
    for text, (negative, positive) in zip(SENTENCES, logits.tolist(), strict=True):
        lines.append(f"{text}\t{negative:.6f}\t{positive:.6f}")
    (out / "shipped_logits.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="notbad_training.parity", description="Makes shipped_logits.")
    parser.add_argument("--model", type=Path, required=True, help="model folder")
    parser.add_argument("--out", type=Path, required=True, help="folder of the golden files")
    given = parser.parse_args()
    write_parity(given.model, given.out)


if __name__ == "__main__":
    main()
