import assert from "node:assert/strict";
import { test } from "node:test";
import { segments_of, token_label, token_title, words_of } from "../../../web/src/lib/words.js";
import { tokens_of } from "../support/sentences.mjs";

test("A word spans all of its pieces", () => {
  const text = "an unbelievable film";
  const words = words_of(text, tokens_of(text, [["an"], ["un", "believ", "able"], ["film"]]));

  assert.deepEqual(
    words.map((word) => word.text),
    ["an", "unbelievable", "film"],
  );
  assert.deepEqual(words[1].tokens, [2, 3, 4]);
});

test("Spans are UTF-16 units, so an emoji before a word does not shift it", () => {
  const text = "A😀B was great";
  const words = words_of(text, tokens_of(text, [["A😀B"], ["was"], ["great"]]));

  assert.equal(words[2].text, "great");
  assert.equal(words[2].start, text.indexOf("great"));
});

test("Segments put together are the text, with only negation words cut out", () => {
  const text = "  It was  not bad, never.\n";
  const words = words_of(
    text,
    tokens_of(text, [["It"], ["was"], ["not"], ["bad"], [","], ["never"], ["."]]),
  );

  const segments = segments_of(text, words, new Set([2, 5]));

  assert.equal(segments.map((segment) => segment.text).join(""), text);
  assert.deepEqual(
    segments.filter((segment) => segment.is_negator).map((segment) => segment.text),
    ["not", "never"],
  );
});

test("The words that a negation acts on are one segment as long as they stand together", () => {
  const text = "It was not a good film at all";
  const words = words_of(text, tokens_of(text, text.split(" ").map((word) => [word])));

  const segments = segments_of(text, words, new Set([2]), new Set([0, 2, 3, 4, 5]));

  assert.equal(segments.map((segment) => segment.text).join(""), text);
  assert.deepEqual(
    segments.filter((segment) => segment.is_scope).map((segment) => segment.text),
    ["It", "a good film"],
  );
});

test("Joined emoji stay in one segment whatever the tokens", () => {
  const text = "👩\u200d🚀 not bad";
  const words = words_of(text, tokens_of(text, [["👩", "\u200d", "🚀"], ["not"], ["bad"]]));

  assert.equal(segments_of(text, words, new Set([1]))[0].text, "👩\u200d🚀 ");
});

test("Labels mark the pieces that continue a word, and name what cannot be seen", () => {
  const text = "filmmaker \u202e";
  const tokens = tokens_of(text, [["film", "maker"], ["\u202e"]]);

  assert.deepEqual(
    tokens.map((_, index) => token_label(tokens, index)),
    ["<s>", "film", "·maker", "U+202E", "</s>"],
  );
});

test("A title tells the whole word of a piece, and that special tokens are none", () => {
  const text = "filmmaker";
  const tokens = tokens_of(text, [["film", "maker"]]);
  const words = words_of(text, tokens);

  assert.match(token_title(tokens, words, 2), /piece of “filmmaker”/);
  assert.match(token_title(tokens, words, 0), /special token/);
});
