import assert from "node:assert/strict";
import { test } from "node:test";
import { list_length, map_form, map_place, pooled } from "../../../web/src/lib/layout.js";

test("Numbers up to 24 tokens, cells up to 64, then a canvas", () => {
  assert.deepEqual([1, 24, 25, 64, 65, 256].map(map_form), [
    "numbers",
    "numbers",
    "cells",
    "cells",
    "canvas",
    "canvas",
  ]);
});

test("A small map stands beside the heads, a large one below them", () => {
  assert.deepEqual([7, 12, 13, 64, 65].map(map_place), [
    "beside",
    "beside",
    "below",
    "below",
    "below-left",
  ]);
});

test("A row's list never leaves a rest of one token", () => {
  for (let num_tokens = 1; num_tokens <= 256; num_tokens += 1) {
    const rest = num_tokens - list_length(num_tokens);
    assert.ok(rest === 0 || rest > 1, `${num_tokens} tokens leave ${rest}`);
  }
});

test("A map with more tokens than room keeps its largest shares", () => {
  const map = [
    [0.1, 0.9, 0],
    [0, 0.2, 0.8],
    [0.3, 0.4, 0.3],
  ];

  assert.deepEqual(pooled(map, 2), [
    [0.9, 0.8],
    [0.4, 0.3],
  ]);
  assert.equal(pooled(map, 3), map);
});
