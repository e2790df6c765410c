// @ts-check
// Two sentences side by side: the answers, and what the same head does in each.

import { make, typed_text } from "../lib/dom.js";
import { percent, pushed, signed, tone_of } from "../lib/format.js";
import { shown_map_of, units_of } from "../lib/units.js";
import { map_form } from "../lib/layout.js";
import { verdict_of } from "../lib/verdict.js";
import { f_of } from "../reading.js";
import { explanation_of, shown_ceiling } from "../state.js";
import { head_name, map_box } from "./map_view.js";
import { marked_sentence, probability_scale } from "./result_view.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Reading} Reading */
/** @typedef {import("../types.js").ShownMap} ShownMap */

/**
 * The card with its field, made once; what is inside `#pair` follows the state.
 * @param {HTMLElement} element
 * @param {string} text
 */
export function make_second_card(element, text) {
  const field = /** @type {HTMLInputElement} */ (
    make("input", { id: "second-text", dir: "auto", autocomplete: "off" })
  );
  field.value = text;
  element.replaceChildren(
    make(
      "div",
      { class: "card-head" },
      make("h2", {}, make("label", { for: "second-text" }, "A second sentence")),
      make("button", { type: "button", class: "text-button", id: "second-end" }, "Close"),
    ),
    make(
      "form",
      { id: "second-form", class: "second-form" },
      field,
      make("button", { type: "submit", class: "main-button" }, "Compare"),
    ),
    make("p", { id: "second-message", role: "alert" }),
    make("div", { id: "second-ideas", class: "try-line" }),
    make("div", { id: "pair" }),
  );
  return field;
}

/**
 * Sentences of the explanation that are worth a comparison.
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_second_ideas(element, state) {
  const square = explanation_of(state)?.value.negation.cues[0]?.square;
  const runs = square
    ? [square.without.word, square.with.opposite, square.without.opposite]
    : [explanation_of(state)?.value.negation.flip];
  const texts = runs.flatMap((run) => (run ? [run.text] : []));
  element.replaceChildren(
    ...texts.map(
      (text) => make(
        "button", { type: "button", class: "small-button", "data-second": text }, typed_text(text)
      ),
    ),
  );
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_pair(element, state) {
  const second = state.second?.reading ?? null;
  if (state.reading === null || second === null) {
    element.replaceChildren();
    return;
  }
  const sides =
    [state.reading, second].map((reading) => ({ reading, shown: map_of(state, reading) }));
  const ceiling =
    Math.max(...sides.map(({ shown }) => (shown ? shown_ceiling(state, shown) : 0))) || 1;
  element.replaceChildren(
    difference_line(state.reading, second),
    make(
      "div",
      { class: "pair" },
      ...sides.map(({ reading, shown }) => side(state, reading, shown, ceiling)),
    ),
  );
}

/**
 * @param {State} state
 * @param {Reading} reading
 */
function map_of({ open, grouping, hides_special }, reading) {
  const map = open === null ? null : (reading.weights?.[open.layer]?.[open.head] ?? null);
  return map === null ? null : shown_map_of(map, units_of(reading, grouping), hides_special);
}

/**
 * @param {Reading} first
 * @param {Reading} second
 */
function difference_line(first, second) {
  const [a, b] = [f_of(first.answer.results[0]), f_of(second.answer.results[0])];
  if (a === null || b === null) return make("p", {});
  const number = make("strong", { class: "effect", id: "pair-difference" }, pushed(b - a));
  number.dataset.tone = tone_of(b - a);
  return make(
    "p", { class: "change" }, `From left to right f goes ${signed(a)} → ${signed(b)}: `, number
  );
}

/**
 * @param {State} state
 * @param {Reading} reading
 * @param {ShownMap | null} shown
 * @param {number} ceiling
 */
function side(state, reading, shown, ceiling) {
  const verdict = verdict_of(reading.answer.results[0]);
  const label = make("strong", { class: "effect" }, `${verdict.sign} ${verdict.headline}`);
  label.dataset.tone = verdict.tone;
  const sentence = marked_sentence(reading);
  sentence.removeAttribute("id");
  const parts = [
    sentence,
    make("p", {}, label, ` ${percent(verdict.score)}`),
    ...(verdict.positive === null ? [] : [probability_scale(verdict.positive, null)]),
  ];
  if (shown !== null && state.open !== null) {
    const name = head_name(state.open);
    const fits = map_form(shown.rows.length) !== "canvas";
    parts.push(
      make("p", { class: "lead" }, fits ? `${name}, in percent` : `${name}: too long to stand here`)
    );
    if (fits) parts.push(map_box(shown, state.theme, ceiling, name));
  }
  return make("div", { class: "pair-side", "data-tone": verdict.tone }, ...parts);
}
