// @ts-check
// What the service finds out about a sentence by running it again and again: asked after the
// answer.

import { explain } from "./api.js";
import { interventions_of } from "./lib/experiments.js";
import { problem_sentence } from "./lib/problems.js";

/** @typedef {import("./types.js").Explanation} Explanation */
/** @typedef {import("./types.js").Reading} Reading */
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
    if (known !== undefined) return store.update(explained(reading, known));
    store.update({ is_explaining: true, explanation_gap: "" });
    const interventions = interventions_of(reading.experiments);
    const outcome = await explain(reading.text, interventions, own.signal);
    if (own.signal.aborted) return;
    if (outcome.problem !== null) {
      const explanation_gap = problem_sentence(outcome.problem);
      return store.update({ explanation: null, explanation_gap, is_explaining: false });
    }
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? "");
    kept.set(key, outcome.value);
    store.update(explained(reading, outcome.value));
  };
}

/**
 * @param {Reading} reading
 * @param {Explanation} value
 */
function explained(reading, value) {
  return { explanation: { reading, value }, explanation_gap: "", is_explaining: false };
}
