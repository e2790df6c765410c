// @ts-check
// What is known of each head of a sentence, and the order in which the small maps stand.

/** @typedef {import("../types.js").Explanation} Explanation */
/** @typedef {import("../types.js").ExplainedHead} ExplainedHead */
/** @typedef {import("../types.js").HeadKind} HeadKind */
/** @typedef {import("../types.js").HeadPlace} HeadPlace */
/** @typedef {import("../types.js").Order} Order */
/** @typedef {import("../types.js").Reading} Reading */

/**
 * @typedef {object} HeadFacts
 * @property {number} layer
 * @property {number} head
 * @property {number | null} attention  from the negated word to its negation word, or the focus
 * @property {number | null} effect
 * @property {number | null} negation_effect
 * @property {HeadKind | null} kind
 */

/** @type {Record<HeadKind, {sign: string, meaning: string}>} */
export const KINDS = {
  focused: { sign: "◎", meaning: "picks words by what they are" },
  previous: { sign: "←", meaning: "looks at the word before" },
  next: { sign: "→", meaning: "looks at the word after" },
  sink: { sign: "⊥", meaning: "rests on special tokens" },
  flat: { sign: "≈", meaning: "spreads evenly" },
};

/**
 * Row by row as the model has them.
 * @param {Reading} reading
 * @param {Explanation | null} explanation
 * @returns {HeadFacts[]}
 */
export function head_facts(reading, explanation) {
  const explained = new Map(
    (explanation?.heads ?? []).map((each) => [`${each.layer}.${each.head}`, each]),
  );
  return (reading.weights ?? []).flatMap((heads, layer) =>
    heads.map((_, head) => {
      const each = explained.get(`${layer}.${head}`);
      return {
        layer,
        head,
        attention: reading.scores?.values[layer][head] ?? each?.attention ?? null,
        effect: each?.effect ?? null,
        negation_effect: each?.negation_effect ?? null,
        kind: each?.kind ?? null,
      };
    }),
  );
}

/**
 * The largest first, whatever its sign; what is not known comes last.
 * @param {HeadFacts[]} facts
 * @param {Order} order
 */
export function ordered(facts, order) {
  if (order === "position") return facts;
  const key = /** @type {const} */ ({
    attention: "attention",
    effect: "effect",
    negation: "negation_effect",
  })[order];
  const size_of = (/** @type {HeadFacts} */ each) => Math.abs(each[key] ?? -1);
  const is_known = (/** @type {HeadFacts} */ each) => Number(each[key] !== null);
  return [...facts].sort((a, b) => is_known(b) - is_known(a) || size_of(b) - size_of(a));
}

/**
 * The head with the largest effect of a kind; null where none is known.
 * @param {HeadFacts[]} facts
 * @param {"effect" | "negation"} kind
 * @returns {HeadFacts | null}
 */
export function strongest(facts, kind) {
  const [best] = ordered(facts, kind);
  const value = kind === "effect" ? best?.effect : best?.negation_effect;
  return value === null || value === undefined ? null : best;
}
