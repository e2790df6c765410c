// @ts-check
// One question at a time: the latest wins, and the result of the one before stays until then.

import { classify } from "./api.js";
import { for_other_text, interventions_of } from "./lib/experiments.js";
import { problem_sentence } from "./lib/problems.js";
import { reading_of, with_empty_maps, with_map } from "./reading.js";
import { answered, open_map } from "./state.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Problem} Problem */
/** @typedef {import("./types.js").Reading} Reading */
/** @typedef {{get: () => State, update: (change: Partial<State>) => void}} Store */

// A quick answer shows no sign of waiting.
const BUSY_AFTER_MS = 150;
const SLOW_AFTER_MS = 2_000;

/**
 * @param {Store} store
 * @returns {{ask: () => Promise<void>, cancel: () => void}}  `ask` is about the text in the box
 */
export function create_asker(store) {
  let latest = new AbortController();
  /** @type {ReturnType<typeof setTimeout>[]} */
  let timers = [];
  const rest = () => timers.forEach(clearTimeout);

  async function ask() {
    latest.abort();
    rest();
    const own = (latest = new AbortController());
    const { text } = store.get();
    timers = [
      setTimeout(() => store.update({ is_busy: true }), BUSY_AFTER_MS),
      setTimeout(() => store.update({ is_slow: true }), SLOW_AFTER_MS),
    ];
    const outcome = await answers_for(store, text, own.signal);
    if (own.signal.aborted) return;
    rest();
    store.update(
      outcome.problem === null
        ? answered(store.get(), outcome.reading, outcome.base)
        : { is_busy: false, is_slow: false, message: message_of(outcome.problem) },
    );
  }

  function cancel() {
    latest.abort();
    rest();
    const experiments = store.get().reading?.experiments ?? [];
    store.update({ is_busy: false, is_slow: false, experiments });
  }

  return { ask, cancel };
}

/**
 * The sentence under its experiments and, where there are any, without them.
 * @param {Store} store
 * @param {string} text
 * @param {AbortSignal} signal
 */
async function answers_for(store, text, signal) {
  const { base, reading, experiments: wanted } = store.get();
  const is_other = reading !== null && reading.text !== text;
  const experiments = is_other ? for_other_text(wanted) : wanted;
  const [outcome, plain] = await Promise.all([
    read(store.get(), text, experiments, signal),
    experiments.length > 0 && base?.text !== text ? read(store.get(), text, [], signal) : null,
  ]);
  if (outcome.problem !== null) return outcome;
  if (plain !== null && plain.problem !== null) return plain;
  const kept = base?.text === text ? base : null;
  return {
    problem: null,
    reading: outcome.reading,
    base: experiments.length === 0 ? outcome.reading : (plain?.reading ?? kept),
  };
}

/**
 * @param {State} state
 * @param {string} text
 * @param {import("./types.js").Experiment[]} experiments
 * @param {AbortSignal} signal
 */
async function read(state, text, experiments, signal) {
  const interventions = interventions_of(experiments);
  let outcome = await classify(text, { mode: "full" }, interventions, signal);
  const is_too_large = outcome.problem?.code === "attention_too_large" && !signal.aborted;
  if (is_too_large) outcome = await classify(text, { mode: "none" }, interventions, signal);
  if (outcome.problem !== null) return { problem: outcome.problem, reading: null };
  const gap = is_too_large ? no_maps_sentence(state) : "";
  const reading = reading_of(text, outcome.value, gap, experiments);
  const size = is_too_large ? state.info?.config : undefined;
  return { problem: null, reading: size ? with_empty_maps(reading, size) : reading };
}

/**
 * Brings the open head's map where the maps come one by one.
 * @param {Store} store
 * @returns {(reading: Reading) => Promise<void>}
 */
export function create_map_asker(store) {
  let latest = new AbortController();
  return async (reading) => {
    const { open } = store.get();
    if (reading.weights === null || open === null || open_map(store.get()) !== null) return;
    latest.abort();
    const own = (latest = new AbortController());
    const attention = {
      mode: /** @type {const} */ ("full"),
      layers: [open.layer],
      heads: [open.head],
    };
    const interventions = interventions_of(reading.experiments);
    const outcome = await classify(reading.text, attention, interventions, own.signal);
    if (own.signal.aborted || store.get().reading !== reading) return;
    if (outcome.problem !== null) return store.update({ message: message_of(outcome.problem) });
    const map = outcome.value.results[0].attention?.weights[0]?.[0];
    if (map !== undefined) store.update({ reading: with_map(reading, open, map) });
  };
}

/** @param {State} state */
function no_maps_sentence({ info }) {
  const left_out =
    "The maps of all heads for this many tokens are more than the server sends at once: ";
  if (info === null) return `${left_out}they are left out.`;
  const num_maps = info.config.num_layers * info.config.num_heads;
  const max_tokens = Math.floor(Math.sqrt(info.limits.attention_values / num_maps));
  return `${left_out}each comes when you open it. All come for up to ${max_tokens} tokens.`;
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
