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
 * @property {number[]} [scope]  word indices
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
 * @property {HeadPlace | null} [negation_head]  the head trained to carry negation; null for none
 */

/**
 * One run of the model inside an explanation; f = z_pos - z_neg.
 * @typedef {object} Run
 * @property {string} text
 * @property {string} label
 * @property {number} score
 * @property {number} positive  probability
 * @property {number} f
 */

/** @typedef {{word: Run, opposite: (Run & {word: string}) | null}} SquareRow */

/**
 * @typedef {object} ExplainedCue
 * @property {number[]} words
 * @property {string} text
 * @property {number[]} scope
 * @property {{word: number, text: string} | null} target
 * @property {{with: SquareRow, without: SquareRow} | null} square
 * @property {number | null} interaction
 */

/**
 * The smallest edit that changes the label.
 * @typedef {object} Flip
 * @property {"delete" | "swap"} edit
 * @property {number[]} words
 * @property {string} text
 * @property {string} label
 * @property {number} score
 */

/**
 * @typedef {object} ExplainedHead
 * @property {number} layer
 * @property {number} head
 * @property {number | null} attention  from the target to the cue
 * @property {number | null} baseline  the same distance elsewhere in the sentence
 * @property {number | null} effect  f(with the head) - f(without it)
 * @property {number | null} negation_effect  less the effect on the sentence without its cue
 * @property {HeadKind} kind
 */

/** @typedef {"flat" | "sink" | "previous" | "next" | "focused"} HeadKind */

/**
 * What the word receives in the last layer, from the rows of words, as a mean over heads; and what
 * happens to f when it is left out.
 * @typedef {{word: number, text: string, attention: number, effect: number | null}} ExplainedWord
 */

/**
 * What /v1/explain answers, as far as the page reads it.
 * @typedef {object} Explanation
 * @property {Result} result
 * @property {{source: string, cues: ExplainedCue[], flip: Flip | null}} negation
 * @property {ExplainedWord[]} words
 * @property {ExplainedHead[]} heads
 * @property {{
 *   tau: number | null, p: number | null, reason: string | null, layer: number, n: number,
 * }} agreement
 * @property {{passes: number, tokens: number}} usage
 * @property {{total: number}} [timings_us]
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

/**
 * A change inside the forward pass. A cut takes links between tokens away; a word may have several.
 * @typedef {HeadPlace & {kind: "off" | "uniform"}} HeadExperiment
 * @typedef {HeadPlace & {kind: "cut", from: number[], to: number[]}} CutExperiment
 * @typedef {HeadExperiment | CutExperiment} Experiment
 */

/**
 * A row or a column of a map as drawn: a word with all its pieces, one piece, or what is hidden.
 * @typedef {object} Unit
 * @property {"word" | "negator" | "special" | "hidden"} kind
 * @property {string} label
 * @property {string} title
 * @property {number[]} tokens
 */

/** @typedef {{rows: Unit[], columns: Unit[], values: number[][]}} ShownMap */

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
 * @property {Set<number>} scope  word indices that a negation word acts on
 * @property {Experiment[]} experiments  that the answer was computed under
 * @property {(number[][] | null)[][] | null} weights  [L][H][T][T]; a map is null until it is asked
 *   for, all null where none came
 * @property {HeadScores | null} scores
 * @property {string} gap  why there are no maps; empty where there are
 */

/**
 * @typedef {object} State
 * @property {string} text  what the input holds
 * @property {Info | null} info
 * @property {Reading | null} reading  stays while the next one is typed and asked for
 * @property {Reading | null} base  of the same text without experiments
 * @property {{reading: Reading, value: Explanation} | null} explanation  and what it is about
 * @property {string} explanation_gap  why there is none
 * @property {boolean} is_gap_lasting  asking again would not help
 * @property {boolean} is_explaining
 * @property {boolean} is_busy
 * @property {boolean} is_slow  busy for so long that the reader may give up
 * @property {Message | null} message
 * @property {string} notice  what of the address could not be shown
 * @property {HeadPlace | null} open  the head drawn large
 * @property {boolean} is_open_by_hand  then it stays open for the next sentence
 * @property {Cell} cursor  where the keyboard stands in the large map; its row is the pinned one
 * @property {Cell | null} point  under the pointer or the focus
 * @property {Theme} theme
 * @property {Scale} scale
 * @property {"words" | "pieces"} grouping
 * @property {boolean} hides_special
 * @property {boolean} wants_table  of a map that is too large to be one by itself
 * @property {Order} order  of the small maps
 * @property {number} cue  which negation word the square is about
 * @property {Experiment[]} experiments  wanted for the next answer
 * @property {{text: string, reading: Reading | null, message: string} | null} second  beside it
 * @property {number | null} step  of the tour
 */

/** @typedef {"position" | "attention" | "effect" | "negation"} Order */

export {};
