import assert from "node:assert/strict";
import { test } from "node:test";
import { verdict_of } from "../../../web/src/lib/verdict.js";

function result(positive) {
  const label = positive >= 0.5 ? "positive" : "negative";
  return {
    label,
    score: Math.max(positive, 1 - positive),
    probabilities: { negative: 1 - positive, positive },
  };
}

test("Clear answers carry sign and label", () => {
  assert.deepEqual(
    [verdict_of(result(0.97)).sign, verdict_of(result(0.97)).headline],
    ["▲", "Positive"],
  );
  assert.deepEqual(
    [verdict_of(result(0.1)).sign, verdict_of(result(0.1)).headline],
    ["▼", "Negative"],
  );
});

test("From 40 to 60 percent the answer is undecided", () => {
  for (const positive of [0.4, 0.5, 0.6])
    assert.equal(verdict_of(result(positive)).headline, "Undecided");
  assert.equal(verdict_of(result(0.399)).headline, "Negative");
  assert.equal(verdict_of(result(0.601)).headline, "Positive");
});

test("A model with other labels answers with its own", () => {
  const verdict = verdict_of({ label: "joy", score: 0.7, probabilities: { joy: 0.7, anger: 0.3 } });

  assert.equal(verdict.headline, "joy");
  assert.equal(verdict.positive, null);
});
