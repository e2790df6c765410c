// @ts-check
// One number per head, so that 72 maps can be compared at a glance.

/** @typedef {import("../types.js").Word} Word */
/** @typedef {import("../types.js").HeadScores} HeadScores */
/** @typedef {import("../types.js").HeadPlace} HeadPlace */

// Skipped between a negation word and the word that it turns: "not a very bad film" is about "bad".
const SMALL_WORDS = new Set(
  (
    "a an the this that these those all as at be been being by do for have i in is it me my of " +
    "on one our really so such to too very was we were with you your"
  ).split(" "),
);

/**
 * The word that the negation word acts on: the next one that is not a small word; at the end of the
 * sentence the one before it. Null where the sentence is nothing else.
 * @param {Word[]} words
 * @param {Set<number>} negators
 * @param {number} cue
 * @returns {number | null}
 */
export function target_of(words, negators, cue) {
  const is_candidate = (/** @type {number} */ index) =>
    words[index] !== undefined && !negators.has(index) && /[\p{L}\p{N}]/u.test(words[index].text);
  const is_content = (/** @type {number} */ index) =>
    is_candidate(index) && !SMALL_WORDS.has(words[index].text.toLowerCase());
  const after = words.map((_, index) => index).filter((index) => index > cue);
  const before = words
    .map((_, index) => index)
    .filter((index) => index < cue)
    .reverse();
  return (
    after.find(is_content) ??
    before.find(is_content) ??
    [...after, ...before].find(is_candidate) ??
    null
  );
}

/**
 * Attention from one word to another: summed over the pieces of `to`, averaged over `from`.
 * @param {number[][]} map  [T][T]
 * @param {number[]} from
 * @param {number[]} to
 */
export function attention_between(map, from, to) {
  let sum = 0;
  for (const row of from) for (const column of to) sum += map[row][column];
  return sum / from.length;
}

/**
 * What the other words give, on average, to the word at the same distance. A head that always looks
 * at the word before gives 100 % from "bad" to "not" as well; that says nothing about negation.
 * @param {(from: number, to: number) => number} share  between words
 * @param {number} num_words
 * @param {number} from
 * @param {number} to
 */
export function habit_of(share, num_words, from, to) {
  const distance = to - from;
  const first = Math.max(0, -distance);
  const end = Math.min(num_words, num_words - distance);
  const others = [];
  for (let index = first; index < end; index += 1) {
    if (index !== from) others.push(share(index, index + distance));
  }
  return mean(others);
}

/**
 * What the first negation word acts on, and the negation word nearest to that: in "not without
 * charm" the pair is "charm" and "without". Both null where there is no such pair.
 * @param {Word[]} words
 * @param {Set<number>} negators
 * @param {number | null} [target]  what it acts on, where that is known
 * @returns {{from: number | null, to: number | null}}
 */
export function negation_pair(words, negators, target = null) {
  const cues = [...negators].filter((index) => words[index] !== undefined).sort((a, b) => a - b);
  const from = cues.length === 0 ? null : (target ?? target_of(words, negators, cues[0]));
  if (from === null) return { from: null, to: null };
  const to = cues.reduce((near, cue) =>
    Math.abs(cue - from) < Math.abs(near - from) ? cue : near,
  );
  return { from, to };
}

/**
 * @param {number[][][][]} weights  [L][H][T][T]
 * @param {Word[]} words
 * @param {Set<number>} negators
 * @param {number | null} [target]  of the first negation word, where that is known
 * @returns {HeadScores}
 */
export function score_heads(weights, words, negators, target = null) {
  const { from, to } = negation_pair(words, negators, target);
  const pairs = weights.map((layer) =>
    layer.map((map) => {
      const share = share_in(map, words);
      return from !== null && to !== null
        ? with_habit(share, words.length, from, to)
        : focus_of(share, words.length);
    }),
  );
  return {
    kind: from === null ? "focus" : "negation",
    from,
    to,
    values: pairs.map((layer) => layer.map((pair) => pair.value)),
    beyond_habit: pairs.map((layer) => layer.map((pair) => pair.value - pair.habit)),
  };
}

/**
 * @param {number[][]} map  [T][T]
 * @param {Word[]} words
 */
function share_in(map, words) {
  return (/** @type {number} */ from, /** @type {number} */ to) =>
    attention_between(map, words[from].tokens, words[to].tokens);
}

/**
 * @param {(from: number, to: number) => number} share
 * @param {number} num_words
 * @param {number} from
 * @param {number} to
 */
function with_habit(share, num_words, from, to) {
  return { value: share(from, to), habit: habit_of(share, num_words, from, to) };
}

/**
 * How hard words look at one other word: the largest share that each gives, averaged.
 * @param {(from: number, to: number) => number} share
 * @param {number} num_words
 */
function focus_of(share, num_words) {
  if (num_words < 2) return { value: 0, habit: 0 };
  const looks = Array.from({ length: num_words }, (_, from) => {
    let favourite = from === 0 ? 1 : 0;
    for (let to = 0; to < num_words; to += 1) {
      if (to !== from && share(from, to) > share(from, favourite)) favourite = to;
    }
    return with_habit(share, num_words, from, favourite);
  });
  return {
    value: mean(looks.map((look) => look.value)),
    habit: mean(looks.map((look) => look.habit)),
  };
}

/**
 * Zero where there is nothing to average.
 * @param {number[]} values
 */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/**
 * Where the largest number stands; the first of equals.
 * @param {number[][]} values  [L][H]
 * @returns {HeadPlace}
 */
export function strongest_head(values) {
  const place = { layer: 0, head: 0 };
  values.forEach((layer, layer_index) => {
    layer.forEach((value, head_index) => {
      if (value > values[place.layer][place.head]) {
        place.layer = layer_index;
        place.head = head_index;
      }
    });
  });
  return place;
}

/**
 * The columns of one row from the largest share down.
 * @param {number[]} row  [T]
 * @param {number} count
 */
export function ranked_columns(row, count) {
  return row
    .map((_, column) => column)
    .sort((a, b) => row[b] - row[a] || a - b)
    .slice(0, count);
}
