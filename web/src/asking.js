// @ts-check
// One question at a time: the latest wins, and the result of the one before stays until then.

import { classify } from "./api.js";
import { problem_sentence } from "./lib/problems.js";
import { reading_of } from "./reading.js";
import { answered } from "./state.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Problem} Problem */
/** @typedef {{get: () => State, update: (change: Partial<State>) => void}} Store */

// A quick answer shows no sign of waiting.
const BUSY_AFTER_MS = 150;

/**
 * @param {Store} store
 * @returns {() => Promise<void>} asks about the text in the box
 */
export function create_asker(store) {
  let latest = new AbortController();
  return async () => {
    latest.abort();
    const own = (latest = new AbortController());
    const { text } = store.get();
    const timer = setTimeout(() => store.update({ is_busy: true }), BUSY_AFTER_MS);
    let gap = "";
    let outcome = await classify(text, "full", own.signal);
    if (outcome.problem?.code === "attention_too_large" && !own.signal.aborted) {
      gap = no_maps_sentence(store.get());
      outcome = await classify(text, "none", own.signal);
    }
    clearTimeout(timer);
    if (own.signal.aborted) return;
    store.update(
      outcome.problem === null
        ? answered(store.get(), reading_of(text, outcome.value, gap))
        : { is_busy: false, message: message_of(outcome.problem) },
    );
  };
}

/** @param {State} state */
function no_maps_sentence({ info }) {
  const left_out =
    "The maps of all heads for this many tokens are more than the server sends at once, " +
    "so they are left out.";
  if (info === null) return left_out;
  const num_maps = info.config.num_layers * info.config.num_heads;
  const max_tokens = Math.floor(Math.sqrt(info.limits.attention_values / num_maps));
  return `${left_out} They come for up to ${max_tokens} tokens.`;
}

/**
 * @param {Problem} problem
 * @returns {import("./types.js").Message}
 */
function message_of(problem) {
  const is_worth_retrying = problem.status === 0 || problem.status === 429 || problem.status >= 500;
  const retry_at_ms = is_worth_retrying ? Date.now() + 1000 * problem.retry_after_s : null;
  return { text: problem_sentence(problem), retry_at_ms };
}
