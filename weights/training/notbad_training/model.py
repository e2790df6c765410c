"""The encoder in PyTorch, class by class and statement by statement the twin of core/model.

B batch, T tokens of a sequence (Tq queries, Tk keys), D width, H heads, d_k = D / H,
F feed-forward width, L layers, V vocabulary, P positions, C classes.
The attribute names are the weight names of model.safetensors.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

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


class NegationTags(NamedTuple):
    cue: Tensor  # [B, T, 3]  logits of NO_CUE, CUE, AFFIX
    scope: Tensor  # [B, T, T]  row t, column c: token t is in the scope of cue token c where > 0


class ClassifierResult(NamedTuple):
    logits: Tensor  # [B, C]
    pooled: Tensor  # [B, D]
    encoder: EncoderResult
    tags: NegationTags | None  # where the model has a tagger


NegationOff = Literal["zero", "uniform"]  # what the negation head does instead of attending

NO_CUE, CUE, AFFIX = range(3)  # AFFIX: the negation is part of the word, as in "unhappy"
NUM_CUE_CLASSES = 3


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


def _uniform(like: Tensor, mask: Tensor | None) -> Tensor:
    """Equal weights for all keys that may be seen: [B, Tq, Tk]."""
    zeros = torch.zeros_like(like)
    return masked_softmax(zeros, None if mask is None else mask.squeeze(1) if mask.dim() == 4 else mask)


class MultiHeadAttention(nn.Module):
    """`resting_head`: in this head the first token has the value 0, so what rests on it adds nothing."""

    def __init__(self, d_model: int, num_heads: int, resting_head: int | None = None) -> None:
        super().__init__()
        if d_model % num_heads != 0:
            raise ConfigError(
                f"MultiHeadAttention: d_model {d_model} is not divisible by num_heads {num_heads}"
            )
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.resting_head = resting_head
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.output = nn.Linear(d_model, d_model)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        resting_off: NegationOff | None = None,
    ) -> AttentionResult:
        """query [B, Tq, D], key and value [B, Tk, D]; mask [Tq, Tk] or [B, 1 or Tq, Tk], true = may attend.

        A query that may attend to nothing gets the context 0, so the output bias alone comes out.
        """
        if mask is not None and mask.dim() == 3:
            mask = mask[:, None]  # [B, 1, 1 or Tq, Tk]  the same for every head
        q = self._split_heads(self.query(query))  # [B, H, Tq, d_k]
        k = self._split_heads(self.key(key))  # [B, H, Tk, d_k]
        v = self._split_heads(self.value(value))  # [B, H, Tk, d_k]
        if self.resting_head is not None:
            v = v.clone()
            v[:, self.resting_head, 0] = 0.0
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)  # [B, H, Tq, Tk]
        weights = masked_softmax(scores, mask)
        if self.resting_head is not None and resting_off is not None:
            weights = weights.clone()
            is_uniform = resting_off == "uniform"
            weights[:, self.resting_head] = _uniform(weights[:, 0], mask) if is_uniform else 0.0
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
    def __init__(self, config: ModelConfig, index: int, dropout: float = 0.0) -> None:
        super().__init__()
        resting = config.negation_head
        resting_head = resting.head if resting is not None and resting.layer == index else None
        self.attention = MultiHeadAttention(config.d_model, config.num_heads, resting_head)
        self.attention_norm = nn.LayerNorm(config.d_model, eps=config.norm_eps)
        self.feed_forward = FeedForward(config.d_model, config.d_ff)
        self.feed_forward_norm = nn.LayerNorm(config.d_model, eps=config.norm_eps)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, x: Tensor, mask: Tensor | None, resting_off: NegationOff | None = None
    ) -> AttentionResult:
        context, weights = self.attention(x, x, x, mask, resting_off)
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
        self.layer = nn.ModuleList(EncoderLayer(config, index, dropout) for index in range(config.num_layers))

    def forward(
        self,
        embedding: Tensor,
        mask: Tensor | None,
        first_layer: int = 0,
        negation_off: NegationOff | None = None,
    ) -> EncoderResult:
        """Begins at `first_layer`, where `embedding` is what that layer reads."""
        x = embedding
        hidden, attention = [], []
        for layer in self.layer[first_layer:]:
            x, weights = layer(x, mask, negation_off)
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


class NegationTagger(nn.Module):
    """Cue classes by a linear layer; scope by a bilinear score of token and cue, as attention scores are.

    After the biaffine scorer of Dozat and Manning, "Deep Biaffine Attention", 2017, whose linear terms
    are here in the biases of query and key.
    """

    def __init__(self, d_model: int, rank: int) -> None:
        super().__init__()
        self.rank = rank
        self.cue = nn.Linear(d_model, NUM_CUE_CLASSES)
        self.query = nn.Linear(d_model, rank)
        self.key = nn.Linear(d_model, rank)

    def forward(self, hidden: Tensor) -> NegationTags:
        """hidden [B, T, D]; rows and columns of padding hold anything."""
        scope = self.query(hidden) @ self.key(hidden).transpose(1, 2) / math.sqrt(self.rank)
        return NegationTags(self.cue(hidden), scope)


class Classifier(nn.Module):
    def __init__(self, config: ModelConfig, dropout: float = 0.0) -> None:
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config, dropout)
        self.encoder = Encoder(config, dropout)
        self.classifier = ClassifierHead(config, dropout)
        self.tagger = NegationTagger(config.d_model, config.tagger.rank) if config.tagger else None

    def forward(
        self,
        ids: Tensor,
        lengths: Tensor,
        extra_mask: Tensor | None = None,
        negation_off: NegationOff | None = None,
    ) -> ClassifierResult:
        """ids [B, T] padded with anything, lengths [B]; extra_mask [T, T] narrows who may attend."""
        mask = padding_mask(lengths, ids.shape[1])  # [B, 1, T]
        if extra_mask is not None:
            mask = mask & extra_mask  # [B, T, T]
        encoded = self.encoder(self.embeddings(ids), mask, negation_off=negation_off)
        pooled = self._pool(encoded.hidden[-1], lengths)
        return ClassifierResult(self.classifier(pooled), pooled, encoded, self._tag(encoded))

    def logits_without_negation_head(
        self, result: ClassifierResult, lengths: Tensor, rows: Tensor, how: NegationOff
    ) -> Tensor:
        """Logits [R, C] of some `rows` [R] of a batch as they would be with the negation head off.

        The layers below that head are not computed again. The same as forward(negation_off=how).
        """
        assert self.config.negation_head is not None
        first = self.config.negation_head.layer
        before = result.encoder.hidden[first - 1] if first > 0 else result.encoder.embedding
        mask = padding_mask(lengths[rows], before.shape[1])
        encoded = self.encoder(before[rows], mask, first, how)
        logits: Tensor = self.classifier(self._pool(encoded.hidden[-1], lengths[rows]))
        return logits

    def _tag(self, encoded: EncoderResult) -> NegationTags | None:
        if self.tagger is None or self.config.tagger is None:
            return None
        tags: NegationTags = self.tagger(encoded.hidden[self.config.tagger.layer])
        return tags

    def _pool(self, hidden: Tensor, lengths: Tensor) -> Tensor:
        """[B, T, D] -> [B, D]; "mean" counts every real token, the special ones too."""
        if self.config.pooling == "first":
            return hidden[:, 0]
        is_real = padding_mask(lengths, hidden.shape[1]).transpose(1, 2)  # [B, T, 1]
        total = (hidden * is_real).sum(dim=1)
        return total / lengths[:, None]
