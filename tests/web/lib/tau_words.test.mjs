import assert from "node:assert/strict";
import { test } from "node:test";
import { tau_words } from "../../../web/src/lib/tau_words.js";

test("Agreement has words from reversed to strong", () => {
  assert.deepEqual(
    [-0.6, 0, 0.3, 0.6, 1].map(tau_words),
    [
      "they disagree",
      "no agreement to speak of",
      "weak agreement",
      "fair agreement",
      "strong agreement",
    ],
  );
});
