// @ts-check
// The textbook's shapes with the numbers of the running model and of the sentence on the screen.

import { make } from "../lib/dom.js";

/** @typedef {import("../types.js").State} State */

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_shapes(element, state) {
  const tokens = state.reading?.tokens.length ?? 0;
  if (state.info === null || tokens === 0) {
    element.replaceChildren();
    return;
  }
  const { d_model, num_heads, num_layers } = state.info.config;
  const d_k = d_model / num_heads;
  const steps = [
    ["x", "[T, D]", [tokens, d_model], "a vector for each token"],
    ["Q, K, V", "[H, T, d_k]", [num_heads, tokens, d_k], "three projections of x, cut into heads"],
    ["softmax(Q Kᵀ / √d_k)", "[H, T, T]", [num_heads, tokens, tokens], "the maps on this page"],
    ["maps · V", "[H, T, d_k]", [num_heads, tokens, d_k], "each head’s mixture"],
    ["joined · W_o", "[T, D]", [tokens, d_model], `on to the next of ${num_layers} layers`],
  ];
  element.replaceChildren(
    ...steps.map(([name, letters, sizes, meaning]) =>
      make(
        "li",
        {},
        make("span", { class: "shape-name" }, String(name)),
        make("strong", { class: "shape-sizes" }, /** @type {number[]} */ (sizes).join(" × ")),
        make("span", { class: "fine" }, String(meaning)),
        make("span", { class: "shape-letters" }, String(letters)),
      ),
    ),
  );
}
