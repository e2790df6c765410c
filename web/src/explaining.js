// @ts-check
// What the service finds out about a sentence by running it again and again: asked after the
// answer.

import { explain } from "./api.js";
import { interventions_of } from "./lib/experiments.js";
import { problem_sentence } from "./lib/problems.js";
import { with_target } from "./reading.js";
import { retargeted } from "./state.js";

/** @typedef {import("./types.js").Explanation} Explanation */
/** @typedef {import("./types.js").Reading} Reading */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./asking.js").Store} Store */

// Undoing an experiment brings its explanation back at once.
const MAX_KEPT = 16;

/**
 * @param {Store} store
 * @returns {(reading: Reading) => Promise<void>}
 */
export function create_explainer(store) {
  let latest = new AbortController();
  /** @type {Map<string, Explanation>} */
  const kept = new Map();
  return async (reading) => {
    latest.abort();
    const own = (latest = new AbortController());
    const key = JSON.stringify([reading.answer.model.sha256, reading.text, reading.experiments]);
    const known = kept.get(key);
    if (known !== undefined) return store.update(explained(store.get(), reading, known));
    store.update({ is_explaining: true, explanation_gap: "" });
    const interventions = interventions_of(reading.experiments);
    const outcome = await explain(reading.text, interventions, own.signal);
    if (own.signal.aborted) return;
    if (outcome.problem !== null) {
      return store.update({
        explanation: null,
        explanation_gap: gap_sentence(outcome.problem),
        is_gap_lasting: outcome.problem.status === 422,
        is_explaining: false,
      });
    }
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? "");
    kept.set(key, outcome.value);
    store.update(explained(store.get(), reading, outcome.value));
  };
}

/**
 * The service knows better which word the first negation word is about; the heads are compared by
 * that one from then on.
 * @param {State} state
 * @param {Reading} reading
 * @param {Explanation} value
 * @returns {Partial<State>}
 */
function explained(state, reading, value) {
  const target = value.negation?.cues[0]?.target?.word ?? null;
  return {
    explanation: { reading, value },
    explanation_gap: "",
    is_explaining: false,
    ...(target === null || state.reading !== reading
      ? {}
      : retargeted(state, with_target(reading, target))),
  };
}

/** @param {import("./types.js").Problem} problem */
function gap_sentence(problem) {
  return problem.code === "input_too_long"
    ? `These runs are for shorter sentences: ${problem.detail.replace(/[.\s]+$/, "")}.`
    : problem_sentence(problem);
}
