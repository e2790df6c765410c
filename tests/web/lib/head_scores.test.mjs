import assert from "node:assert/strict";
import { test } from "node:test";
import {
  attention_between,
  habit_of,
  negation_pair,
  ranked_columns,
  score_heads,
  strongest_head,
  target_of,
} from "../../../web/src/lib/head_scores.js";
import { words_of } from "../../../web/src/lib/words.js";
import { even_weights, tokens_of } from "../support/sentences.mjs";

function words_in(text) {
  return words_of(
    text,
    tokens_of(
      text,
      text.split(" ").map((word) => [word]),
    ),
  );
}

function target_in(text, cue) {
  const words = words_in(text);
  const target = target_of(words, new Set([cue]), cue);
  return target === null ? null : words[target].text;
}

test("The negation word acts on the next word that is not a small one", () => {
  assert.equal(target_in("It was not a very bad film", 2), "bad");
});

test("At the end of the sentence it acts on the word before", () => {
  assert.equal(target_in("Good it was not !", 3), "Good");
});

test("A sentence of small words still has a target, a lone negation word has none", () => {
  assert.equal(target_in("not so", 0), "so");
  assert.equal(target_in("not !", 0), null);
});

test("A second negation word is no target", () => {
  const words = words_in("not without charm");

  assert.equal(target_of(words, new Set([0, 1]), 0), 2);
});

test("Attention between words sums over what is looked at and averages over who looks", () => {
  const map = [
    [0.1, 0.2, 0.3, 0.4],
    [0.4, 0.3, 0.2, 0.1],
    [0.25, 0.25, 0.25, 0.25],
    [0.7, 0.1, 0.1, 0.1],
  ];

  assert.equal(attention_between(map, [0, 1], [2, 3]).toFixed(6), "0.500000");
  assert.equal(attention_between(map, [3], [2, 3]).toFixed(6), "0.200000");
  assert.equal(attention_between(map, [0, 3], [0]).toFixed(6), "0.400000");
});

test("Habit is what the other words give at the same distance, in the same direction", () => {
  const shares = [
    [0, 0.9, 0],
    [0.3, 0, 0.7],
    [0.2, 0.5, 0],
  ];

  const habit = (from, to) => habit_of((i, j) => shares[i][j], 3, from, to);

  assert.equal(habit(2, 1), 0.3);
  assert.equal(habit(0, 1), 0.7);
  assert.equal(habit(2, 0), 0, "no other word is two away");
  assert.equal(habit(0, 0), 0, "the others do not look at themselves");
});

test("A head that always looks one word back is not the strongest, large as its share is", () => {
  const weights = even_weights(1, 2, 6);
  weights[0][0] = weights[0][0].map((row, from) =>
    row.map((_, to) => (to === Math.max(0, from - 1) ? 1 : 0)),
  );
  weights[0][1][4] = [0.2, 0, 0, 0.8, 0, 0];

  const scores = score_heads(weights, words_in("it was not bad"), new Set([2]));

  assert.deepEqual(scores.values, [[1, 0.8]]);
  assert.deepEqual(strongest_head(scores.beyond_habit), { layer: 0, head: 1 });
});

test("With a negation word every head is scored by target to negation word", () => {
  const weights = even_weights(2, 3, 5);
  weights[1][2][3] = [0, 0, 0.8, 0.1, 0.1];

  const scores = score_heads(weights, words_in("was not bad"), new Set([1]));

  assert.equal(scores.kind, "negation");
  assert.deepEqual([scores.from, scores.to], [2, 1]);
  assert.ok(Math.abs(scores.values[0][0] - 0.2) < 1e-12);
});

test("The strongest head is found by layer and head, not mixed up", () => {
  const weights = even_weights(2, 3, 5);
  const words = words_in("not bad film");
  const strongest = () => strongest_head(score_heads(weights, words, new Set([0])).beyond_habit);

  assert.deepEqual(strongest(), { layer: 0, head: 0 }, "all are equal");
  weights[1][2][3] = [0, 0.6, 0.2, 0.1, 0.1];
  assert.deepEqual(strongest(), { layer: 0, head: 0 }, "that row is not the target's");
  weights[1][2][2] = [0, 0.8, 0, 0.1, 0.1];
  assert.deepEqual(strongest(), { layer: 1, head: 2 });
});

test("Of several negation words before a word the nearest is its partner", () => {
  const pair = (text, cues) => negation_pair(words_in(text), new Set(cues));

  assert.deepEqual(pair("not without charm", [0, 1]), { from: 2, to: 1 });
  assert.deepEqual(pair("not bad and never", [0, 3]), { from: 1, to: 0 });
  assert.deepEqual(pair("not", [0]), { from: null, to: null });
  assert.deepEqual(pair("bad", []), { from: null, to: null });
  assert.deepEqual(negation_pair(words_in("never call it boring"), new Set([0]), 3), {
    from: 3,
    to: 0,
  });
});

test("Of several negation words the first of the sentence counts, in any order they come", () => {
  const scores = score_heads(
    even_weights(1, 1, 6),
    words_in("not bad never good"),
    new Set([2, 0]),
  );

  assert.deepEqual([scores.from, scores.to], [1, 0]);
});

test("Without a negation word heads are scored by how hard words look at one other word", () => {
  const weights = even_weights(1, 2, 5);
  weights[0][1][1] = [0, 0.1, 0, 0.9, 0];

  const scores = score_heads(weights, words_in("a good film"), new Set());

  assert.equal(scores.kind, "focus");
  assert.equal(scores.from, null);
  assert.deepEqual(
    scores.values[0].map((value) => value.toFixed(4)),
    ["0.2000", ((0.9 + 0.2 + 0.2) / 3).toFixed(4)],
  );
  assert.deepEqual(strongest_head(scores.beyond_habit), { layer: 0, head: 1 });
});

test("The favourite of a word is never itself, nor a special token", () => {
  const map = [
    [0, 1, 0, 0],
    [0.6, 0.3, 0.1, 0],
    [0, 0.25, 0.75, 0],
    [0, 0, 1, 0],
  ];

  const scores = score_heads([[map]], words_in("good film"), new Set());

  assert.equal(scores.values[0][0].toFixed(6), "0.175000");
});

test("A single word has no other word to look at", () => {
  assert.deepEqual(score_heads(even_weights(1, 1, 3), words_in("good"), new Set()).values, [[0]]);
});

test("Ranked columns come largest first, equals in the order of the sentence", () => {
  assert.deepEqual(ranked_columns([0.1, 0.4, 0.1, 0.4], 3), [1, 3, 0]);
});
