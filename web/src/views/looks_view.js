// @ts-check
// The shown row of the large map as a list, largest share first; the last line makes it 100 %.

import { make, typed_text } from "../lib/dom.js";
import { percent } from "../lib/format.js";
import { ranked_columns } from "../lib/head_scores.js";
import { list_length } from "../lib/layout.js";
import { token_label, token_title } from "../lib/words.js";
import { open_map, shown_row } from "../state.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Reading} Reading */

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_looks(element, state) {
  const row = open_map(state)?.[shown_row(state)];
  if (row === undefined || state.reading === null) {
    element.replaceChildren();
    return;
  }
  const { reading } = state;
  const listed = ranked_columns(row, list_length(row.length));
  const items = listed.map((column) => look_item(token_name(reading, column), row[column]));
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
  if (state.reading === null || open_map(state) === null) {
    element.textContent = "Where it looks";
    return;
  }
  const label = token_label(state.reading.tokens, shown_row(state));
  element.replaceChildren(make("q", {}, typed_text(label)), " looks at");
}

/**
 * @param {Reading} reading
 * @param {number} index
 */
function token_name(reading, index) {
  const token = reading.tokens[index];
  const is_negator = token.word !== null && reading.negators.has(token.word);
  const kind = token.special ? "token token-special" : is_negator ? "token token-negator" : "token";
  return typed_text(token_label(reading.tokens, index), {
    class: kind,
    title: token_title(reading.tokens, reading.words, index),
  });
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
