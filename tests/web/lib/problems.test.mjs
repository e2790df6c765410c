import assert from "node:assert/strict";
import { test } from "node:test";
import { problem_sentence } from "../../../web/src/lib/problems.js";

function problem(code, detail = "", retry_after_s = 0) {
  return { status: 422, code, detail, retry_after_s };
}

test("A known problem says what to do", () => {
  assert.match(problem_sentence(problem("empty_input")), /Write a sentence/);
  assert.match(problem_sentence(problem("unreachable")), /your text is kept/);
});

test("A text that is too long keeps the server's numbers and stays in the box", () => {
  const sentence = problem_sentence(
    problem("input_too_long", "inputs has 300 tokens, at most 256 are read."),
  );

  assert.match(sentence, /300 tokens, at most 256 are read\. Shorten it; it stays in the box\.$/);
});

test("A busy server says when to come back", () => {
  assert.match(problem_sentence(problem("overloaded", "", 2)), /busy\. Try again in 2 seconds\.$/);
  assert.match(problem_sentence(problem("draining", "", 1)), /Try again in 1 second\.$/);
});

test("An unknown problem is told in the server's words, else by its status", () => {
  assert.equal(problem_sentence(problem("new_code", "something new")), "something new.");
  assert.equal(problem_sentence(problem("")), "The server answered 422.");
});
