// @ts-check
// A small map per head with two numbers: what it looks at, and what it does.

import { make } from "../lib/dom.js";
import { percent, pushed_short, signed, tone_of } from "../lib/format.js";
import { KINDS, head_facts, ordered } from "../lib/head_facts.js";
import { pooled } from "../lib/layout.js";
import { paint_map } from "../lib/paint.js";
import { color_ceiling, explanation_of } from "../state.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").HeadPlace} HeadPlace */
/** @typedef {import("../lib/head_facts.js").HeadFacts} HeadFacts */

// The least width that a small map gets.
const THUMB_PIXELS = 42;

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_heads(element, state) {
  const { reading, order } = state;
  if (reading === null || reading.weights === null) {
    element.replaceChildren();
    return;
  }
  const explained = explanation_of(state);
  const facts = ordered(head_facts(reading, explained?.value ?? null), order);
  const num_heads = reading.weights[0].length;
  const grid = make("div", {
    class: "head-grid",
    role: "grid",
    "aria-label": "Attention heads",
    "data-order": order,
    "data-old": explained?.is_old ?? false,
  });
  grid.style.setProperty("--heads", String(num_heads));
  if (order === "position") grid.append(column_names(num_heads));
  for (let start = 0; start < facts.length; start += num_heads) {
    const tiles = facts.slice(start, start + num_heads).map((each) => head_tile(state, each));
    const name =
      order === "position"
        ? `Layer ${facts[start].layer + 1}`
        : `${start + 1}–${Math.min(start + num_heads, facts.length)}`;
    const row_name = make("span", { class: "layer-name", role: "rowheader" }, name);
    grid.append(make("div", { class: "head-row", role: "row" }, row_name, ...tiles));
  }
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

/**
 * In the order of the screen.
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
 * @param {State} state
 * @param {HeadFacts} facts
 */
function head_tile(state, facts) {
  const { layer, head, attention, kind } = facts;
  const effect = state.order === "negation" ? facts.negation_effect : facts.effect;
  const change = state.reading?.experiments.find(
    (each) => each.kind !== "cut" && each.layer === layer && each.head === head,
  );
  const number =
    make("span", { class: "head-effect" }, effect === null ? "·" : pushed_short(effect));
  if (effect !== null) number.dataset.tone = tone_of(effect);
  const share = attention === null ? "" : percent(attention, 0);
  const sign = kind === null ? "" : KINDS[kind].sign;
  const is_ranked = state.order !== "position";
  const words = tile_words(state, facts, change?.kind);
  return make(
    "div",
    {
      class: "head-tile",
      role: "gridcell",
      "data-layer": layer,
      "data-head": head,
      "data-change": change?.kind ?? false,
      title: words,
    },
    make("span", { class: "visually-hidden" }, words),
    thumbnail(state, facts),
    ...(is_ranked ? [score("head-place", `${sign} ${layer + 1}·${head + 1}`)] : []),
    score("", is_ranked ? share : `${sign} ${share}`.trim()),
    make("span", { class: "head-score", "aria-hidden": "true" }, number),
  );
}

/**
 * @param {string} kind
 * @param {string} text
 */
function score(kind, text) {
  return make("span", { class: `head-score ${kind}`.trim(), "aria-hidden": "true" }, text);
}

/**
 * @param {State} state
 * @param {HeadPlace} place
 */
function thumbnail(state, { layer, head }) {
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas", { class: "head-thumb" }));
  const map = state.reading?.weights?.[layer][head] ?? null;
  if (map === null) return canvas;
  paint_map(canvas, pooled(map, THUMB_PIXELS), state.theme, color_ceiling(state, map));
  return canvas;
}

/**
 * @param {State} state
 * @param {HeadFacts} facts
 * @param {string | undefined} change
 */
function tile_words(state, facts, change) {
  const parts = [`Layer ${facts.layer + 1}, head ${facts.head + 1}`];
  if (facts.attention !== null) parts.push(`attention ${percent(facts.attention, 0)}`);
  if (facts.effect !== null) parts.push(`effect on f ${signed(facts.effect)}`);
  if (facts.negation_effect !== null && state.order === "negation")
    parts.push(`of it through negation ${signed(facts.negation_effect)}`);
  if (facts.kind !== null) parts.push(`${facts.kind}: ${KINDS[facts.kind].meaning}`);
  if (change !== undefined) parts.push(change === "off" ? "switched off" : "made uniform");
  return `${parts[0]}: ${parts.slice(1).join(", ")}`;
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
