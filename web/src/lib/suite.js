// @ts-check
// The negation suite: its rows, the lists that they are asked in, and what comes out.

/**
 * @typedef {object} Pair
 * @property {string} id
 * @property {string} category
 * @property {string} cue
 * @property {number} distance  words between the cue and what it turns
 * @property {string} sentence
 * @property {string} label
 * @property {string} twin
 * @property {string} twin_label
 */

/** @typedef {{label: string, positive: number | null}} Told */

/**
 * A pair with what the model said of its two sentences.
 * @typedef {Pair & {told: Told, twin_told: Told}} AnsweredPair
 */

/** @typedef {{name: string, num_pairs: number, num_right: number}} Group */

export const LIST_SIZE = 32;
const LABELS = ["negative", "positive"];

/**
 * The rows of the committed file; those that do not have its columns are left out.
 * @param {string} tsv
 * @returns {Pair[]}
 */
export function pairs_of(tsv) {
  const [names, ...lines] = tsv.trimEnd().split(/\r?\n/);
  const columns = names.split("\t");
  return lines.flatMap((line) => {
    const cells = line.split("\t");
    if (cells.length !== columns.length) return [];
    const row = Object.fromEntries(columns.map((name, index) => [name, cells[index]]));
    return [
      {
        id: row.id,
        category: row.category,
        cue: row.cue,
        distance: Number(row.distance),
        sentence: row.sentence,
        label: LABELS[Number(row.label)],
        twin: row.twin,
        twin_label: LABELS[Number(row.twin_label)],
      },
    ];
  });
}

/**
 * Whole pairs in lists of at most LIST_SIZE sentences.
 * @param {Pair[]} pairs
 * @returns {Pair[][]}
 */
export function lists_of(pairs) {
  const size = LIST_SIZE / 2;
  const lists = [];
  for (let start = 0; start < pairs.length; start += size)
    lists.push(pairs.slice(start, start + size));
  return lists;
}

/** @param {Pair[]} list */
export function texts_of(list) {
  return list.flatMap((pair) => [pair.sentence, pair.twin]);
}

/**
 * @param {Pair[]} list
 * @param {import("../types.js").Result[]} results  in the order of texts_of
 * @returns {AnsweredPair[]}
 */
export function answered_pairs(list, results) {
  const told = (/** @type {import("../types.js").Result} */ result) => ({
    label: result.label,
    positive: result.probabilities.positive ?? null,
  });
  return list.map((pair, index) => ({
    ...pair,
    told: told(results[2 * index]),
    twin_told: told(results[2 * index + 1]),
  }));
}

/** @param {AnsweredPair} pair */
export function is_right(pair) {
  return pair.told.label === pair.label && pair.twin_told.label === pair.twin_label;
}

/**
 * The pairs counted by a name that each has, in the order of first appearance.
 * @param {AnsweredPair[]} pairs
 * @param {(pair: AnsweredPair) => string} name_of
 * @returns {Group[]}
 */
export function grouped(pairs, name_of) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const pair of pairs) {
    const name = name_of(pair);
    const group = groups.get(name) ?? { name, num_pairs: 0, num_right: 0 };
    groups.set(name, {
      name,
      num_pairs: group.num_pairs + 1,
      num_right: group.num_right + Number(is_right(pair)),
    });
  }
  return [...groups.values()];
}

/**
 * Those with the most wrong pairs first, among equals those with the most pairs.
 * @param {Group[]} groups
 */
export function worst_first(groups) {
  const num_wrong = (/** @type {Group} */ group) => group.num_pairs - group.num_right;
  return [...groups].sort((a, b) => num_wrong(b) - num_wrong(a) || b.num_pairs - a.num_pairs);
}

/** @param {AnsweredPair[]} pairs */
export function num_right(pairs) {
  return pairs.filter(is_right).length;
}
