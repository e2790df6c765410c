import assert from "node:assert/strict";
import { test } from "node:test";
import { reading_of } from "../../web/src/reading.js";
import { answer_for, even_weights } from "./support/sentences.mjs";

const TEXT = "not bad";
const WORDS = [["not"], ["bad"]];

test("Cues become a set of word indices", () => {
  const reading = reading_of(
    TEXT,
    answer_for(TEXT, WORDS, { cues: [0], weights: even_weights(1, 1, 4) }),
    "",
  );

  assert.deepEqual([...reading.negators], [0]);
  assert.equal(reading.scores.kind, "negation");
  assert.equal(reading.gap, "");
});

test("Maps of another size than the sentence are not drawn, and the page says so", () => {
  const reading = reading_of(TEXT, answer_for(TEXT, WORDS, { weights: even_weights(1, 1, 5) }), "");

  assert.equal(reading.weights, null);
  assert.match(reading.gap, /4 tokens, but a map 5/);
});

test("A map with one short row is not drawn", () => {
  const weights = even_weights(1, 2, 4);
  weights[0][1][2].pop();

  assert.match(reading_of(TEXT, answer_for(TEXT, WORDS, { weights }), "").gap, /a map 3/);
});

test("An answer without tokens or negation still has a result", () => {
  const answer = answer_for(TEXT, WORDS);
  delete answer.results[0].tokens;
  delete answer.results[0].negation;

  const reading = reading_of(TEXT, answer, "");

  assert.equal(reading.weights, null);
  assert.notEqual(reading.gap, "");
});
