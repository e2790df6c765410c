// @ts-check
// A short way through the page for someone who has just read about Q, K and V. Each step is a state
// of the lab; which head it opens is found in the running model, for no two models have the same.

import { head_facts } from "./lib/head_facts.js";
import { explanation_of, first_head } from "./state.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").HeadPlace} HeadPlace */
/** @typedef {import("./lib/head_facts.js").HeadFacts} HeadFacts */

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string[]} words
 * @property {string} text  the sentence
 * @property {"first" | "previous" | "sink" | "idle"} head
 * @property {boolean} is_off  the head is switched off
 * @property {import("./types.js").Order} order
 * @property {string} look  the card that it is about
 */

const NOT_BAD = "The movie was not bad";

/** @type {Step[]} */
export const STEPS = [
  {
    title: "One sentence, many maps",
    words: [
      "The sentence becomes tokens, each token a vector of D numbers. In every layer each " +
        "head makes its own Q, K and V from them and computes softmax(QKᵀ / √d_k): one small " +
        "map. At the foot of the page are the shapes, with the numbers of this model and this " +
        "sentence.",
    ],
    text: NOT_BAD,
    head: "first",
    is_off: false,
    order: "position",
    look: "heads-card",
  },
  {
    title: "A row is one word’s question",
    words: [
      "Row by row: the query of that word met every key, and the softmax made shares of it, " +
        "so each row adds up to 100 %. This head has a plain habit: every word looks at the " +
        "word before it. “bad” looks at “not” here, but only because it stands there.",
    ],
    text: NOT_BAD,
    head: "previous",
    is_off: false,
    order: "position",
    look: "map-card",
  },
  {
    title: "Many heads rest",
    words: [
      "A softmax must give its 100 % to something. A head that finds nothing to do parks it " +
        "on a special token, whose value vector carries little. A dark column there means " +
        "“nothing for me here”, not “this token is important”.",
    ],
    text: NOT_BAD,
    head: "sink",
    is_off: false,
    order: "position",
    look: "map-card",
  },
  {
    title: "What “not” does",
    words: [
      "Four runs of the model: with and without “not”, with “bad” and with its opposite. " +
        "Where the two lines cross, “not” does not add a little negativity of its own: it turns " +
        "the word beside it over. No sum of word scores can do that.",
    ],
    text: NOT_BAD,
    head: "first",
    is_off: false,
    order: "position",
    look: "square-card",
  },
  {
    title: "A head that looks at “not”",
    words: [
      "In this head “bad” gives “not” more than distance explains. Is this the place where " +
        "the turning happens? The picture cannot say. The line above the map can: it is a run " +
        "of the model without this head.",
    ],
    text: NOT_BAD,
    head: "first",
    is_off: false,
    order: "negation",
    look: "map-card",
  },
  {
    title: "Switch it off",
    words: [
      "The same head, off: nothing of what it mixed in reaches the next layer. Compare the " +
        "result with the one before, and look at the crossing lines again: do they still cross? " +
        "Undo it with the chip under the result.",
    ],
    text: NOT_BAD,
    head: "first",
    is_off: true,
    order: "negation",
    look: "answer",
  },
  {
    title: "A clear picture that does nothing",
    words: [
      "This head also looks at “not”. Yet among the heads that clearly do, it is the one whose " +
        "absence changes least: here it is switched off, and the answer hardly moves. The " +
        "attention was real; the answer did not rest on it.",
    ],
    text: NOT_BAD,
    head: "idle",
    is_off: true,
    order: "attention",
    look: "answer",
  },
  {
    title: "Attention and effect, word by word",
    words: [
      "On the left what each word receives, on the right what it adds to f: f with it less f " +
        "without it. If attention were the explanation, the two orders would be the same and " +
        "Kendall’s τ would be 1.",
    ],
    text: "I never enjoyed a film more",
    head: "first",
    is_off: false,
    order: "effect",
    look: "words-card",
  },
  {
    title: "Your turn",
    words: [
      "Pictures suggest, experiments decide. Type a sentence of your own, click a cell and " +
        "cut its link, make a head uniform, or run the negation suite with a head off to see " +
        "whether what you found holds beyond one sentence.",
    ],
    text: "It is not without charm",
    head: "first",
    is_off: false,
    order: "position",
    look: "ask",
  },
];

// What counts as looking at the negation word clearly.
const CLEAR_FROM = 0.3;

/**
 * The head that a step is about, once the explanation is there to tell; null before.
 * @param {Step} step
 * @param {State} state
 * @returns {HeadPlace | null}
 */
export function tour_head(step, state) {
  const { reading, explanation_gap } = state;
  if (reading === null || reading.weights === null) return null;
  if (step.head === "first") return first_head(reading, state.info);
  const explained = explanation_of(state);
  if (explained === null || explained.is_old)
    return explanation_gap === "" ? null : first_head(reading, state.info);
  const facts = head_facts(reading, explained.value);
  const best =
    step.head === "idle"
      ? idle_head(facts)
      : largest(facts.filter((each) => each.kind === step.head), (each) => each.attention ?? 0);
  return best ?? first_head(reading, state.info);
}

/**
 * Of the heads that look clearly at the negation word, the one with the least effect.
 * @param {HeadFacts[]} facts
 */
function idle_head(facts) {
  const clear = facts.filter((each) => (each.attention ?? 0) >= CLEAR_FROM);
  return largest(clear, (each) => -Math.abs(each.effect ?? 0));
}

/**
 * @param {HeadFacts[]} facts
 * @param {(facts: HeadFacts) => number} value_of
 * @returns {HeadPlace | null}
 */
function largest(facts, value_of) {
  const [first, ...rest] = facts;
  if (first === undefined) return null;
  const best = rest.reduce((a, b) => (value_of(b) > value_of(a) ? b : a), first);
  return { layer: best.layer, head: best.head };
}
