import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, milliseconds, percent, signed } from "../../../web/src/lib/format.js";

test("Shares are percent with a blank that does not break", () => {
  assert.equal(percent(0.8134), "81.3\u00a0%");
  assert.equal(percent(0.5, 0), "50\u00a0%");
});

test("Signed numbers carry a real minus sign or a plus", () => {
  assert.equal(signed(-1.9), "\u22121.90");
  assert.equal(signed(1.7), "+1.70");
});

test("Times are milliseconds, short ones with a decimal", () => {
  assert.equal(milliseconds(230), "0.2\u00a0ms");
  assert.equal(milliseconds(12_600), "13\u00a0ms");
});

test("One is singular", () => {
  assert.equal(counted(1, "layer"), "1 layer");
  assert.equal(counted(6, "layer"), "6 layers");
});
