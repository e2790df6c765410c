import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { reading_of } from "../../web/src/reading.js";
import { initial_state } from "../../web/src/state.js";
import { STEPS, tour_head } from "../../web/src/tour.js";
import { answer_for, even_weights } from "./support/sentences.mjs";

const TEXT = "not bad";
const INDEX = await readFile(new URL("../../web/index.html", import.meta.url), "utf8");

function lab() {
  const weights = even_weights(1, 4, 4);
  for (const [head, share] of [[1, 0.9], [2, 0.8], [3, 0.7]])
    weights[0][head][2] = [1 - share, share, 0, 0];
  const reading =
    reading_of(TEXT, answer_for(TEXT, [["not"], ["bad"]], { cues: [0], weights }), "");
  const head = (index, effect, kind) =>
    ({ layer: 0, head: index, attention: 0, effect, negation_effect: 0, kind });
  const value = {
    heads:
      [head(0, 0, "sink"), head(1, 2, "focused"), head(2, 0.01, "focused"), head(3, -1, "previous")]
  };
  return { ...initial_state(TEXT, "light"), reading, explanation: { reading, value } };
}

function step_with(head) {
  return STEPS.find((step) => step.head === head);
}

test("Each step is about a card of the page, and says something", () => {
  assert.ok(STEPS.length >= 6);
  for (const step of STEPS) {
    assert.ok(
      INDEX.includes(`id="${step.look}"`) || INDEX.includes(`class="card ${step.look}"`), step.look
    );
    assert.ok(step.words.join("").length > 40, step.title);
  }
});

test("Heads are found by what they are in the running model", () => {
  assert.deepEqual(tour_head(step_with("previous"), lab()), { layer: 0, head: 3 });
  assert.deepEqual(tour_head(step_with("sink"), lab()), { layer: 0, head: 0 });
});

test("The idle head looks clearly at the negation word and does least", () => {
  assert.deepEqual(tour_head(step_with("idle"), lab()), { layer: 0, head: 2 });
});

test("A step waits for the explanation, but not for one that will not come", () => {
  const waiting = { ...lab(), explanation: null };

  assert.equal(tour_head(step_with("idle"), waiting), null);
  assert.notEqual(tour_head(step_with("idle"), { ...waiting, explanation_gap: "too long" }), null);
});
