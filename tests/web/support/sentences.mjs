// Tokens and answers as the server sends them, made from parts of a text.

/**
 * Tokens of `text`: each part is found behind the one before it; parts in one inner list form a
 * word.
 */
export function tokens_of(text, words) {
  let position = 0;
  const ordinary = words.flatMap((pieces, word) =>
    pieces.map((piece) => {
      const start = text.indexOf(piece, position);
      position = start + piece.length;
      return {
        id: 7,
        piece: `▁${piece}`,
        text: piece,
        word,
        special: false,
        utf16: [start, position],
      };
    }),
  );
  return [special("<s>"), ...ordinary, special("</s>")];
}

function special(piece) {
  return { id: 1, piece, text: "", word: null, special: true, utf16: null };
}

/** Maps [layers][heads][T][T] with every row spread evenly. */
export function even_weights(layers, heads, size) {
  const map = () =>
    Array.from({ length: size }, () => Array.from({ length: size }, () => 1 / size));
  return Array.from({ length: layers }, () => Array.from({ length: heads }, map));
}

export function answer_for(text, words, { cues = [], weights = undefined } = {}) {
  const tokens = tokens_of(text, words);
  return {
    model: { id: "m", version: "1", sha256: "0" },
    results: [
      {
        label: "positive",
        score: 0.9,
        probabilities: { negative: 0.1, positive: 0.9 },
        token_count: tokens.length,
        tokens,
        negation: {
          source: "list",
          cues: cues.map((word) => ({ words: [word], text: words[word].join("") })),
        },
        ...(weights === undefined ? {} : { attention: { layers: [0], heads: [0], weights } }),
      },
    ],
  };
}
