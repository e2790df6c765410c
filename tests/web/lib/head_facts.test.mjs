import assert from "node:assert/strict";
import { test } from "node:test";
import { head_facts, ordered, strongest } from "../../../web/src/lib/head_facts.js";
import { head_finding } from "../../../web/src/lib/head_finding.js";
import { reading_of } from "../../../web/src/reading.js";
import { answer_for, even_weights } from "../support/sentences.mjs";

const TEXT = "not bad";
const READING = reading_of(
  TEXT,
  answer_for(TEXT, [["not"], ["bad"]], { cues: [0], weights: even_weights(1, 3, 4) }),
  "",
);
const head = (index, effect, negation_effect) => ({
  layer: 0,
  head: index,
  attention: 0.25,
  effect,
  negation_effect,
  kind: "flat",
});
const EXPLANATION = { heads: [head(0, 0.1, 0.5), head(1, -2, null), head(2, 1, -0.7)] };

test("Before the explanation a head has its attention only", () => {
  const facts = head_facts(READING, null);

  assert.equal(facts.length, 3);
  assert.equal(facts[0].attention, 0.25);
  assert.equal(facts[0].effect, null);
  assert.equal(strongest(facts, "effect"), null);
});

test("Heads are ordered by the size of a number, whatever its sign, unknown ones last", () => {
  const facts = head_facts(READING, EXPLANATION);
  const order = (name) => ordered(facts, name).map((each) => each.head);

  assert.deepEqual(order("position"), [0, 1, 2]);
  assert.deepEqual(order("effect"), [1, 2, 0]);
  assert.deepEqual(order("negation"), [2, 0, 1]);
  assert.equal(strongest(facts, "effect").head, 1);
  assert.equal(strongest(facts, "negation").head, 2);
});

test(
  "A head is judged by the run without it: a flip first, then its share of the largest effect",
  () => {
    assert.deepEqual(head_finding(3, 2, 3), { kind: "flips", f_without: -1 });
    assert.equal(head_finding(1, 2, 1.5).kind, "matters");
    assert.equal(head_finding(-0.5, 2, 1.5).kind, "part");
    assert.equal(head_finding(0.1, 2, 1.5).kind, "hardly");
    assert.equal(head_finding(0, 2, 0).kind, "hardly");
    assert.equal(head_finding(-3, -2, 3).kind, "flips");
  }
);
