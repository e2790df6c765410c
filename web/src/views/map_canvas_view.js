// @ts-check
// The large map of a long text: pixels, with the shown row and the pointed column as bars over it.

import { make } from "../lib/dom.js";
import { paint_map } from "../lib/paint.js";
import { shown_ceiling, shown_row } from "../state.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Cell} Cell */
/** @typedef {import("../types.js").ShownMap} ShownMap */

/**
 * @param {HTMLElement} element
 * @param {State} state
 * @param {ShownMap} shown
 */
export function render_map_canvas(element, state, shown) {
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas", { "aria-hidden": "true" }));
  paint_map(canvas, shown.values, state.theme, shown_ceiling(state, shown));
  const plane = make(
    "div",
    {
      class: "map-plane",
      role: "group",
      tabindex: 0,
      "aria-label": `Map of ${shown.rows.length} rows: arrow keys move`,
    },
    canvas,
    make("div", { class: "map-row-bar" }),
    make("div", { class: "map-column-bar" }),
  );
  plane.style.setProperty("--rows", String(shown.rows.length));
  plane.style.setProperty("--columns", String(shown.columns.length));
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
 * @param {{rows: number, columns: number}} size
 * @returns {Cell | null}
 */
export function canvas_cell_at(event, size) {
  const plane = event.target instanceof Element ? event.target.closest(".map-plane") : null;
  if (plane === null) return null;
  const box = plane.getBoundingClientRect();
  const index = (/** @type {number} */ share, /** @type {number} */ count) =>
    Math.min(count - 1, Math.max(0, Math.floor(share * count)));
  return {
    row: index((event.clientY - box.top) / box.height, size.rows),
    column: index((event.clientX - box.left) / box.width, size.columns),
  };
}
