// @ts-check
// The answer first: label, probability, the marked sentence, and what the experiments changed.

import { by_id, make, typed_text } from "../lib/dom.js";
import { counted, milliseconds, percent, pushed, signed, tone_of } from "../lib/format.js";
import { verdict_of } from "../lib/verdict.js";
import { segments_of } from "../lib/words.js";
import { f_of } from "../reading.js";
import { is_stale } from "../state.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Reading} Reading */
/** @typedef {import("../types.js").Explanation} Explanation */
/** @typedef {import("../lib/verdict.js").Verdict} Verdict */

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_result(element, state) {
  const { reading, base } = state;
  if (reading === null) {
    element.replaceChildren(
      make("p", { class: "lead" }, "The answer to your sentence appears here."),
    );
    return;
  }
  const verdict = verdict_of(reading.answer.results[0]);
  element.dataset.tone = verdict.tone;
  element.dataset.stale = String(is_stale(state));
  element.replaceChildren(
    verdict_line(verdict),
    ...(verdict.positive === null ? [] : [probability_scale(verdict.positive, base_share(state))]),
    ...(reading.experiments.length > 0 && base !== null ? [change_line(base, reading)] : []),
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
 * The result in words, for the status line that screen readers speak.
 * @param {Reading} reading
 */
export function result_sentence(reading) {
  const under = reading.experiments.length > 0 ? "With the experiment: " : "";
  const verdict = verdict_of(reading.answer.results[0]);
  if (verdict.tone !== "undecided")
    return `${under}${verdict.headline}, ${percent(verdict.score)}.`;
  return `${under}Undecided: ${percent(verdict.positive ?? 0)} positive.`;
}

/**
 * What the explanation adds to that; empty where there is no negation word.
 * @param {Explanation} explanation
 */
export function without_sentence(explanation) {
  const cue = explanation.negation.cues.find((each) => each.square !== null);
  const run = cue?.square?.without.word;
  if (cue === undefined || run === undefined) return "";
  return `Without “${cue.text}”: ${run.label}, ${percent(run.score)}.`;
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
 * The bar grows from the 50 % mark towards the side that the model takes; where an experiment is
 * on, a mark stays at the answer without it.
 * @param {number} positive
 * @param {number | null} before
 */
export function probability_scale(positive, before) {
  const fill = make("div", { class: "scale-fill" });
  fill.style.setProperty("--from", String(Math.min(positive, 0.5)));
  fill.style.setProperty("--to", String(Math.max(positive, 0.5)));
  const mark = make("div", { class: "scale-before" });
  mark.style.setProperty("--at", String(before ?? 0));
  const was = before === null ? "" : `, without the experiments ${percent(before)}`;
  const label = `Probability of positive: ${percent(positive)}${was}`;
  return make(
    "div",
    { class: "scale-box" },
    make(
      "div",
      { class: "scale", role: "img", "aria-label": label },
      fill,
      make("div", { class: "scale-middle" }),
      ...(before === null ? [] : [mark]),
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

/** @param {State} state */
function base_share({ base, reading }) {
  if (base === null || reading === null || reading.experiments.length === 0) return null;
  return verdict_of(base.answer.results[0]).positive;
}

/**
 * @param {Reading} base
 * @param {Reading} reading
 */
function change_line(base, reading) {
  const before = verdict_of(base.answer.results[0]);
  const [f_before, f_after] = [f_of(base.answer.results[0]), f_of(reading.answer.results[0])];
  const words = [
    "Before: ",
    make("strong", {}, `${before.sign} ${before.headline} ${percent(before.score)}`),
  ];
  if (f_before === null || f_after === null) return make("p", { class: "change" }, ...words);
  const change = f_after - f_before;
  // Two close numbers may round apart: a change that says 0.00 would contradict them.
  const digits = Math.abs(change) < 0.01 ? 3 : 2;
  const number = make("strong", { class: "effect", id: "change-of-f" }, pushed(change, digits));
  number.dataset.tone = tone_of(change);
  return make(
    "p",
    { class: "change" },
    ...words,
    ". ",
    make("i", {}, "f"),
    ` ${signed(f_before)} → ${signed(f_after)}, change `,
    number,
  );
}

/** @param {Reading} reading */
export function marked_sentence(reading) {
  const parts = segments_of(reading.text, reading.words, reading.negators, reading.scope).map(
    (segment) => {
      if (segment.is_negator) return negator_chip(segment.text);
      return segment.is_scope ? make("span", { class: "scope" }, segment.text) : segment.text;
    },
  );
  return make("p", { class: "sentence", id: "words", dir: "auto" }, ...parts);
}

/** @param {string} text */
export function negator_chip(text) {
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
  const source = negation.source === "model" ? "found by the model" : "found by a word list";
  const scope = reading.scope.size > 0 ? "; dashed: the words that it acts on" : "";
  return `¬ marks a negation word, ${source}${scope}.`;
}

/** @param {Reading} reading */
function measurements(reading) {
  const { token_count } = reading.answer.results[0];
  const f = f_of(reading.answer.results[0]);
  const facts = [counted(token_count, "token")];
  if (f !== null) facts.push(`f = z(pos) − z(neg) = ${signed(f)}`);
  const time = reading.answer.timings_us?.total;
  if (time !== undefined) facts.push(`answered in ${milliseconds(time)}`);
  return facts.join(" · ");
}
