"""The encoder in PyTorch, class by class and statement by statement the twin of core/model.

B batch, T tokens of a sequence (Tq queries, Tk keys), D width, H heads, d_k = D / H,
F feed-forward width, L layers, V vocabulary, P positions, C classes.
The attribute names are the weight names of model.safetensors.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from notbad_training.config import ConfigError, ModelConfig


class AttentionResult(NamedTuple):
    context: Tensor  # [B, Tq, D]
    weights: Tensor  # [B, H, Tq, Tk]  row t = where token t looks; sums to 1, or to 0 if all is masked


class EncoderResult(NamedTuple):
    embedding: Tensor  # [B, T, D]
    hidden: list[Tensor]  # L times [B, T, D]  output of each layer
    attention: list[Tensor]  # L times [B, H, T, T]


class ClassifierResult(NamedTuple):
    logits: Tensor  # [B, C]
    pooled: Tensor  # [B, D]
    encoder: EncoderResult


def padding_mask(lengths: Tensor, num_keys: int) -> Tensor:
    """[B] lengths -> [B, 1, Tk], true where the key is a real token."""
    return (torch.arange(num_keys)[None, :] < lengths[:, None])[:, None, :]


def causal_mask(num_tokens: int) -> Tensor:
    """[T, T], true where the key is not later than the query."""
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril()


def masked_softmax(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Softmax over the last axis; masked entries get exactly 0, also where a whole row is masked."""
    if mask is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
    return weights.masked_fill(~mask, 0.0)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        if d_model % num_heads != 0:
            raise ConfigError(
                f"MultiHeadAttention: d_model {d_model} is not divisible by num_heads {num_heads}"
            )
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.output = nn.Linear(d_model, d_model)

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
    ) -> AttentionResult:
        """query [B, Tq, D], key and value [B, Tk, D]; mask [Tq, Tk] or [B, 1 or Tq, Tk], true = may attend.

        A query that may attend to nothing gets the context 0, so the output bias alone comes out.
        """
        if mask is not None and mask.dim() == 3:
            mask = mask[:, None]  # [B, 1, 1 or Tq, Tk]  the same for every head
        q = self._split_heads(self.query(query))  # [B, H, Tq, d_k]
        k = self._split_heads(self.key(key))  # [B, H, Tk, d_k]
        v = self._split_heads(self.value(value))  # [B, H, Tk, d_k]
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)  # [B, H, Tq, Tk]
        weights = masked_softmax(scores, mask)
        heads = weights.to(v.dtype) @ v  # [B, H, Tq, d_k]
        context = heads.transpose(1, 2).flatten(start_dim=2)  # [B, Tq, D]
        return AttentionResult(self.output(context), weights)

    def _split_heads(self, x: Tensor) -> Tensor:
        return x.view(*x.shape[:2], self.num_heads, self.d_k).transpose(1, 2)  # [B, H, T, d_k]


class FeedForward(nn.Module):
    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, x: Tensor) -> Tensor:
        inner = nn.functional.gelu(self.up(x))  # [B, T, F]  the erf form, not the tanh one
        result: Tensor = self.down(inner)  # [B, T, D]
        return result


class EncoderLayer(nn.Module):
    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(config.d_model, config.num_heads)
        self.attention_norm = nn.LayerNorm(config.d_model, eps=config.norm_eps)
        self.feed_forward = FeedForward(config.d_model, config.d_ff)
        self.feed_forward_norm = nn.LayerNorm(config.d_model, eps=config.norm_eps)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor | None) -> AttentionResult:
        context, weights = self.attention(x, x, x, mask)
        x = self.attention_norm(x + self.dropout(context))
        x = self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))
        return AttentionResult(x, weights)


class Embeddings(nn.Module):
    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        super().__init__()
        self.token = nn.Embedding(config.vocab_size, config.d_model)
        self.position = nn.Embedding(config.max_positions, config.d_model)
        self.norm = nn.LayerNorm(config.d_model, eps=config.norm_eps)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """ids [B, T] -> [B, T, D]"""
        num_tokens = ids.shape[1]
        if num_tokens > self.position.num_embeddings:
            raise ConfigError(
                f"Embeddings: expected at most {self.position.num_embeddings} tokens, "
                f"found {num_tokens}: truncate the text"
            )
        x = self.token(ids) + self.position(torch.arange(num_tokens))
        result: Tensor = self.dropout(self.norm(x))
        return result


class Encoder(nn.Module):
    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        super().__init__()
        self.layer = nn.ModuleList(EncoderLayer(config, dropout) for _ in range(config.num_layers))

    def forward(self, embedding: Tensor, mask: Tensor | None) -> EncoderResult:
        x = embedding
        hidden, attention = [], []
        for layer in self.layer:
            x, weights = layer(x, mask)
            hidden.append(x)
            attention.append(weights)
        return EncoderResult(embedding, hidden, attention)


class ClassifierHead(nn.Module):
    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        super().__init__()
        self.output = nn.Linear(config.d_model, config.num_labels)
        self.dropout = nn.Dropout(dropout)

    def forward(self, pooled: Tensor) -> Tensor:
        logits: Tensor = self.output(self.dropout(pooled))  # [B, C]
        return logits


class Classifier(nn.Module):
    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config, dropout)
        self.encoder = Encoder(config, dropout)
        self.classifier = ClassifierHead(config, dropout)

    def forward(self, ids: Tensor, lengths: Tensor, extra_mask: Tensor | None = None) -> ClassifierResult:
        """ids [B, T] padded with anything, lengths [B]; extra_mask [T, T] narrows who may attend."""
        mask = padding_mask(lengths, ids.shape[1])  # [B, 1, T]
        if extra_mask is not None:
            mask = mask & extra_mask  # [B, T, T]
        encoded = self.encoder(self.embeddings(ids), mask)
        pooled = self._pool(encoded.hidden[-1], lengths)
        return ClassifierResult(self.classifier(pooled), pooled, encoded)

    def _pool(self, hidden: Tensor, lengths: Tensor) -> Tensor:
        """[B, T, D] -> [B, D]; "mean" counts every real token, the special ones too."""
        if self.config.pooling == "first":
            return hidden[:, 0]
        is_real = padding_mask(lengths, hidden.shape[1]).transpose(1, 2)  # [B, T, 1]
        total = (hidden * is_real).sum(dim=1)
        return total / lengths[:, None]
