// @ts-check
// What the number under each small map is, and how the head that opens first is chosen.

import { make, typed_text } from "../lib/dom.js";
import { strongest_head } from "../lib/head_scores.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Reading} Reading */

/**
 * The number, and a way back to the strongest head.
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_heads_lead(element, state) {
  const { reading, open } = state;
  if (reading === null) {
    element.replaceChildren();
    return;
  }
  if (reading.scores === null) {
    element.replaceChildren(reading.gap);
    return;
  }
  const best = strongest_head(reading.scores.beyond_habit);
  const is_best_open = open !== null && open.layer === best.layer && open.head === best.head;
  const way_back = make(
    "button",
    { type: "button", class: "text-button", id: "open-strongest" },
    "Open the strongest",
  );
  element.replaceChildren(...score_words(reading), ...(is_best_open ? [] : [" ", way_back]));
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
  if (from === null || to === null) {
    element.textContent =
      "Which head opens first: the one whose words look hardest at one other word, special tokens " +
      `left out, beyond the head’s habit: ${habit}`;
    return;
  }
  element.replaceChildren(
    "Which head opens first: the one in which ",
    quoted_word(reading, from),
    " gives the negation word ",
    quoted_word(reading, to),
    ` the largest share beyond the head’s habit: ${habit} A head that always looks one word back ` +
      "is all habit. The pair is the word after the first negation word that is not a small one " +
      "such as “a” or “so” (at the end of a sentence, the one before), and the nearest negation word.",
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
