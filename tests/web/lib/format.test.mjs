import assert from "node:assert/strict";
import { test } from "node:test";
import {
  counted,
  milliseconds,
  percent,
  pushed,
  pushed_short,
  signed,
  tone_of,
} from "../../../web/src/lib/format.js";

test("Shares are percent with a blank that does not break", () => {
  assert.equal(percent(0.8134), "81.3\u00a0%");
  assert.equal(percent(0.5, 0), "50\u00a0%");
});

test("Signed numbers carry a real minus sign or a plus", () => {
  assert.equal(signed(-1.9), "\u22121.90");
  assert.equal(signed(1.7), "+1.70");
});

test("An effect says its direction beside its number, and nothing where it is none", () => {
  assert.equal(pushed(2.345), "▲\u00a0+2.35");
  assert.equal(pushed(-0.5), "▼\u00a0\u22120.50");
  assert.equal(pushed(-0.004), "0.00");
  assert.equal(pushed(-0.004, 3), "▼\u00a0\u22120.004");
  assert.equal(pushed_short(-0.5), "▼0.50");
  assert.equal(pushed_short(0.001), "0.00");
  assert.deepEqual([1, -1, 0.004, -0.004].map(tone_of), ["positive", "negative", "none", "none"]);
});

test("Times are milliseconds, short ones with a decimal", () => {
  assert.equal(milliseconds(230), "0.2\u00a0ms");
  assert.equal(milliseconds(12_600), "13\u00a0ms");
});

test("One is singular", () => {
  assert.equal(counted(1, "layer"), "1 layer");
  assert.equal(counted(6, "layer"), "6 layers");
});
