// @ts-check
// One head large: a table with numbers, one of smaller cells, or a canvas, by the token count.

import { by_id, make, typed_text } from "../lib/dom.js";
import { color_at, ink_on, to_css } from "../lib/color_scale.js";
import { percent } from "../lib/format.js";
import { map_form } from "../lib/layout.js";
import { shown_ceiling, shown_map, shown_row } from "../state.js";
import { render_map_canvas, render_canvas_cursor } from "./map_canvas_view.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Unit} Unit */
/** @typedef {import("../types.js").ShownMap} ShownMap */
/** @typedef {import("../types.js").Cell} Cell */

// What rounds to 0 % on the whole scale steps back, so that the rest stands out.
const FAINT_BELOW = 0.005;

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_map(element, state) {
  const shown = shown_map(state);
  if (shown === null || state.open === null) {
    const is_awaited = state.open !== null && state.reading?.weights;
    element.replaceChildren(
      ...(is_awaited ? [make("p", { class: "lead" }, "This map is on its way.")] : [])
    );
    return;
  }
  if (map_form(shown.rows.length) === "canvas" && !state.wants_table) {
    render_map_canvas(element, state, shown);
    return;
  }
  const ceiling = shown_ceiling(state, shown);
  element.replaceChildren(map_box(shown, state.theme, ceiling, head_name(state.open)));
}

/**
 * A map as a table: the same for the large head and for each side of a comparison.
 * @param {ShownMap} shown
 * @param {State["theme"]} theme
 * @param {number} ceiling  the share that gets the last colour
 * @param {string} name
 */
export function map_box(shown, theme, ceiling, name) {
  const form = map_form(shown.rows.length) === "numbers" ? "numbers" : "cells";
  const make_cell = cell_maker(theme, ceiling, form === "numbers");
  const rows = shown.values.map(
    (row, index) => make(
      "tr",
      {},
      unit_header(shown.rows[index], "row"),
      ...row.map((share, column) => make_cell(share, shown.columns[column].kind))
    ),
  );
  const table = make(
    "table",
    { class: `map-table map-${form}`, role: "grid" },
    make("caption", { class: "visually-hidden" }, `${name}: rows look at columns, in percent`),
    make("thead", {}, column_headers(shown)),
    make("tbody", {}, ...rows),
  );
  const box = make("div", { class: "map-box" }, table);
  box.style.setProperty("--tokens", String(shown.columns.length));
  return box;
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
  const shown = shown_map(state);
  if (shown === null) {
    element.textContent = "";
    return;
  }
  const { row, column } = state.point ?? { row: -1, column: -1 };
  const share = shown.values[row]?.[column];
  if (share === undefined) {
    element.textContent = "Point at a cell; a click or Enter keeps its row.";
    return;
  }
  element.replaceChildren(
    make("q", {}, typed_text(shown.rows[row].label)),
    " gives ",
    make("q", {}, typed_text(shown.columns[column].label)),
    " ",
    make("strong", {}, percent(share)),
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

/**
 * A unit's label, marked for what it is.
 * @param {Unit} unit
 */
export function unit_label(unit) {
  const kind = unit.kind === "word" ? "token" : `token token-${unit.kind}`;
  return typed_text(unit.label, { class: kind, title: unit.title });
}

/** @param {ShownMap} shown */
function column_headers(shown) {
  const corner = make("td", { class: "map-corner" }, make("span", {}, "from ↓ to →"));
  return make("tr", {}, corner, ...shown.columns.map((unit) => unit_header(unit, "col")));
}

/**
 * Gives the function that makes the cell of a share.
 * @param {State["theme"]} theme
 * @param {number} ceiling  the share that gets the last colour
 * @param {boolean} has_numbers
 */
function cell_maker(theme, ceiling, has_numbers) {
  return (/** @type {number} */ share, /** @type {Unit["kind"]} */ kind) => {
    const color = color_at(theme, share / ceiling);
    const cell = has_numbers
      ? make("td", {}, String(Math.round(100 * share)))
      : make("td", { "aria-label": percent(share) });
    if (kind === "hidden") {
      cell.classList.add("is-hidden");
      return cell;
    }
    cell.classList.toggle("is-faint", share / ceiling < FAINT_BELOW);
    cell.style.setProperty("--fill", to_css(color));
    cell.style.setProperty("--ink", to_css(ink_on(color)));
    return cell;
  };
}

/**
 * @param {Unit} unit
 * @param {"row" | "col"} scope
 */
function unit_header(unit, scope) {
  return make("th", { scope }, unit_label(unit));
}
