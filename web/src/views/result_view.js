// @ts-check
// The answer first: label, probability, and the sentence with its negation words marked.

import { by_id, make, typed_text } from "../lib/dom.js";
import { counted, milliseconds, percent, signed } from "../lib/format.js";
import { verdict_of } from "../lib/verdict.js";
import { segments_of } from "../lib/words.js";
import { is_stale } from "../state.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Reading} Reading */
/** @typedef {import("../lib/verdict.js").Verdict} Verdict */

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_result(element, state) {
  const { reading } = state;
  if (reading === null) {
    element.replaceChildren(
      make("p", { class: "lead" }, "The answer to your sentence appears here."),
    );
    return;
  }
  const result = reading.answer.results[0];
  const verdict = verdict_of(result);
  element.dataset.tone = verdict.tone;
  element.dataset.stale = String(is_stale(state));
  element.replaceChildren(
    verdict_line(verdict),
    ...(verdict.positive === null ? [] : [probability_scale(verdict.positive)]),
    marked_sentence(reading),
    make("p", { class: "fine" }, negation_note(reading)),
    make(
      "p",
      { class: "fine" },
      is_stale(state) ? "Your edit is not classified yet." : measurements(reading),
    ),
  );
  make_scrollable(by_id("words"));
}

/**
 * A long sentence scrolls in its box, so the keyboard must reach it.
 * @param {HTMLElement} sentence
 */
function make_scrollable(sentence) {
  if (sentence.scrollHeight > sentence.clientHeight) sentence.tabIndex = 0;
}

/**
 * The result as one sentence, for the status line that screen readers speak.
 * @param {Reading} reading
 */
export function result_sentence(reading) {
  const verdict = verdict_of(reading.answer.results[0]);
  if (verdict.tone !== "undecided") return `${verdict.headline}, ${percent(verdict.score)}.`;
  return `Undecided: ${percent(verdict.positive ?? 0)} positive.`;
}

/** @param {Verdict} verdict */
function verdict_line(verdict) {
  const number =
    verdict.tone === "undecided"
      ? `${percent(verdict.positive ?? 0)} positive`
      : percent(verdict.score);
  return make(
    "p",
    { class: "verdict" },
    make("span", { class: "verdict-sign", "aria-hidden": "true" }, verdict.sign),
    make("strong", { id: "label" }, verdict.headline),
    make("span", { class: "verdict-score", id: "score" }, number),
  );
}

/**
 * The bar grows from the 50 % mark towards the side that the model takes.
 * @param {number} positive
 */
function probability_scale(positive) {
  const fill = make("div", { class: "scale-fill" });
  fill.style.setProperty("--from", String(Math.min(positive, 0.5)));
  fill.style.setProperty("--to", String(Math.max(positive, 0.5)));
  const label = `Probability of positive: ${percent(positive)}`;
  return make(
    "div",
    { class: "scale-box" },
    make(
      "div",
      { class: "scale", role: "img", "aria-label": label },
      fill,
      make("div", { class: "scale-middle" }),
    ),
    make(
      "div",
      { class: "scale-ends", "aria-hidden": "true" },
      make("span", {}, "negative"),
      make("span", {}, percent(0.5, 0)),
      make("span", {}, "positive"),
    ),
  );
}

/** @param {Reading} reading */
function marked_sentence(reading) {
  const parts = segments_of(reading.text, reading.words, reading.negators).map((segment) =>
    segment.is_negator ? negator_chip(segment.text) : segment.text,
  );
  return make("p", { class: "sentence", id: "words", dir: "auto" }, ...parts);
}

/** @param {string} text */
function negator_chip(text) {
  const mark = make("mark", { class: "negator" });
  mark.append(
    make("span", { class: "negator-sign", "aria-hidden": "true" }, "¬"),
    make("span", { class: "visually-hidden" }, "negation: "),
    typed_text(text),
  );
  return mark;
}

/** @param {Reading} reading */
function negation_note(reading) {
  const negation = reading.answer.results[0].negation;
  if (negation === undefined || reading.negators.size === 0) return "No negation word found.";
  const source = negation.source === "list" ? "found by a word list" : "found by the model";
  return `¬ marks a negation word, ${source}.`;
}

/** @param {Reading} reading */
function measurements(reading) {
  const { logits, token_count } = reading.answer.results[0];
  const facts = [counted(token_count, "token")];
  if (logits?.positive !== undefined && logits.negative !== undefined) {
    facts.push(`logits ${signed(logits.positive)} positive, ${signed(logits.negative)} negative`);
  }
  const time = reading.answer.timings_us?.total;
  if (time !== undefined) facts.push(`answered in ${milliseconds(time)}`);
  return facts.join(" · ");
}
