"""PyTorch's side: torch_contestant.py MODEL_DIR, tasks on standard input (tasks.py).

The encoder is written for speed where the twin in weights/training is written for reading: one product for
query, key and value, PyTorch's own attention, no maps.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from tasks import Ids, read_ids, serve


class Encoder:
    def __init__(self, folder: Path) -> None:
        self.config = json.loads((folder / "config.json").read_text())["architecture"]
        self.weights = {
            name: value.float() for name, value in load_file(folder / "model.safetensors").items()
        }
        self.projections = []
        for layer in range(self.config["num_layers"]):
            names = [f"encoder.layer.{layer}.attention.{part}" for part in ("query", "key", "value")]
            self.projections.append(
                [torch.cat([self.weights[f"{name}.{kind}"] for name in names]) for kind in ("weight", "bias")]
            )

    def logits(self, ids: Tensor) -> Tensor:
        """ids [T] -> [C]"""
        x = (
            self.weights["embeddings.token.weight"][ids]
            + self.weights["embeddings.position.weight"][: len(ids)]
        )
        x = self._norm(x, "embeddings.norm")
        for layer in range(self.config["num_layers"]):
            name = f"encoder.layer.{layer}"
            x = self._norm(x + self._attention(layer, x), f"{name}.attention_norm")
            inner = functional.gelu(self._linear(x, f"{name}.feed_forward.up"))
            x = self._norm(x + self._linear(inner, f"{name}.feed_forward.down"), f"{name}.feed_forward_norm")
        return self._linear(x[0] if self.config["pooling"] == "first" else x.mean(dim=0), "classifier.output")

    def _attention(self, layer: int, x: Tensor) -> Tensor:
        heads = self.config["num_heads"]
        qkv = functional.linear(x, *self.projections[layer]).view(len(x), 3, heads, -1)
        q, k, v = qkv.permute(1, 2, 0, 3)[:, None]  # [1, H, T, d_k] each
        resting = self.config.get("negation_head")
        if resting is not None and resting["layer"] == layer:
            v[:, resting["head"], 0] = 0.0
        context = functional.scaled_dot_product_attention(q, k, v)[0]
        merged = context.transpose(0, 1).reshape(len(x), -1)
        return self._linear(merged, f"encoder.layer.{layer}.attention.output")

    def _linear(self, x: Tensor, name: str) -> Tensor:
        return functional.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, x: Tensor, name: str) -> Tensor:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return functional.layer_norm(x, [x.shape[-1]], weight, bias, self.config["norm_eps"])


def textbook(_: str) -> Callable[[], object]:
    attention = nn.MultiheadAttention(512, 8, batch_first=True).eval()
    x = torch.rand(32, 100, 512)
    return lambda: attention(x, x, x, need_weights=True, average_attn_weights=False)


@torch.inference_mode()
def main() -> None:
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    encoder = Encoder(Path(sys.argv[1]))

    def alone(path: str) -> Callable[[], object]:
        sentences = [torch.tensor(ids) for ids in read_ids(Path(path))]
        return lambda: [encoder.logits(ids) for ids in sentences]

    def logits(sentences: Ids) -> list[list[float]]:
        return [encoder.logits(torch.tensor(ids)).tolist() for ids in sentences]

    serve({"alone": alone, "textbook": textbook}, logits)


if __name__ == "__main__":
    main()
