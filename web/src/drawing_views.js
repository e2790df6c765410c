// @ts-check
// Which view draws where, and from which parts of the state.

import { by_id } from "./lib/dom.js";
import { remember_focus } from "./lib/focus.js";
import { map_place } from "./lib/layout.js";
import { is_stale, shown_row } from "./state.js";
import { render_experiments } from "./views/experiments_view.js";
import { render_facts, render_model_line, render_theme_switch } from "./views/facts_view.js";
import {
  render_definition,
  render_head_ways,
  render_heads_lead,
} from "./views/head_choice_view.js";
import {
  render_head_finding,
  render_head_tools,
  render_map_switches,
} from "./views/head_tools_view.js";
import { render_heads, render_open_head } from "./views/heads_view.js";
import { render_legend } from "./views/legend_view.js";
import { render_looks, render_looks_title } from "./views/looks_view.js";
import {
  render_map,
  render_map_cursor,
  render_map_title,
  render_readout,
} from "./views/map_view.js";
import { render_result } from "./views/result_view.js";
import { render_message, render_notice, render_token_count } from "./views/sentence_view.js";
import { render_shapes } from "./views/shapes_view.js";
import { render_square, render_square_title } from "./views/square_view.js";
import { render_words } from "./views/words_view.js";

/** @typedef {import("./types.js").State} State */

/**
 * Each view, with the parts of the state that it is drawn from: it runs when one of them changes.
 * @type {{
 *   id: string,
 *   render: (element: HTMLElement, state: State) => void,
 *   parts: (state: State) => unknown[],
 * }[]}
 */
const VIEWS = [
  { id: "page", render: render_page, parts: (s) => [s.reading, s.is_busy] },
  { id: "facts", render: render_facts, parts: (s) => [s.info] },
  { id: "model-line", render: render_model_line, parts: (s) => [s.info] },
  { id: "theme-switch", render: render_theme_switch, parts: (s) => [s.theme] },
  {
    id: "token-count",
    render: render_token_count,
    parts: (s) => [s.reading, s.info, s.is_slow, is_stale(s)],
  },
  { id: "message", render: render_message, parts: (s) => [s.message] },
  { id: "notice", render: render_notice, parts: (s) => [s.notice] },
  { id: "result", render: render_result, parts: (s) => [s.reading, s.base, is_stale(s)] },
  { id: "experiments", render: render_experiments, parts: (s) => [s.reading, s.experiments] },
  { id: "square-title", render: render_square_title, parts: (s) => [s.cue, ...explained_parts(s)] },
  { id: "square", render: render_square, parts: (s) => [s.cue, ...explained_parts(s)] },
  { id: "heads-lead", render: render_heads_lead, parts: (s) => [s.reading, s.order] },
  {
    id: "head-ways",
    render: render_head_ways,
    parts: (s) => [s.open, s.info, ...explained_parts(s)],
  },
  {
    id: "heads",
    render: render_heads,
    parts: (s) => [s.theme, s.scale, s.order, ...explained_parts(s)],
  },
  {
    id: "heads",
    render: render_open_head,
    parts: (s) => [s.theme, s.scale, s.order, s.open, ...explained_parts(s)],
  },
  { id: "head-order", render: render_order, parts: (s) => [s.order] },
  { id: "definition", render: render_definition, parts: (s) => [s.reading, s.info] },
  { id: "map-title", render: render_map_title, parts: (s) => [s.open] },
  {
    id: "head-finding",
    render: render_head_finding,
    parts: (s) => [s.open, ...explained_parts(s)],
  },
  {
    id: "head-tools",
    render: render_head_tools,
    parts: (s) => [s.experiments, s.cursor, ...map_parts(s)],
  },
  { id: "map-switches", render: render_map_switches, parts: map_parts },
  { id: "map", render: render_map, parts: map_parts },
  {
    id: "map",
    render: render_map_cursor,
    parts: (s) => [s.cursor, s.point, ...map_parts(s)],
  },
  { id: "readout", render: render_readout, parts: (s) => [s.point, ...map_parts(s)] },
  { id: "legend", render: render_legend, parts: map_parts },
  {
    id: "looks-title",
    render: render_looks_title,
    parts: (s) => [shown_row(s), ...map_parts(s)],
  },
  { id: "looks", render: render_looks, parts: (s) => [shown_row(s), ...map_parts(s)] },
  { id: "words-effect", render: render_words, parts: explained_parts },
  { id: "shapes", render: render_shapes, parts: (s) => [s.reading, s.info] },
];

/** @param {State} s */
function explained_parts(s) {
  return [s.reading, s.explanation, s.explanation_gap, s.is_explaining];
}

/** @param {State} s */
function map_parts(s) {
  return [s.reading, s.open, s.theme, s.scale, s.grouping, s.hides_special, s.wants_table];
}

/**
 * Returns what draws all that has changed. Drawing may move the focus, which may change the state:
 * then once more.
 * @param {() => State} current_state
 */
export function create_drawer(current_state) {
  /** @type {unknown[][]} */
  const drawn_parts = VIEWS.map(() => []);
  let is_drawing = false;

  /** @param {State} state */
  function draw_views(state) {
    VIEWS.forEach((view, index) => {
      const parts = view.parts(state);
      const drawn = drawn_parts[index];
      const is_drawn =
        parts.length === drawn.length && parts.every((part, i) => part === drawn[i]);
      if (is_drawn) return;
      drawn_parts[index] = parts;
      view.render(by_id(view.id), state);
    });
  }

  return function draw() {
    if (is_drawing) return;
    is_drawing = true;
    const restore_focus = remember_focus();
    let state;
    do {
      state = current_state();
      draw_views(state);
    } while (state !== current_state());
    is_drawing = false;
    restore_focus();
  };
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
function render_page(element, state) {
  const { reading } = state;
  element.dataset.mapPlace = map_place(reading?.tokens.length ?? 0);
  element.dataset.maps = String(reading === null || reading.weights !== null);
  element.setAttribute("aria-busy", String(state.is_busy));
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
function render_order(element, state) {
  /** @type {HTMLSelectElement} */ (element).value = state.order;
}
