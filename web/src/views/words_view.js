// @ts-check
// Does attention agree with effect? Both for each word, and how far their orders agree.

import { make, typed_text } from "../lib/dom.js";
import { percent, pushed, signed, tone_of } from "../lib/format.js";
import { tau_words } from "../lib/tau_words.js";
import { explanation_of } from "../state.js";
import { waiting_words } from "./square_view.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Explanation} Explanation */
/** @typedef {import("../types.js").ExplainedWord} ExplainedWord */

const MOST_WITHOUT_SCROLL = 12;

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_words(element, state) {
  const explained = explanation_of(state);
  element.dataset.old = String(explained?.is_old ?? false);
  if (explained === null || state.reading === null) {
    element.replaceChildren(make("p", { class: "lead" }, waiting_words(state)));
    return;
  }
  element.replaceChildren(
    agreement_line(explained.value),
    word_table(explained.value, state.reading.negators),
  );
}

/** @param {Explanation} explanation */
function agreement_line({ agreement }) {
  if (agreement.tau === null) {
    const why =
      agreement.reason === "too_short"
        ? "Fewer than 4 words: too short to say."
        : "The words’ ranks are tied: there is no order to compare.";
    return make("p", { id: "agreement" }, why);
  }
  return make(
    "p",
    { id: "agreement" },
    "Kendall’s ",
    make("strong", {}, `τ = ${signed(agreement.tau)}`),
    `: ${
      tau_words(agreement.tau)} between the order of the words by attention and their order by ` +
      "size of effect (1: the same, −1: reversed).",
  );
}

/**
 * @param {Explanation} explanation
 * @param {Set<number>} negators
 */
function word_table({ words, agreement }, negators) {
  const largest = Math.max(...words.map((each) => Math.abs(each.effect ?? 0)), 1e-9);
  const most = Math.max(...words.map((each) => each.attention), 1e-9);
  const rows = words.map((each) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, word_label(each, negators)),
      ...attention_cells(each, most),
      ...effect_cells(each, largest),
    ),
  );
  const head = (/** @type {string} */ text, /** @type {string} */ title) =>
    make("th", { scope: "col", colspan: 2, title }, text);
  const is_long = words.length > MOST_WITHOUT_SCROLL;
  const box = make(
    "div",
    {
      class: is_long ? "words-box is-long" : "words-box",
      tabindex: is_long ? 0 : false,
      role: "group",
      "aria-label": "Words",
    },
    make(
      "table",
      { class: "word-table" },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("th", { scope: "col" }, "Word"),
          head(
            "Attention it receives",
            `in layer ${agreement.layer + 1}, from the words, as a mean over heads`,
          ),
          head("What it adds to f", "f with the word less f without it"),
        ),
      ),
      make("tbody", {}, ...rows),
    ),
  );
  box.style.setProperty("--rows", String(words.length));
  return box;
}

/**
 * @param {ExplainedWord} word
 * @param {Set<number>} negators
 */
function word_label({ word, text }, negators) {
  return typed_text(text, { class: negators.has(word) ? "token token-negator" : "token" });
}

/**
 * @param {ExplainedWord} word
 * @param {number} most
 */
function attention_cells({ attention }, most) {
  const bar = make("span", { class: "word-bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(attention / most));
  return [
    make("td", { class: "word-bar-cell" }, bar),
    make("td", { class: "word-number" }, percent(attention)),
  ];
}

/**
 * @param {ExplainedWord} word
 * @param {number} largest
 */
function effect_cells({ effect }, largest) {
  const bar = make("span", { class: "word-effect", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.abs(effect ?? 0) / largest));
  bar.dataset.tone = tone_of(effect ?? 0);
  const number = make("span", { class: "effect" }, effect === null ? "–" : pushed(effect));
  number.dataset.tone = tone_of(effect ?? 0);
  return [
    make("td", { class: "word-bar-cell" }, bar),
    make("td", { class: "word-number" }, number),
  ];
}
