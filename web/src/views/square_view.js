// @ts-check
// What the negation word does: four runs of the model, and whether they cross.

import { make, typed_text } from "../lib/dom.js";
import { percent, pushed, signed, tone_of } from "../lib/format.js";
import { negated_forms } from "../lib/negated_forms.js";
import { run_tone } from "../lib/verdict.js";
import { explanation_of } from "../state.js";
import { crossing_plot } from "./crossing_plot.js";
import { negator_chip } from "./result_view.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").ExplainedCue} ExplainedCue */
/** @typedef {import("../types.js").Explanation} Explanation */
/** @typedef {import("../types.js").Run} Run */

// A smaller effect on f than this is nothing to speak of.
const MOVES_FROM = 0.1;

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_square_title(element, state) {
  const cue = shown_cue(state);
  if (cue === null) {
    element.textContent = "What does negation do?";
    return;
  }
  element.replaceChildren("What does ", make("q", {}, typed_text(cue.text)), " do?");
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_square(element, state) {
  const explained = explanation_of(state);
  element.dataset.old = String(explained?.is_old ?? false);
  element.setAttribute("aria-busy", String(state.is_explaining));
  if (explained === null) {
    const has_failed = !state.is_explaining && state.explanation_gap !== "";
    element.dataset.awaited = String(!has_failed && state.reading?.negators.size !== 0);
    element.replaceChildren(
      make("p", { class: "lead" }, waiting_words(state)),
      ...(has_failed && !state.is_gap_lasting ? [again_button()] : []),
    );
    return;
  }
  element.dataset.awaited = "false";
  const cue = shown_cue(state);
  if (cue === null) {
    element.replaceChildren(...no_cue(state), flip_line(explained.value));
    return;
  }
  element.replaceChildren(
    ...(explained.value.negation.cues.length > 1 ? [cue_choice(explained.value, state.cue)] : []),
    ...(cue.square === null ? [no_square(cue)] : square_parts(cue)),
    flip_line(explained.value),
  );
}

function again_button() {
  return make(
    "button", { type: "button", class: "quiet-button", id: "explain-again" }, "Try again"
  );
}

/** @param {State} state */
export function waiting_words(state) {
  if (state.is_explaining) return "Running the model with each word and each head left out …";
  return state.explanation_gap || "This comes with your first answer.";
}

/**
 * @param {State} state
 * @returns {ExplainedCue | null}
 */
function shown_cue(state) {
  const cues = explanation_of(state)?.value.negation.cues ?? [];
  return cues[state.cue] ?? cues[0] ?? null;
}

/**
 * @param {Explanation} explanation
 * @param {number} chosen
 */
function cue_choice(explanation, chosen) {
  const buttons = explanation.negation.cues.map((cue, index) =>
    make(
      "button",
      {
        type: "button",
        class: "small-button",
        "data-cue": index,
        "aria-pressed": String(index === chosen),
      },
      typed_text(cue.text),
    ),
  );
  return make("div", { class: "cue-choice" }, make("span", {}, "Negation word:"), ...buttons);
}

/** @param {State} state */
function no_cue(state) {
  const buttons = negated_forms(state.reading?.text ?? "").map((text) =>
    make("button", { type: "button", class: "quiet-button", "data-try": text }, typed_text(text)),
  );
  return [
    make("p", {}, "No negation word found. ", buttons.length > 0 ? "Add one:" : ""),
    make("p", { class: "try-line" }, ...buttons),
  ];
}

/** @param {ExplainedCue} cue */
function no_square(cue) {
  return make("p", {}, "Nothing is left to compare without ", negator_chip(cue.text), ".");
}

/** @param {ExplainedCue} cue */
function square_parts(cue) {
  const square = /** @type {NonNullable<ExplainedCue["square"]>} */ (cue.square);
  const columns = [
    {
      name: cue.target?.text ?? "the sentence",
      with: square.with.word,
      without: square.without.word,
    },
  ];
  if (square.with.opposite !== null && square.without.opposite !== null)
    columns.push({
      name: square.with.opposite.word,
      with: square.with.opposite,
      without: square.without.opposite,
    });
  /** @type {Element[]} */
  const parts = [square_table(cue, columns)];
  if (columns.length > 1) parts.push(crossing_plot(cue.text, columns));
  parts.push(finding(cue, columns));
  return [make("div", { class: "square" }, ...parts)];
}

/** @typedef {{name: string, with: Run, without: Run}} SquareColumn */

/**
 * @param {ExplainedCue} cue
 * @param {SquareColumn[]} columns
 */
function square_table(cue, columns) {
  const heads = columns.map(({ name }) =>
    make("th", { scope: "col" }, make("q", {}, typed_text(name))),
  );
  const row = (/** @type {Node[]} */ name, /** @type {HTMLElement[]} */ cells) =>
    make("tr", {}, make("th", { scope: "row" }, ...name), ...cells);
  const without = make("s", {}, typed_text(cue.text));
  return make(
    "table",
    { class: "square-table" },
    make("caption", { class: "visually-hidden" }, `The model with and without “${cue.text}”`),
    make("thead", {}, make("tr", {}, make("td", {}), ...heads)),
    make(
      "tbody",
      {},
      row([negator_chip(cue.text)], columns.map((column) => run_cell(column.with))),
      row([without], columns.map((column) => run_cell(column.without))),
      row([document.createTextNode("effect")], columns.map(effect_cell)),
    ),
  );
}

/** @param {Run} run */
function run_cell(run) {
  const { sign, word, tone } = run_tone(run);
  const label = make("strong", { class: "effect" }, `${sign} ${word}`);
  label.dataset.tone = tone;
  return make(
    "td",
    { title: run.text },
    make("span", { class: "run" }, label, make("span", {}, run_share(run, tone))),
    make("span", { class: "run-f fine" }, `f ${signed(run.f)}`),
  );
}

/**
 * The probability of the label that stands before it; of positive where none does.
 * @param {Run} run
 * @param {string} tone
 */
function run_share(run, tone) {
  return tone === "undecided" ? `${percent(run.positive)} positive` : percent(run.score);
}

/** @param {SquareColumn} column */
function effect_cell(column) {
  const effect = column.with.f - column.without.f;
  const number = make("strong", { class: "effect" }, pushed(effect));
  number.dataset.tone = tone_of(effect);
  const flips = column.with.label !== column.without.label;
  return make(
    "td",
    {},
    make(
      "span", { class: "run" }, number, make("span", { class: "fine" }, flips ? "flips" : "no flip")
    ),
  );
}

/**
 * @param {ExplainedCue} cue
 * @param {SquareColumn[]} columns
 */
function finding(cue, columns) {
  const [own, other] = columns;
  const effect = own.with.f - own.without.f;
  const flips = own.with.label !== own.without.label;
  const name = (/** @type {string} */ text) => make("q", {}, typed_text(text));
  const moves = Math.abs(effect) >= MOVES_FROM;
  const first = flips
    ? [" flips ", name(own.name), `: from ${own.without.label} to ${own.with.label}.`]
    : [moves ? " moves the answer, but does not flip it." : " does nothing here."];
  const lines = [make("p", { class: "finding" }, name(cue.text), ...first)];
  if (other !== undefined && cue.interaction !== null) {
    const other_effect = other.with.f - other.without.f;
    lines.push(
      make(
        "p",
        {},
        "Interaction ",
        make("strong", { id: "interaction" }, signed(cue.interaction)),
        ": ",
        name(cue.text),
        ` adds ${signed(effect)} beside `,
        name(own.name),
        ` and ${signed(other_effect)} beside `,
        name(other.name),
        ". A model that only adds up word scores would show 0.",
      ),
    );
  } else if (other === undefined) {
    lines.push(
      make("p", { class: "fine" }, "No opposite of ", name(own.name), " is in the service’s list."),
    );
  }
  return make("div", { class: "findings" }, ...lines);
}

/** @param {Explanation} explanation */
function flip_line(explanation) {
  const { flip } = explanation.negation;
  if (flip === null)
    return make(
      "p",
      { class: "flip", id: "flip" },
      "No single word, negation word or opposite changes the label when it is taken out or put in.",
    );
  const how = flip.edit === "delete" ? "Leave out" : "Swap";
  const words = flip.words.map((word) => explanation.words[word]?.text ?? "").join(" ");
  return make(
    "p",
    { class: "flip", id: "flip" },
    "Smallest edit that changes the label: ",
    `${how.toLowerCase()} `,
    make("q", {}, typed_text(words)),
    ". ",
    make(
      "button",
      { type: "button", class: "text-button", "data-try": flip.text },
      typed_text(flip.text)
    ),
    ` is ${flip.label}, ${percent(flip.score)}.`,
  );
}
