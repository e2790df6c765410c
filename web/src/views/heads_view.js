// @ts-check
// A small map per head, a layer per row, and the number that compares them.

import { make } from "../lib/dom.js";
import { percent } from "../lib/format.js";
import { strongest_head } from "../lib/head_scores.js";
import { paint_map } from "../lib/paint.js";
import { color_ceiling } from "../state.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").HeadPlace} HeadPlace */

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_heads(element, state) {
  const { reading, theme } = state;
  if (reading === null || reading.weights === null || reading.scores === null) {
    element.replaceChildren();
    return;
  }
  const { weights, scores } = reading;
  const best = strongest_head(scores.beyond_habit);
  const grid = make("div", {
    class: "head-grid",
    role: "grid",
    "aria-label": "Attention heads, a layer per row",
  });
  grid.style.setProperty("--heads", String(weights[0].length));
  grid.append(column_names(weights[0].length));
  weights.forEach((layer, layer_index) => {
    const tiles = layer.map((map, head_index) => {
      const is_best = layer_index === best.layer && head_index === best.head;
      const place = { layer: layer_index, head: head_index };
      const thumb = /** @type {HTMLCanvasElement} */ (make("canvas", { class: "head-thumb" }));
      paint_map(thumb, map, theme, color_ceiling(state, map));
      return head_tile(place, thumb, scores.values[layer_index][head_index], is_best);
    });
    const name = make(
      "span",
      { class: "layer-name", role: "rowheader" },
      `Layer ${layer_index + 1}`,
    );
    grid.append(make("div", { class: "head-row", role: "row" }, name, ...tiles));
  });
  element.replaceChildren(grid);
}

/**
 * Marks the open head and makes it the grid's tab stop.
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_open_head(element, state) {
  for (const tile of tiles_of(element)) {
    const is_open = state.open !== null && is_at(tile, state.open);
    tile.setAttribute("aria-selected", String(is_open));
    tile.tabIndex = is_open ? 0 : -1;
  }
}

/** @param {HTMLElement} element */
export function focus_open_head(element) {
  tiles_of(element)
    .find((tile) => tile.tabIndex === 0)
    ?.focus();
}

/**
 * @param {HTMLElement} element
 * @returns {HTMLElement[]}
 */
export function tiles_of(element) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(".head-tile"))];
}

/**
 * The head that an event in the grid is about.
 * @param {EventTarget | null} target
 * @returns {HeadPlace | null}
 */
export function head_at(target) {
  const tile =
    target instanceof Element
      ? /** @type {HTMLElement | null} */ (target.closest(".head-tile"))
      : null;
  return tile === null
    ? null
    : { layer: Number(tile.dataset.layer), head: Number(tile.dataset.head) };
}

/**
 * @param {HTMLElement} tile
 * @param {HeadPlace} place
 */
function is_at(tile, place) {
  return Number(tile.dataset.layer) === place.layer && Number(tile.dataset.head) === place.head;
}

/**
 * @param {HeadPlace} place
 * @param {HTMLCanvasElement} thumb
 * @param {number} value
 * @param {boolean} is_best
 */
function head_tile(place, thumb, value, is_best) {
  const name = `Layer ${place.layer + 1}, head ${place.head + 1}`;
  return make(
    "div",
    {
      class: is_best ? "head-tile head-tile-best" : "head-tile",
      role: "gridcell",
      "data-layer": place.layer,
      "data-head": place.head,
      "aria-label": `${name}: ${percent(value, 0)}${is_best ? ", the strongest beyond habit" : ""}`,
      title: `${name}: ${percent(value)}`,
    },
    thumb,
    make("span", { class: "head-score", "aria-hidden": "true" }, percent(value, 0)),
  );
}

/** @param {number} num_heads */
function column_names(num_heads) {
  const names = Array.from({ length: num_heads }, (_, head) =>
    make("span", { class: "head-name" }, String(head + 1)),
  );
  return make(
    "div",
    { class: "head-row head-names", "aria-hidden": "true" },
    make("span", {}, "Head"),
    ...names,
  );
}
