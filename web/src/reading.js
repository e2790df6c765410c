// @ts-check
// One answer of the server, checked and made ready for the views.

import { score_heads } from "./lib/head_scores.js";
import { words_of } from "./lib/words.js";

/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Experiment} Experiment */
/** @typedef {import("./types.js").HeadPlace} HeadPlace */
/** @typedef {import("./types.js").Reading} Reading */
/** @typedef {import("./types.js").Result} Result */

/**
 * @param {string} text  as it was sent
 * @param {Answer} answer
 * @param {string} gap  why not all maps were asked for; empty where they were
 * @param {Experiment[]} [experiments]  that the answer was computed under
 * @returns {Reading}
 */
export function reading_of(text, answer, gap, experiments = []) {
  const result = answer.results[0];
  const tokens = result.tokens ?? [];
  const words = words_of(text, tokens);
  const cues = result.negation?.cues ?? [];
  const negators = new Set(cues.flatMap((cue) => cue.words));
  const scope = new Set(cues.flatMap((cue) => cue.scope ?? []));
  const all_maps = result.attention?.weights ?? null;
  const mismatch = all_maps === null ? "" : size_mismatch(all_maps, tokens.length);
  const weights = mismatch || all_maps === null || all_maps.length === 0 ? null : all_maps;
  return {
    text,
    answer,
    tokens,
    words,
    negators,
    scope,
    experiments,
    weights,
    scores: weights === null ? null : score_heads(weights, words, negators),
    gap:
      weights === null
        ? gap || mismatch || "The server sent no attention maps with this answer."
        : "",
  };
}

/**
 * The reading with room for the maps that come one by one.
 * @param {Reading} reading
 * @param {{num_layers: number, num_heads: number}} size
 * @returns {Reading}
 */
export function with_empty_maps(reading, { num_layers, num_heads }) {
  const weights = Array.from({ length: num_layers }, () => Array(num_heads).fill(null));
  return { ...reading, weights };
}

/**
 * @param {Reading} reading
 * @param {HeadPlace} place
 * @param {number[][]} map  [T][T]
 * @returns {Reading}
 */
export function with_map(reading, place, map) {
  if (reading.weights === null || size_mismatch([[map]], reading.tokens.length)) return reading;
  const weights = reading.weights.map((layer, index) =>
    index === place.layer ? layer.map((old, head) => (head === place.head ? map : old)) : layer,
  );
  return { ...reading, weights };
}

/**
 * The reading with its heads compared by another word that the negation word acts on.
 * @param {Reading} reading
 * @param {number | null} target
 * @returns {Reading}
 */
export function with_target(reading, target) {
  const { weights, words, negators, scores } = reading;
  if (weights === null || scores === null || target === null || target === scores.from)
    return reading;
  const maps = /** @type {number[][][][]} */ (weights);
  return { ...reading, scores: score_heads(maps, words, negators, target) };
}

/**
 * f = z_pos - z_neg; null for a model with other labels.
 * @param {Result} result
 */
export function f_of(result) {
  const { positive, negative } = result.logits ?? {};
  return positive === undefined || negative === undefined ? null : positive - negative;
}

/**
 * Empty where every map is [T][T].
 * @param {number[][][][]} weights
 * @param {number} num_tokens
 */
function size_mismatch(weights, num_tokens) {
  for (const map of weights.flat()) {
    const sizes = [map.length, ...map.map((row) => row.length)];
    const wrong = sizes.find((size) => size !== num_tokens);
    if (wrong !== undefined) {
      return `Maps are not drawn: the sentence has ${num_tokens} tokens, but a map ${wrong}.`;
    }
  }
  return "";
}
