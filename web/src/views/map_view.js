// @ts-check
// One head large: a table with numbers, one of smaller cells, or a canvas, by the token count.

import { by_id, make, typed_text } from "../lib/dom.js";
import { color_at, ink_on, to_css } from "../lib/color_scale.js";
import { percent } from "../lib/format.js";
import { map_form } from "../lib/layout.js";
import { token_label, token_title } from "../lib/words.js";
import { color_ceiling, open_map, shown_row } from "../state.js";
import { render_map_canvas, render_canvas_cursor } from "./map_canvas_view.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Reading} Reading */
/** @typedef {import("../types.js").Cell} Cell */

// What rounds to 0 % on the whole scale steps back, so that the rest stands out.
const FAINT_BELOW = 0.005;

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_map(element, state) {
  const map = open_map(state);
  if (map === null || state.reading === null || state.open === null) {
    element.replaceChildren();
    return;
  }
  const form = map_form(map.length);
  if (form === "canvas") {
    render_map_canvas(element, state, map);
    return;
  }
  const { reading } = state;
  const make_cell = cell_maker(state, color_ceiling(state, map), form === "numbers");
  const rows = map.map((row, index) =>
    make("tr", {}, token_header(reading, index, "row"), ...row.map(make_cell)),
  );
  const caption = `${head_name(state.open)}: rows look at columns, in percent`;
  const table = make(
    "table",
    { class: `map-table map-${form}`, role: "grid" },
    make("caption", { class: "visually-hidden" }, caption),
    make("thead", {}, column_headers(reading)),
    make("tbody", {}, ...rows),
  );
  const box = make("div", { class: "map-box" }, table);
  box.style.setProperty("--tokens", String(map.length));
  element.replaceChildren(box);
}

/**
 * Moves the marks of the pinned and the pointed row without building the map again.
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_map_cursor(element, state) {
  const table = element.querySelector("table");
  if (table === null) {
    render_canvas_cursor(element, state);
    return;
  }
  const row = shown_row(state);
  const column = state.point?.column ?? null;
  const is_tab_stop = (/** @type {number} */ r, /** @type {number} */ c) =>
    r === state.cursor.row && c === state.cursor.column;
  [...(table.tHead?.rows[0].cells ?? [])].forEach((cell, index) =>
    cell.classList.toggle("is-met", index - 1 === column),
  );
  [...table.tBodies[0].rows].forEach((line, r) => {
    line.classList.toggle("is-shown", r === row);
    line.setAttribute("aria-selected", String(r === state.cursor.row));
    [...line.cells].slice(1).forEach((cell, c) => {
      cell.classList.toggle("is-met", r === row && c === column);
      cell.tabIndex = is_tab_stop(r, c) ? 0 : -1;
    });
  });
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_map_title(element, state) {
  element.textContent = state.open === null ? "One head" : head_name(state.open);
}

/**
 * The pointed cell in words; without one, how to get there.
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_readout(element, state) {
  const map = open_map(state);
  if (map === null || state.reading === null) {
    element.textContent = "";
    return;
  }
  const { tokens } = state.reading;
  if (state.point === null || state.point.column < 0) {
    element.textContent = "Point at a cell; a click or Enter keeps its row.";
    return;
  }
  const { row, column } = state.point;
  const quoted = (/** @type {number} */ index) =>
    make("q", {}, typed_text(token_label(tokens, index)));
  element.replaceChildren(
    quoted(row),
    " gives ",
    quoted(column),
    " ",
    make("strong", {}, percent(map[row][column])),
  );
}

/**
 * The cell under an event in the table; a row's name counts as column -1.
 * @param {EventTarget | null} target
 * @returns {Cell | null}
 */
export function table_cell_at(target) {
  const cell = target instanceof Element ? target.closest("tbody td, tbody th") : null;
  const line = cell?.parentElement;
  if (!(cell instanceof HTMLTableCellElement) || !(line instanceof HTMLTableRowElement))
    return null;
  return { row: line.sectionRowIndex, column: cell.cellIndex - 1 };
}

/** @param {Cell} cell */
export function focus_table_cell(cell) {
  const table = by_id("map").querySelector("table");
  table?.tBodies[0].rows[cell.row]?.cells[cell.column + 1]?.focus();
}

/** @param {import("../types.js").HeadPlace} place */
export function head_name(place) {
  return `Layer ${place.layer + 1} · head ${place.head + 1}`;
}

/** @param {Reading} reading */
function column_headers(reading) {
  const corner = make("td", { class: "map-corner" }, make("span", {}, "from ↓ to →"));
  return make(
    "tr",
    {},
    corner,
    ...reading.tokens.map((_, index) => token_header(reading, index, "col")),
  );
}

/**
 * Gives the function that makes the cell of a share.
 * @param {State} state
 * @param {number} ceiling  the share that gets the last colour
 * @param {boolean} has_numbers
 */
function cell_maker(state, ceiling, has_numbers) {
  return (/** @type {number} */ share) => {
    const color = color_at(state.theme, share / ceiling);
    const cell = has_numbers
      ? make("td", {}, String(Math.round(100 * share)))
      : make("td", { "aria-label": percent(share) });
    cell.classList.toggle("is-faint", share / ceiling < FAINT_BELOW);
    cell.style.setProperty("--fill", to_css(color));
    cell.style.setProperty("--ink", to_css(ink_on(color)));
    return cell;
  };
}

/**
 * @param {Reading} reading
 * @param {number} index
 * @param {"row" | "col"} scope
 */
function token_header(reading, index, scope) {
  const token = reading.tokens[index];
  const is_negator = token.word !== null && reading.negators.has(token.word);
  const kind = token.special ? "token token-special" : is_negator ? "token token-negator" : "token";
  const label = typed_text(token_label(reading.tokens, index), { class: kind });
  return make("th", { scope, title: token_title(reading.tokens, reading.words, index) }, label);
}
