// @ts-check
// Mouse and keyboard on the grid of heads: one tab stop, arrows move, Enter or a click opens, Space
// switches off.

import { moved } from "../lib/grid_keys.js";
import { head_at, tiles_of } from "../views/heads_view.js";

/** @typedef {import("../types.js").HeadPlace} HeadPlace */

/**
 * @param {HTMLElement} element
 * @param {{open: (place: HeadPlace) => void, switch_off: (place: HeadPlace) => void}} actions
 */
export function attach_heads_controls(element, { open, switch_off }) {
  element.addEventListener("click", (event) => {
    const place = head_at(event.target);
    if (place !== null) open(place);
  });
  element.addEventListener("keydown", (event) => {
    const place = head_at(event.target);
    if (place === null) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      (event.key === "Enter" ? open : switch_off)(place);
      return;
    }
    const rows = rows_of(element);
    const row = rows.findIndex((tiles) => tiles.some((tile) => tile === event.target));
    const column = rows[row]?.findIndex((tile) => tile === event.target) ?? 0;
    const size = { rows: rows.length, columns: rows[0].length };
    const next = moved({ row, column }, event, size);
    if (next === null) return;
    event.preventDefault();
    focus_tile(element, rows[next.row][next.column] ?? rows[row][column]);
  });
}

/** @param {HTMLElement} element */
function rows_of(element) {
  return [...element.querySelectorAll(".head-row:not(.head-names)")].map((row) =>
    tiles_of(/** @type {HTMLElement} */ (row)),
  );
}

/**
 * @param {HTMLElement} element
 * @param {HTMLElement} next
 */
function focus_tile(element, next) {
  for (const tile of tiles_of(element)) tile.tabIndex = tile === next ? 0 : -1;
  next.focus();
}
