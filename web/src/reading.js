// @ts-check
// One answer of the server, checked and made ready for the views.

import { score_heads } from "./lib/head_scores.js";
import { words_of } from "./lib/words.js";

/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Reading} Reading */

/**
 * @param {string} text  as it was sent
 * @param {Answer} answer
 * @param {string} gap  why no maps were asked for; empty where they were
 * @returns {Reading}
 */
export function reading_of(text, answer, gap) {
  const result = answer.results[0];
  const tokens = result.tokens ?? [];
  const words = words_of(text, tokens);
  const negators = new Set((result.negation?.cues ?? []).flatMap((cue) => cue.words));
  const all_maps = result.attention?.weights ?? null;
  const mismatch = all_maps === null ? "" : size_mismatch(all_maps, tokens.length);
  const weights = mismatch || all_maps === null || all_maps.length === 0 ? null : all_maps;
  return {
    text,
    answer,
    tokens,
    words,
    negators,
    weights,
    scores: weights === null ? null : score_heads(weights, words, negators),
    gap:
      weights === null
        ? gap || mismatch || "The server sent no attention maps with this answer."
        : "",
  };
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
