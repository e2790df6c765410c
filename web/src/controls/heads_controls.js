// @ts-check
// Mouse and keyboard on the grid of heads: one tab stop, arrows move, Enter or a click opens.

import { moved } from "../lib/grid_keys.js";
import { head_at, tiles_of } from "../views/heads_view.js";

/** @typedef {import("../types.js").HeadPlace} HeadPlace */

/**
 * @param {HTMLElement} element
 * @param {(place: HeadPlace) => void} on_open
 */
export function attach_heads_controls(element, on_open) {
  element.addEventListener("click", (event) => {
    const place = head_at(event.target);
    if (place !== null) on_open(place);
  });
  element.addEventListener("keydown", (event) => {
    const place = head_at(event.target);
    if (place === null) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      on_open(place);
      return;
    }
    const next = moved({ row: place.layer, column: place.head }, event, grid_size(element));
    if (next === null) return;
    event.preventDefault();
    focus_tile(element, { layer: next.row, head: next.column });
  });
}

/** @param {HTMLElement} element */
function grid_size(element) {
  const tiles = tiles_of(element);
  const last = head_at(tiles[tiles.length - 1]) ?? { layer: 0, head: 0 };
  return { rows: last.layer + 1, columns: last.head + 1 };
}

/**
 * @param {HTMLElement} element
 * @param {HeadPlace} place
 */
function focus_tile(element, place) {
  for (const tile of tiles_of(element)) {
    const at = head_at(tile);
    const is_next = at?.layer === place.layer && at.head === place.head;
    tile.tabIndex = is_next ? 0 : -1;
    if (is_next) tile.focus();
  }
}
