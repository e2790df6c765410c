import assert from "node:assert/strict";
import { test } from "node:test";
import {
  experiment_name,
  for_other_text,
  has_experiment,
  interventions_of,
  toggled,
} from "../../../web/src/lib/experiments.js";

const OFF = { kind: "off", layer: 3, head: 2 };
const UNIFORM = { kind: "uniform", layer: 3, head: 2 };
const CUT = { kind: "cut", layer: 0, head: 1, from: [5], to: [3, 4] };

test("A cut between words is one intervention for each pair of their tokens", () => {
  assert.deepEqual(interventions_of([OFF, CUT]), [
    { kind: "head_off", layer: 3, head: 2 },
    { kind: "cut", layer: 0, head: 1, from: 5, to: 3 },
    { kind: "cut", layer: 0, head: 1, from: 5, to: 4 },
  ]);
});

test("Asking for an experiment again takes it away", () => {
  assert.deepEqual(toggled([CUT, OFF], { ...OFF }), [CUT]);
  assert.deepEqual(toggled([OFF], { ...CUT, from: [5] }), [OFF, CUT]);
});

test("A head is off or uniform, never both", () => {
  assert.deepEqual(toggled([OFF, CUT], UNIFORM), [CUT, UNIFORM]);
  assert.deepEqual(toggled([OFF], { ...UNIFORM, head: 3 }).length, 2);
});

test("Another text keeps what names no token", () => {
  assert.deepEqual(for_other_text([OFF, CUT, UNIFORM]), [OFF, UNIFORM]);
});

test("A cut is known by its ends", () => {
  assert.equal(has_experiment([CUT], { ...CUT, to: [3, 4] }), true);
  assert.equal(has_experiment([CUT], { ...CUT, to: [3] }), false);
});

test("Chips name layer, head and link as the page counts them", () => {
  const label_of = (tokens) => tokens.map((token) => `t${token}`).join("");

  assert.equal(experiment_name(OFF, label_of), "layer 4 · head 3 off");
  assert.equal(experiment_name(CUT, label_of), "t5 → t3t4 cut in layer 1 · head 2");
});
