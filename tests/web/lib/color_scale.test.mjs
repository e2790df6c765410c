import assert from "node:assert/strict";
import { test } from "node:test";
import { color_at, contrast, ink_on, to_css } from "../../../web/src/lib/color_scale.js";

const SHARES = Array.from({ length: 1001 }, (_, i) => i / 1000);
const THEMES = ["light", "dark"];

test("Numbers keep a contrast of 4.5 to 1 on every share in both themes", () => {
  for (const theme of THEMES) {
    for (const share of SHARES) {
      const color = color_at(theme, share);
      const ratio = contrast(color, ink_on(color));
      assert.ok(ratio >= 4.5, `${theme} ${share}: ${ratio}`);
    }
  }
});

test("More attention is always further from the background", () => {
  for (const theme of THEMES) {
    const ratios = SHARES.map((share) => contrast(color_at(theme, share), color_at(theme, 0)));
    for (let i = 1; i < ratios.length; i += 1) {
      assert.ok(
        ratios[i] >= ratios[i - 1],
        `${theme} at ${SHARES[i]}: ${ratios[i]} after ${ratios[i - 1]}`,
      );
    }
  }
});

test("The ends are the first and the last colour, and nothing lies outside", () => {
  assert.equal(to_css(color_at("light", 0)), "rgb(255 255 255)");
  assert.equal(to_css(color_at("light", 1)), "rgb(8 59 112)");
  assert.deepEqual(color_at("dark", 7), color_at("dark", 1));
  assert.deepEqual(color_at("dark", -1), color_at("dark", 0));
  assert.deepEqual(color_at("dark", Number.NaN), color_at("dark", 0));
});

test("Contrast of black on white is 21 to 1", () => {
  assert.ok(Math.abs(contrast([0, 0, 0], [255, 255, 255]) - 21) < 1e-9);
});
