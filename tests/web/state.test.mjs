import assert from "node:assert/strict";
import { test } from "node:test";
import { reading_of, with_target } from "../../web/src/reading.js";
import {
  answered,
  color_ceiling,
  create_store,
  explanation_of,
  informed,
  initial_state,
  is_stale,
  open_map,
  opened,
  regrouped,
  retargeted,
  shown_ceiling,
  shown_map,
  shown_row,
} from "../../web/src/state.js";
import { answer_for, even_weights } from "./support/sentences.mjs";

const TEXT = "was not bad";
const WORDS = [["was"], ["not"], ["bad"]];

function reading({ layer, head } = { layer: 1, head: 2 }, text = TEXT) {
  const weights = even_weights(2, 3, 5);
  weights[layer][head][3] = [0, 0.1, 0.8, 0.1, 0];
  return reading_of(text, answer_for(TEXT, WORDS, { cues: [1], weights }), "");
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

test("The word that heads are compared by is told once and kept while the sentence stays", () => {
  const state = with_answer(initial_state(TEXT, "light"));

  const told = { ...state, ...retargeted(state, with_target(state.reading, 0)) };
  const again = with_answer(told);
  const moved = retargeted({ ...state, cursor: { row: 0, column: 0 } }, told.reading);

  assert.deepEqual(told.cursor, { row: 1, column: 2 });
  assert.equal(told.reading.scores.from, 0);
  assert.equal(again.reading.scores.from, 0);
  assert.deepEqual(Object.keys(moved), ["reading"]);
});

test("A head that opened by itself gives way to the strongest of the next sentence", () => {
  const state = with_answer(initial_state(TEXT, "light"));

  const next = with_answer(state, reading({ layer: 0, head: 1 }, "was  not bad"));

  assert.deepEqual(next.open, { layer: 0, head: 1 });
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

const INFO = { negation_head: { layer: 0, head: 0 } };

test("A head that opened by itself stays while only the experiments change", () => {
  const state = with_answer(initial_state(TEXT, "light"));

  assert.deepEqual(with_answer(state, reading({ layer: 0, head: 1 })).open, { layer: 1, head: 2 });
});

test("The model's own negation head opens first, and never takes the place of a chosen one", () => {
  const state = with_answer(initial_state(TEXT, "light"));

  assert.deepEqual(informed(state, INFO).open, { layer: 0, head: 0 });
  assert.deepEqual(
    with_answer({...initial_state(TEXT, "light"), info: INFO }).open, INFO.negation_head
  );
  assert.equal(informed({ ...state, ...opened({ layer: 0, head: 1 }) }, INFO).open, undefined);
});

test("Without a negation word the negation head is one of many", () => {
  const plain = reading_of(TEXT, answer_for(TEXT, WORDS, { weights: even_weights(2, 3, 5) }), "");
  const state = with_answer(
    {...initial_state(TEXT, "light"), info: { negation_head: { layer: 1, head: 1 } } }, plain
  );

  assert.deepEqual(state.open, { layer: 0, head: 0 });
});

test("An explanation counts for its own sentence only, and is old for other experiments", () => {
  const state = with_answer(initial_state(TEXT, "light"));
  const explanation = { reading: state.reading, value: {} };
  const other = reading(undefined, "another");
  const changed = { ...state.reading, experiments: [{ kind: "off", layer: 0, head: 0 }] };

  assert.equal(explanation_of({ ...state, explanation }).is_old, false);
  assert.equal(explanation_of({ ...state, explanation, reading: changed }).is_old, true);
  assert.equal(explanation_of({ ...state, explanation, reading: other }), null);
});

test(
  "Hiding special tokens keeps the cursor on the negated word, and the scale on what is drawn",
  () => {
    const state = with_answer(initial_state(TEXT, "light"));
    const hidden = {...state, ...regrouped(state, { hides_special: true }) };

    assert.deepEqual(hidden.cursor, { row: 2, column: 1 });
    assert.deepEqual(
      shown_map(hidden).columns.map((unit) => unit.label), ["was", "not", "bad", "hidden"]
    );
    assert.equal(shown_ceiling({ scale: "stretched" }, shown_map(hidden)), 0.8);
  }
);
