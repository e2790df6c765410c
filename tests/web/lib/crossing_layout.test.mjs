import assert from "node:assert/strict";
import { test } from "node:test";
import { crossing_layout } from "../../../web/src/lib/crossing_layout.js";

test("Lines that cross in f cross in the plot, and zero lies between", () => {
  const { lines, zero, height } = crossing_layout([
    { name: "bad", before: -3, after: 2 },
    { name: "good", before: 4, after: -3 },
  ]);

  assert.ok(lines[0].y_before > lines[1].y_before);
  assert.ok(lines[0].y_after < lines[1].y_after);
  assert.ok(zero > lines[0].y_after && zero < lines[0].y_before && zero < height);
});

test("Labels of equal values do not run into each other", () => {
  const { lines } = crossing_layout([
    { name: "bad", before: 1, after: 1 },
    { name: "good", before: 1, after: 1 },
  ]);

  assert.ok(Math.abs(lines[0].y_before_label - lines[1].y_before_label) >= 15);
});

test("Nothing but zeros still has a place", () => {
  const { lines, zero } = crossing_layout([{ name: "bad", before: 0, after: 0 }]);

  assert.ok(Number.isFinite(lines[0].y_before) && Number.isFinite(zero));
});

test("The word on the zero line stands at the end that the lines stay away from", () => {
  const end = (before, after) =>
    crossing_layout([{ name: "bad", before, after }, { name: "good", before: -4, after: 4 }])
      .zero_label;

  assert.equal(end(0.5, -4), "right");
  assert.equal(end(4, -0.5), "left");
});
