import assert from "node:assert/strict";
import { test } from "node:test";
import { reading_of } from "../../web/src/reading.js";
import {
  answered,
  color_ceiling,
  create_store,
  initial_state,
  is_stale,
  open_map,
  opened,
  shown_row,
} from "../../web/src/state.js";
import { answer_for, even_weights } from "./support/sentences.mjs";

const TEXT = "was not bad";
const WORDS = [["was"], ["not"], ["bad"]];

function reading({ layer, head } = { layer: 1, head: 2 }) {
  const weights = even_weights(2, 3, 5);
  weights[layer][head][3] = [0, 0.1, 0.8, 0.1, 0];
  return reading_of(TEXT, answer_for(TEXT, WORDS, { cues: [1], weights }), "");
}

function with_answer(state, new_reading = reading()) {
  return { ...state, ...answered(state, new_reading) };
}

test("An answer opens the strongest head at the cell from the target to the negation word", () => {
  const state = with_answer(initial_state(TEXT, "light"));

  assert.deepEqual(state.open, { layer: 1, head: 2 });
  assert.deepEqual(state.cursor, { row: 3, column: 2 });
  assert.equal(open_map(state)[3][2], 0.8);
});

test("A head that opened by itself gives way to the strongest of the next sentence", () => {
  const state = with_answer(initial_state(TEXT, "light"));

  assert.deepEqual(with_answer(state, reading({ layer: 0, head: 1 })).open, { layer: 0, head: 1 });
});

test("A head opened by hand stays open for the next sentence", () => {
  const state = { ...with_answer(initial_state(TEXT, "light")), ...opened({ layer: 0, head: 1 }) };

  assert.deepEqual(with_answer(state).open, { layer: 0, head: 1 });
});

test("A head that the next answer lacks gives way to the strongest", () => {
  const state = { ...with_answer(initial_state(TEXT, "light")), ...opened({ layer: 5, head: 1 }) };

  assert.deepEqual(with_answer(state).open, { layer: 1, head: 2 });
});

test("An answer without maps closes the head and keeps the result", () => {
  const state = with_answer(
    initial_state(TEXT, "light"),
    reading_of(TEXT, answer_for(TEXT, WORDS), "too many"),
  );

  assert.equal(state.open, null);
  assert.equal(open_map(state), null);
  assert.equal(state.reading.gap, "too many");
});

test("The result is stale only while the box holds another text", () => {
  const state = with_answer(initial_state(TEXT, "light"));

  assert.equal(is_stale(state), false);
  assert.equal(is_stale({ ...state, text: "was bad" }), true);
  assert.equal(is_stale(initial_state(TEXT, "light")), false);
});

test("The pointed row is shown before the pinned one", () => {
  const state = with_answer(initial_state(TEXT, "light"));

  assert.equal(shown_row(state), 3);
  assert.equal(shown_row({ ...state, point: { row: 1, column: 0 } }), 1);
});

test("Stretching ends the scale at the map's maximum", () => {
  const state = with_answer(initial_state(TEXT, "light"));

  assert.equal(color_ceiling(state, open_map(state)), 1);
  assert.equal(color_ceiling({ ...state, scale: "stretched" }, open_map(state)), 0.8);
  assert.equal(color_ceiling({ ...state, scale: "stretched" }, [[0]]), 1);
});

test("The store tells each change with the whole state", () => {
  const heard = [];
  const store = create_store(initial_state("a", "light"), (state) => heard.push(state.text));

  store.update({ text: "b" });

  assert.deepEqual(heard, ["b"]);
  assert.equal(store.get().theme, "light");
});
