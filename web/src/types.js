// @ts-check
// The shapes that travel between the server and the views, written down once.
// Letters: L layers, H heads, T tokens of the sentence (special tokens counted).

/**
 * @typedef {object} Token
 * @property {number} id
 * @property {string} piece  as the tokenizer spells it
 * @property {string} text  the part of the sentence that it stands for
 * @property {number | null} word  null for a special token
 * @property {boolean} special
 * @property {[number, number] | null} utf16  span in the sentence as sent
 */

/**
 * @typedef {object} Cue
 * @property {number[]} words
 * @property {string} text
 */

/**
 * @typedef {object} Attention
 * @property {number[]} layers
 * @property {number[]} heads
 * @property {number[][][][]} weights  [L][H][T][T], from then to; each row adds up to 1
 */

/**
 * @typedef {object} Result
 * @property {string} label
 * @property {number} score
 * @property {Record<string, number>} probabilities
 * @property {Record<string, number>} [logits]
 * @property {number} token_count
 * @property {Token[]} [tokens]
 * @property {{source: string, cues: Cue[]}} [negation]
 * @property {Attention} [attention]
 */

/**
 * @typedef {object} Answer
 * @property {{id: string, version: string, sha256: string}} model
 * @property {Result[]} results
 * @property {{tokenize: number, queue: number, compute: number, total: number}} [timings_us]
 */

/**
 * @typedef {object} Info
 * @property {{id: string, version: string, sha256: string}} model
 * @property {{d_model: number, num_heads: number, num_layers: number}} config
 * @property {{tokens: number, attention_values: number}} limits
 */

/**
 * What the server says went wrong (RFC 9457), or what the page found out itself.
 * @typedef {object} Problem
 * @property {number} status  0 where no answer came
 * @property {string} code
 * @property {string} detail
 * @property {number} retry_after_s  0 where the server named no time
 */

/**
 * @typedef {object} Word
 * @property {string} text
 * @property {number} start  UTF-16 index into the sentence
 * @property {number} end
 * @property {number[]} tokens  indices into the tokens
 */

/**
 * One number per head, and what it measures: the attention from `from` to `to` (word indices),
 * or without a negation word how much the head's words look at one other word.
 * @typedef {object} HeadScores
 * @property {"negation" | "focus"} kind
 * @property {number | null} from
 * @property {number | null} to  null together with `from`
 * @property {number[][]} values  [L][H]
 * @property {number[][]} beyond_habit  [L][H], less what the head gives at that distance anyway
 */

/** @typedef {{layer: number, head: number}} HeadPlace */

/** @typedef {{row: number, column: number}} Cell */

/** @typedef {"light" | "dark"} Theme */

/**
 * Which share gets the darkest colour: 100 %, or the largest of the map.
 * @typedef {"absolute" | "stretched"} Scale
 */

/**
 * @typedef {object} Message
 * @property {string} text
 * @property {number | null} retry_at_ms  null where the same text would fail again
 */

/**
 * @typedef {object} Reading  all that one answer gives the views to draw
 * @property {string} text  the sentence as sent
 * @property {Answer} answer
 * @property {Token[]} tokens
 * @property {Word[]} words
 * @property {Set<number>} negators  word indices
 * @property {number[][][][] | null} weights  [L][H][T][T]; null where no maps came
 * @property {HeadScores | null} scores
 * @property {string} gap  why there are no maps; empty where there are
 */

/**
 * @typedef {object} State
 * @property {string} text  what the input holds
 * @property {Info | null} info
 * @property {Reading | null} reading  stays while the next one is typed and asked for
 * @property {boolean} is_busy
 * @property {Message | null} message
 * @property {HeadPlace | null} open  the head drawn large
 * @property {boolean} is_open_by_hand  then it stays open for the next sentence
 * @property {Cell} cursor  where the keyboard stands in the large map; its row is the pinned one
 * @property {Cell | null} point  under the pointer or the focus
 * @property {Theme} theme
 * @property {Scale} scale
 */

export {};
