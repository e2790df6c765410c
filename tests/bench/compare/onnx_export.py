"""The shipped weights as an ONNX graph, as users of ONNX Runtime have them: padded batches with a mask.

Inputs ids [B, T] and mask [B, T] (1 where a token is real), both int64; output logits [B, C].
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.torch import load_file

OPSET = 20  # the first with Gelu
FORBIDDEN = -1e9


class Graph:
    """Collects nodes; every method returns the name of what it computes."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def op(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, name: str, values: object, dtype: type = np.float32) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(values, dtype), name)
        return name

    def split(self, x: str, parts: int) -> list[str]:
        names = [f"split_{len(self.nodes)}_{part}" for part in range(parts)]
        self.nodes.append(helper.make_node("Split", [x], names, axis=2, num_outputs=parts))
        return names


class Exporter:
    def __init__(self, folder: Path) -> None:
        self.config = json.loads((folder / "config.json").read_text())["architecture"]
        self.weights = {
            name: w.float().numpy() for name, w in load_file(folder / "model.safetensors").items()
        }
        self.graph = Graph()

    def export(self, out: Path) -> None:
        graph = self.graph
        mask = graph.op("Cast", "mask", to=TensorProto.FLOAT)  # [B, T]
        forbidden = graph.op(
            "Mul", graph.op("Sub", graph.constant("one", 1.0), mask), graph.constant("forbidden", FORBIDDEN)
        )
        bias = graph.op(
            "Unsqueeze", forbidden, graph.constant("axes_heads", [1, 2], np.int64)
        )  # [B, 1, 1, T]
        x = self._embed()
        for layer in range(self.config["num_layers"]):
            x = self._layer(layer, x, bias)
        self._classify(x, mask)
        logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["B", self.config["num_labels"]])
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["B", "T"]) for name in ("ids", "mask")
        ]
        made = helper.make_graph(graph.nodes, "notbad", inputs, [logits], list(graph.constants.values()))
        model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
        onnx.checker.check_model(model)
        onnx.save(model, out)

    def _weight(self, name: str) -> str:
        return self.graph.constant(name, self.weights[name])

    def _linear(self, x: str, *names: str) -> str:
        """Several layers that read the same input are one product, as in the engine."""
        matrix = np.concatenate([self.weights[f"{name}.weight"] for name in names]).T
        bias = np.concatenate([self.weights[f"{name}.bias"] for name in names])
        product = self.graph.op("MatMul", x, self.graph.constant(f"{names[0]}.matrix", matrix))
        return self.graph.op("Add", product, self.graph.constant(f"{names[0]}.bias", bias))

    def _norm(self, x: str, name: str) -> str:
        return self.graph.op(
            "LayerNormalization", x, self._weight(f"{name}.weight"), self._weight(f"{name}.bias"),
            axis=-1, epsilon=self.config["norm_eps"],
        )  # fmt: skip

    def _embed(self) -> str:
        graph = self.graph
        tokens = graph.op("Gather", self._weight("embeddings.token.weight"), "ids")  # [B, T, D]
        length = graph.op("Shape", "ids", start=1, end=2)
        zero = graph.constant("zero", [0], np.int64)
        places = graph.op("Slice", self._weight("embeddings.position.weight"), zero, length, zero)  # [T, D]
        return self._norm(graph.op("Add", tokens, places), "embeddings.norm")

    def _layer(self, layer: int, x: str, bias: str) -> str:
        name = f"encoder.layer.{layer}"
        context = self._attention(layer, x, bias)
        attended = self._linear(context, f"{name}.attention.output")
        x = self._norm(self.graph.op("Add", x, attended), f"{name}.attention_norm")
        inner = self.graph.op("Gelu", self._linear(x, f"{name}.feed_forward.up"))
        outer = self._linear(inner, f"{name}.feed_forward.down")
        return self._norm(self.graph.op("Add", x, outer), f"{name}.feed_forward_norm")

    def _attention(self, layer: int, x: str, bias: str) -> str:
        graph = self.graph
        num_heads, d_model = self.config["num_heads"], self.config["d_model"]
        d_k = d_model // num_heads
        name = f"encoder.layer.{layer}.attention"
        q, k, v = graph.split(self._linear(x, f"{name}.query", f"{name}.key", f"{name}.value"), 3)
        resting = self.config.get("negation_head")
        if resting is not None and resting["layer"] == layer:
            v = self._without_first_value(v, resting["head"])
        heads = graph.constant("heads", [0, 0, num_heads, d_k], np.int64)
        q = graph.op("Transpose", graph.op("Reshape", q, heads), perm=[0, 2, 1, 3])  # [B, H, T, d_k]
        k = graph.op("Transpose", graph.op("Reshape", k, heads), perm=[0, 2, 3, 1])  # [B, H, d_k, T]
        v = graph.op("Transpose", graph.op("Reshape", v, heads), perm=[0, 2, 1, 3])
        scaled = graph.op("Mul", graph.op("MatMul", q, k), graph.constant("scale", 1 / math.sqrt(d_k)))
        weights = graph.op("Softmax", graph.op("Add", scaled, bias), axis=-1)  # [B, H, T, T]
        context = graph.op("Transpose", graph.op("MatMul", weights, v), perm=[0, 2, 1, 3])
        return graph.op("Reshape", context, graph.constant("merged", [0, 0, d_model], np.int64))

    def _without_first_value(self, v: str, head: int) -> str:
        graph = self.graph
        d_model = self.config["d_model"]
        d_k = d_model // self.config["num_heads"]
        keep = np.ones([1, 1, d_model])
        keep[..., head * d_k : (head + 1) * d_k] = 0
        zero, one = (graph.constant(name, [n], np.int64) for name, n in (("zero", 0), ("first", 1)))
        end, axis = graph.constant("end", [2**31], np.int64), graph.constant("axis_tokens", [1], np.int64)
        first = graph.op("Mul", graph.op("Slice", v, zero, one, axis), graph.constant("keep", keep))
        return graph.op("Concat", first, graph.op("Slice", v, one, end, axis), axis=1)

    def _classify(self, x: str, mask: str) -> None:
        graph = self.graph
        axis = graph.constant("axis_tokens", [1], np.int64)
        if self.config["pooling"] == "first":
            pooled = graph.op("Gather", x, graph.constant("first_token", 0, np.int64), axis=1)
        else:
            real = graph.op("Unsqueeze", mask, graph.constant("axis_last", [2], np.int64))  # [B, T, 1]
            total = graph.op("ReduceSum", graph.op("Mul", x, real), axis, keepdims=0)  # [B, D]
            pooled = graph.op("Div", total, graph.op("ReduceSum", real, axis, keepdims=0))
        graph.op("Identity", self._linear(pooled, "classifier.output"))
        graph.nodes[-1].output[0] = "logits"
