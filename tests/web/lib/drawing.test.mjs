import assert from "node:assert/strict";
import { test } from "node:test";
import { color_at, to_css } from "../../../web/src/lib/color_scale.js";
import { heads_drawing, map_drawing, to_svg } from "../../../web/src/lib/drawing.js";

const unit = (label, kind = "word") => ({ kind, label, title: label, tokens: [0] });
const SHOWN = {
  rows: [unit("<img src=x>"), unit("not", "negator")],
  columns: [unit("<img src=x>"), unit("not", "negator"), unit("hidden", "hidden")],
  values: [
    [0.25, 0.5, 0.25],
    [0.1, 0.8, 0.1],
  ],
};
const CAPTION = ["A sentence & its <tail>", "Layer 1 · head 2 · attention", "Model m, 2026-01-01"];

function texts_of(drawing) {
  return drawing.items.filter((item) => item.kind === "text").map((item) => item.text);
}

test("A picture carries the caption, every number of the map and the ends of its scale", () => {
  const texts = texts_of(map_drawing(SHOWN, { theme: "light", ceiling: 0.8, caption: CAPTION }));

  for (const text of [...CAPTION, "25", "50", "10", "80", "0\u00a0%", "80.0\u00a0%"])
    assert.ok(texts.includes(text), `${text} is not in ${texts.join(" | ")}`);
});

test("Cells have the colours of the screen, and what is hidden has none of the scale", () => {
  const { items } = map_drawing(SHOWN, { theme: "dark", ceiling: 0.8, caption: CAPTION });
  const fills = items.filter((item) => item.kind === "rect").map((item) => item.fill);

  assert.equal(fills[0], to_css(color_at("dark", 0.25 / 0.8)));
  assert.equal(fills[4], to_css(color_at("dark", 1)));
  assert.equal(fills[2], "#2c3743");
});

test("Nothing stands outside the picture, however long the sentence", () => {
  const caption = ["word ".repeat(60) + "x".repeat(200)];
  const drawing = map_drawing(SHOWN, { theme: "light", ceiling: 1, caption });

  for (const item of drawing.items) {
    assert.ok(item.x >= 0 && item.x <= drawing.width, JSON.stringify(item));
    assert.ok(item.y >= 0 && item.y <= drawing.height, JSON.stringify(item));
  }
  assert.ok(texts_of(drawing).filter((text) => text.length > 0).length > 5);
});

test("SVG holds typed text as text", () => {
  const svg = to_svg(map_drawing(SHOWN, { theme: "light", ceiling: 1, caption: CAPTION }), "light");

  assert.match(svg, /A sentence &amp; its &lt;tail&gt;/);
  assert.doesNotMatch(svg, /<img/);
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
});

test("All heads come with both numbers", () => {
  const facts = [0, 1].map((head) => ({
    layer: 0,
    head,
    attention: 0.5,
    effect: -1.25,
    negation_effect: null,
    kind: "sink",
  }));
  const texts = texts_of(
    heads_drawing(facts, () => [[1]], { theme: "light", caption: CAPTION, num_heads: 2 }),
  );

  assert.ok(texts.includes("1·2  ⊥ 50\u00a0%"), texts.join(" | "));
  assert.ok(texts.includes("▼\u00a0−1.25"));
});
