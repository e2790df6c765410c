import assert from "node:assert/strict";
import { test } from "node:test";
import { moved } from "../../../web/src/lib/grid_keys.js";

const SIZE = { rows: 6, columns: 12 };

function press(key, cell, ctrlKey = false) {
  return moved(cell, { key, ctrlKey }, SIZE);
}

test("Arrows move by one cell", () => {
  const from = { row: 2, column: 5 };

  assert.deepEqual(press("ArrowLeft", from), { row: 2, column: 4 });
  assert.deepEqual(press("ArrowRight", from), { row: 2, column: 6 });
  assert.deepEqual(press("ArrowUp", from), { row: 1, column: 5 });
  assert.deepEqual(press("ArrowDown", from), { row: 3, column: 5 });
});

test("Edges hold", () => {
  assert.deepEqual(press("ArrowUp", { row: 0, column: 0 }), { row: 0, column: 0 });
  assert.deepEqual(press("ArrowLeft", { row: 0, column: 0 }), { row: 0, column: 0 });
  assert.deepEqual(press("ArrowDown", { row: 5, column: 11 }), { row: 5, column: 11 });
  assert.deepEqual(press("ArrowRight", { row: 5, column: 11 }), { row: 5, column: 11 });
});

test("Home and End stay in the row, with Ctrl they reach the corners", () => {
  const from = { row: 2, column: 5 };

  assert.deepEqual(press("Home", from), { row: 2, column: 0 });
  assert.deepEqual(press("End", from), { row: 2, column: 11 });
  assert.deepEqual(press("Home", from, true), { row: 0, column: 0 });
  assert.deepEqual(press("End", from, true), { row: 5, column: 11 });
});

test("Other keys are left to the browser", () => {
  assert.equal(press("Tab", { row: 0, column: 0 }), null);
});
