// @ts-check
// The large map of a long text: pixels, with the shown row and the pointed column as bars over it.

import { make } from "../lib/dom.js";
import { paint_map } from "../lib/paint.js";
import { color_ceiling, shown_row } from "../state.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Cell} Cell */

/**
 * @param {HTMLElement} element
 * @param {State} state
 * @param {number[][]} map  [T][T]
 */
export function render_map_canvas(element, state, map) {
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas", { "aria-hidden": "true" }));
  paint_map(canvas, map, state.theme, color_ceiling(state, map));
  const plane = make(
    "div",
    {
      class: "map-plane",
      role: "group",
      tabindex: 0,
      "aria-label": `Map of ${map.length} tokens: arrow keys move`,
    },
    canvas,
    make("div", { class: "map-row-bar" }),
    make("div", { class: "map-column-bar" }),
  );
  plane.style.setProperty("--tokens", String(map.length));
  element.replaceChildren(make("p", { class: "fine" }, "from ↓ to →"), plane);
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_canvas_cursor(element, state) {
  const plane = /** @type {HTMLElement | null} */ (element.querySelector(".map-plane"));
  plane?.style.setProperty("--row", String(shown_row(state)));
  plane?.style.setProperty("--column", String(state.point?.column ?? state.cursor.column));
}

/**
 * The cell under a pointer event on the canvas.
 * @param {PointerEvent | MouseEvent} event
 * @param {number} num_tokens
 * @returns {Cell | null}
 */
export function canvas_cell_at(event, num_tokens) {
  const plane = event.target instanceof Element ? event.target.closest(".map-plane") : null;
  if (plane === null) return null;
  const box = plane.getBoundingClientRect();
  const index = (/** @type {number} */ share) =>
    Math.min(num_tokens - 1, Math.max(0, Math.floor(share * num_tokens)));
  return {
    row: index((event.clientY - box.top) / box.height),
    column: index((event.clientX - box.left) / box.width),
  };
}
