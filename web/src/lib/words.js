// @ts-check
// Tokens back to the words and the text that the reader typed.

/** @typedef {import("../types.js").Token} Token */
/** @typedef {import("../types.js").Word} Word */

/**
 * The words of `text` in order; a word's place in the list is the word index of its tokens.
 * @param {string} text
 * @param {Token[]} tokens
 * @returns {Word[]}
 */
export function words_of(text, tokens) {
  /** @type {Word[]} */
  const words = [];
  tokens.forEach((token, index) => {
    if (token.word === null || token.utf16 === null) return;
    const [start, end] = token.utf16;
    const word = (words[token.word] ??= { text: "", start, end, tokens: [] });
    word.start = Math.min(word.start, start);
    word.end = Math.max(word.end, end);
    word.tokens.push(index);
    word.text = text.slice(word.start, word.end);
  });
  return words;
}

/**
 * Cuts `text` at its negation words and at the words that they act on only, so that joined emoji
 * and the order of right-to-left words survive; put together again the segments are `text`.
 * @param {string} text
 * @param {Word[]} words
 * @param {Set<number>} negators
 * @param {Set<number>} [scope]
 * @returns {{text: string, is_negator: boolean, is_scope: boolean}[]}
 */
export function segments_of(text, words, negators, scope = new Set()) {
  /** @type {{text: string, is_negator: boolean, is_scope: boolean}[]} */
  const segments = [];
  let position = 0;
  const cut = (/** @type {number} */ end, is_negator = false, is_scope = false) => {
    if (end <= position) return;
    const last = segments[segments.length - 1];
    const part = text.slice(position, end);
    if (is_scope && last?.is_scope) last.text += part;
    else segments.push({ text: part, is_negator, is_scope });
    position = end;
  };
  for (const [index, word] of words.entries()) {
    const is_marked = word && (negators.has(index) || scope.has(index));
    if (!is_marked || word.start < position) continue;
    const last = segments[segments.length - 1];
    const continues = last?.is_scope && scope.has(index) && !negators.has(index);
    cut(word.start, false, continues && text.slice(position, word.start).trim() === "");
    cut(word.end, negators.has(index), !negators.has(index));
  }
  cut(text.length);
  return segments;
}

/**
 * What an axis shows for a token. A piece inside a word starts with a middle dot.
 * @param {Token[]} tokens
 * @param {number} index
 */
export function token_label(tokens, index) {
  const token = tokens[index];
  const shown = token.special ? token.piece : visible(token.text || token.piece);
  const is_continuation = token.word !== null && index > 0 && tokens[index - 1].word === token.word;
  return is_continuation ? `·${shown}` : shown;
}

/**
 * Blanks, joiners and direction marks by code point: an axis without a label would look broken.
 * @param {string} text
 */
function visible(text) {
  if (!/^[\p{C}\p{Z}]*$/u.test(text)) return text;
  return [...text]
    .map((sign) => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`)
    .join(" ");
}

/**
 * A token in words, for tooltips.
 * @param {Token[]} tokens
 * @param {Word[]} words
 * @param {number} index
 */
export function token_title(tokens, words, index) {
  const token = tokens[index];
  if (token.special || token.word === null)
    return `${token.piece}: a special token, not a word of the sentence`;
  const word = words[token.word];
  if (word.tokens.length === 1) return word.text;
  return `${visible(token.text)}: a piece of “${word.text}”`;
}
