// @ts-check
// What the axes of a map stand for: words with all their pieces, single pieces, special tokens or
// not.

import { token_label, token_title } from "./words.js";

/** @typedef {import("../types.js").Reading} Reading */
/** @typedef {import("../types.js").Unit} Unit */
/** @typedef {import("../types.js").ShownMap} ShownMap */

/**
 * @param {Reading} reading
 * @param {"words" | "pieces"} grouping
 * @returns {Unit[]}
 */
export function units_of(reading, grouping) {
  const { tokens, words, negators } = reading;
  /** @type {Unit[]} */
  const units = [];
  tokens.forEach((token, index) => {
    const is_inside = index > 0 && token.word !== null && tokens[index - 1].word === token.word;
    if (grouping === "words" && is_inside) {
      units[units.length - 1].tokens.push(index);
      return;
    }
    const is_whole = grouping === "words" && token.word !== null && words[token.word];
    const is_split = is_whole && words[token.word ?? 0].tokens.length > 1;
    units.push({
      kind: token.special
        ? "special"
        : token.word !== null && negators.has(token.word)
          ? "negator"
          : "word",
      label: is_split ? words[token.word ?? 0].text : token_label(tokens, index),
      title: is_split ? words[token.word ?? 0].text : token_title(tokens, words, index),
      tokens: [index],
    });
  });
  return units;
}

/**
 * A map over the units: summed over the pieces looked at, averaged over those that look, so that
 * each row still adds up to 1. Hidden special tokens keep one last column together.
 * @param {number[][]} map  [T][T]
 * @param {Unit[]} units
 * @param {boolean} hides_special
 * @returns {ShownMap}
 */
export function shown_map_of(map, units, hides_special) {
  const rows = hides_special ? units.filter((unit) => unit.kind !== "special") : units;
  const hidden = units.filter((unit) => hides_special && unit.kind === "special");
  const columns =
    hidden.length === 0 || rows.length === 0
      ? units
      : [
          ...rows,
          {
            kind: /** @type {const} */ ("hidden"),
            label: "hidden",
            title: "special tokens, hidden",
            tokens: hidden.flatMap((unit) => unit.tokens),
          },
        ];
  const lines = rows.length === 0 ? units : rows;
  const values = lines.map((row) =>
    columns.map((column) => {
      let sum = 0;
      for (const from of row.tokens) for (const to of column.tokens) sum += map[from][to];
      return sum / row.tokens.length;
    }),
  );
  return { rows: lines, columns, values };
}

/**
 * The unit that holds a token; -1 where it is hidden.
 * @param {Unit[]} units
 * @param {number} token
 */
export function unit_at(units, token) {
  return units.findIndex((unit) => unit.kind !== "hidden" && unit.tokens.includes(token));
}
