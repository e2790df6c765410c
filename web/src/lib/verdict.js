// @ts-check
// The answer in words. The label is the model's; "undecided" is the page's word for a close call.

/** @typedef {import("../types.js").Result} Result */

const UNDECIDED_FROM = 0.4;
const UNDECIDED_TO = 0.6;

/**
 * `tone` picks sign and colour; `positive` is null for a model with other labels than these two.
 * @typedef {object} Verdict
 * @property {"positive" | "negative" | "undecided" | "other"} tone
 * @property {string} sign
 * @property {string} headline
 * @property {number} score
 * @property {number | null} positive
 */

/**
 * @param {Result} result
 * @returns {Verdict}
 */
export function verdict_of(result) {
  const { label, score } = result;
  const { positive, negative } = result.probabilities;
  if (positive === undefined || negative === undefined) {
    return { tone: "other", sign: "", headline: label, score, positive: null };
  }
  if (positive >= UNDECIDED_FROM && positive <= UNDECIDED_TO) {
    return { tone: "undecided", sign: "◆", headline: "Undecided", score, positive };
  }
  return label === "positive"
    ? { tone: "positive", sign: "▲", headline: "Positive", score, positive }
    : { tone: "negative", sign: "▼", headline: "Negative", score, positive };
}

/**
 * The same words for one run of an explanation.
 * @param {import("../types.js").Run} run
 */
export function run_tone({ positive, label }) {
  if (positive >= UNDECIDED_FROM && positive <= UNDECIDED_TO)
    return { tone: "undecided", sign: "◆", word: "undecided" };
  return label === "positive"
    ? { tone: "positive", sign: "▲", word: "positive" }
    : { tone: "negative", sign: "▼", word: "negative" };
}
