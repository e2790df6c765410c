// @ts-check
// What the numbers under each small map are, the order of the maps, and the way to the heads that
// count.

import { make, typed_text } from "../lib/dom.js";
import { KINDS, head_facts, strongest } from "../lib/head_facts.js";
import { pushed } from "../lib/format.js";
import { explanation_of, first_head } from "../state.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").HeadPlace} HeadPlace */
/** @typedef {import("../types.js").Reading} Reading */

/**
 * The numbers in words.
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_heads_lead(element, state) {
  const { reading } = state;
  if (reading === null) {
    element.replaceChildren();
    return;
  }
  if (reading.gap !== "") {
    element.replaceChildren(reading.gap);
    return;
  }
  const effect = state.order === "negation"
    ? "its effect through negation: the effect here less the effect on the sentence without its " +
      "negation word."
    : "its effect: how f changes because the head is there.";
  element.replaceChildren(...score_words(reading), ` Below it, ${effect}`);
}

/**
 * Buttons to the heads that count: by what they look at, by what they do, by what they do to
 * negation.
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_head_ways(element, state) {
  const { reading, open } = state;
  const explanation = explanation_of(state)?.value ?? null;
  if (reading === null || reading.weights === null) {
    element.replaceChildren();
    return;
  }
  const facts = head_facts(reading, explanation);
  const best = strongest(facts, "effect");
  const turning = strongest(facts, "negation");
  const is_known = reading.negators.size > 0 && state.info?.negation_head;
  const name = is_known ? "Negation’s head" : "Sharpest look";
  const size = (/** @type {number | null} */ effect) => `(${pushed(effect ?? 0)})`;
  element.replaceChildren(
    way(name, first_head(reading, state.info), open),
    ...(best === null ? [] : [way(`Largest effect ${size(best.effect)}`, best, open)]),
    ...(turning === null
      ? []
      : [way(`Largest through negation ${size(turning.negation_effect)}`, turning, open)]),
  );
}

/** @param {HTMLElement} element */
export function render_kinds(element) {
  const kinds = Object.entries(KINDS).map(([kind, { sign, meaning }]) =>
    make("li", {}, make("span", { class: "head-kind" }, sign), ` ${kind}: ${meaning}`),
  );
  element.replaceChildren(...kinds);
}

/**
 * How the head that opens first is chosen, in full.
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_definition(element, state) {
  const reading = state.reading;
  if (reading === null || reading.scores === null) {
    element.replaceChildren();
    return;
  }
  const { from, to } = reading.scores;
  const habit = "what its other words give to the word at the same distance.";
  if (state.info?.negation_head && reading.negators.size > 0) {
    element.textContent =
      "Which head opens first: the one that this model was trained to carry negation in. " +
      "Whether it does so here is for its effect to say.";
    return;
  }
  if (from === null || to === null) {
    element.textContent =
      "Which head opens first: the one whose words look hardest at one other word, special " +
      `tokens left out, beyond the head’s habit: ${habit}`;
    return;
  }
  element.replaceChildren(
    "Which head opens first: the one in which ",
    quoted_word(reading, from),
    " gives the negation word ",
    quoted_word(reading, to),
    ` the largest share beyond the head’s habit: ${habit} A head that always looks one word back ` +
      "is all habit.",
  );
}

/**
 * @param {string} words
 * @param {HeadPlace} place
 * @param {HeadPlace | null} open
 */
function way(words, place, open) {
  const is_open = open?.layer === place.layer && open.head === place.head;
  return make(
    "button",
    {
      type: "button",
      class: "small-button",
      "data-layer": place.layer,
      "data-head": place.head,
      "aria-pressed": String(is_open),
    },
    `${words}: ${place.layer + 1}·${place.head + 1}`,
  );
}

/** @param {Reading} reading */
function score_words(reading) {
  const { scores } = reading;
  if (scores === null || scores.from === null || scores.to === null) {
    return ["Under each map: how hard its words look at one other word, on average."];
  }
  const [from, to] = [quoted_word(reading, scores.from), quoted_word(reading, scores.to)];
  return ["Under each map: the share of its attention that ", from, " gives to ", to, "."];
}

/**
 * @param {Reading} reading
 * @param {number} word
 */
function quoted_word(reading, word) {
  return make("q", {}, typed_text(reading.words[word].text));
}
