import assert from "node:assert/strict";
import { test } from "node:test";
import { negated_forms } from "../../../web/src/lib/negated_forms.js";

test("The negation word goes behind the first auxiliary", () => {
  assert.deepEqual(negated_forms("The movie was bad"), [
    "The movie was not bad",
    "The movie was never bad",
  ]);
});

test("Without an auxiliary it goes in front", () => {
  assert.deepEqual(negated_forms("A masterpiece"), ["Not a masterpiece", "Hardly a masterpiece"]);
  assert.deepEqual(negated_forms("I love it"), ["Not I love it", "Hardly I love it"]);
});

test("Nothing is offered for nothing, or for a text that no button holds", () => {
  assert.deepEqual(negated_forms("  "), []);
  assert.deepEqual(negated_forms("long ".repeat(40)), []);
});
