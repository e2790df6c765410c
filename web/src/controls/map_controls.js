// @ts-check
// Mouse and keyboard on the large map: pointing shows a row while it lasts, Enter or a click keeps
// it, Delete cuts the link, Escape undoes the latest experiment.

import { moved } from "../lib/grid_keys.js";
import { shown_map } from "../state.js";
import { canvas_cell_at } from "../views/map_canvas_view.js";
import { focus_table_cell, table_cell_at } from "../views/map_view.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Cell} Cell */
/** @typedef {{get: () => State, update: (change: Partial<State>) => void}} Store */

/**
 * @param {HTMLElement} element
 * @param {Store} store
 * @param {{cut: () => void, undo: () => void}} actions  `cut` is about the cell that is kept
 */
export function attach_map_controls(element, store, actions) {
  const size = () => {
    const shown = shown_map(store.get());
    return { rows: shown?.rows.length ?? 0, columns: shown?.columns.length ?? 0 };
  };
  const pointed = (/** @type {PointerEvent | MouseEvent} */ event) =>
    table_cell_at(event.target) ?? canvas_cell_at(event, size());
  const point = (/** @type {Cell | null} */ cell) => {
    const now = store.get().point;
    if (cell?.row !== now?.row || cell?.column !== now?.column) store.update({ point: cell });
  };

  element.addEventListener("pointermove", (event) => point(pointed(event)));
  element.addEventListener("pointerleave", () => point(null));
  element.addEventListener("focusin", (event) =>
    point(table_cell_at(event.target) ?? store.get().cursor),
  );
  element.addEventListener("focusout", () => point(null));
  element.addEventListener("click", (event) => {
    const cell = pointed(event);
    if (cell !== null) keep(store, cell);
  });
  element.addEventListener("keydown", (event) => {
    const from = store.get().point ?? store.get().cursor;
    switch (event.key) {
      case "Escape":
        point(null);
        return actions.undo();
      case "Delete":
        keep(store, from);
        return actions.cut();
      case "Enter":
      case " ":
        event.preventDefault();
        return keep(store, from);
    }
    const next = moved({ ...from, column: Math.max(0, from.column) }, event, size());
    if (next === null) return;
    event.preventDefault();
    point(next);
    focus_table_cell(next);
  });
}

/**
 * @param {Store} store
 * @param {Cell} cell
 */
function keep(store, cell) {
  store.update({ cursor: { row: cell.row, column: Math.max(0, cell.column) } });
}
