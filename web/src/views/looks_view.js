// @ts-check
// The shown row of the large map as a list, largest share first; the last line makes it 100 %.

import { make, typed_text } from "../lib/dom.js";
import { percent } from "../lib/format.js";
import { ranked_columns } from "../lib/head_scores.js";
import { list_length } from "../lib/layout.js";
import { shown_map, shown_row } from "../state.js";
import { unit_label } from "./map_view.js";

/** @typedef {import("../types.js").State} State */

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_looks(element, state) {
  const shown = shown_map(state);
  const row = shown?.values[shown_row(state)];
  if (shown === null || row === undefined) {
    element.replaceChildren();
    return;
  }
  const listed = ranked_columns(row, list_length(row.length));
  const items = listed.map((column) => look_item(unit_label(shown.columns[column]), row[column]));
  const num_rest = row.length - listed.length;
  if (num_rest > 0) {
    const rest =
      row.reduce((sum, share) => sum + share, 0) -
      listed.reduce((sum, column) => sum + row[column], 0);
    items.push(
      look_item(make("span", { class: "look-rest" }, `${num_rest} others`), Math.max(0, rest)),
    );
  }
  element.replaceChildren(make("ol", { class: "look-list" }, ...items));
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_looks_title(element, state) {
  const unit = shown_map(state)?.rows[shown_row(state)];
  if (unit === undefined) {
    element.textContent = "Where it looks";
    return;
  }
  element.replaceChildren(make("q", {}, typed_text(unit.label)), " looks at");
}

/**
 * @param {HTMLElement} name
 * @param {number} share
 */
function look_item(name, share) {
  const bar = make("span", { class: "look-bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(share));
  return make(
    "li",
    {},
    make("span", { class: "look-name" }, name),
    bar,
    make("span", { class: "look-share" }, percent(share)),
  );
}
