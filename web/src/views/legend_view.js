// @ts-check
// The colour scale with its ends, from the function that colours the cells, and its switch.

import { color_at, to_css } from "../lib/color_scale.js";
import { make } from "../lib/dom.js";
import { percent } from "../lib/format.js";
import { shown_ceiling, shown_map } from "../state.js";

/** @typedef {import("../types.js").State} State */

const STEPS = 24;

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_legend(element, state) {
  const shown = shown_map(state);
  element.hidden = shown === null;
  if (shown === null) return;
  const steps = Array.from({ length: STEPS }, (_, step) => {
    const patch = make("span", {});
    patch.style.setProperty("--fill", to_css(color_at(state.theme, step / (STEPS - 1))));
    return patch;
  });
  const ceiling = shown_ceiling(state, shown);
  element.replaceChildren(
    make("span", {}, percent(0, 0)),
    make("span", { class: "legend-ramp", "aria-hidden": "true" }, ...steps),
    make("span", { id: "legend-end" }, percent(ceiling, ceiling === 1 ? 0 : 1)),
  );
}
