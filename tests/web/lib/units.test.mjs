import assert from "node:assert/strict";
import { test } from "node:test";
import { reading_of } from "../../../web/src/reading.js";
import { shown_map_of, unit_at, units_of } from "../../../web/src/lib/units.js";
import { answer_for } from "../support/sentences.mjs";

const TEXT = "filmmaker not bad";
const WORDS = [["film", "maker"], ["not"], ["bad"]];
const READING = reading_of(TEXT, answer_for(TEXT, WORDS, { cues: [1] }), "");
// <s> film maker not bad </s>
const MAP = [
  [0.5, 0.1, 0.1, 0.1, 0.1, 0.1],
  [0.2, 0.3, 0.1, 0.2, 0.1, 0.1],
  [0.0, 0.1, 0.5, 0.2, 0.1, 0.1],
  [0.1, 0.1, 0.1, 0.5, 0.1, 0.1],
  [0.0, 0.1, 0.2, 0.6, 0.1, 0.0],
  [0.4, 0.1, 0.1, 0.1, 0.1, 0.2],
];

function rounded(values) {
  return values.map((row) => row.map((value) => Number(value.toFixed(6))));
}

test("Pieces of a word are summed as what is looked at and averaged as what looks", () => {
  const { rows, values } = shown_map_of(MAP, units_of(READING, "words"), false);

  assert.deepEqual(
    rows.map((unit) => unit.label),
    ["<s>", "filmmaker", "not", "bad", "</s>"],
  );
  assert.deepEqual(rounded(values)[1], [0.1, 0.5, 0.2, 0.1, 0.1]);
  assert.deepEqual(rounded(values)[3], [0, 0.3, 0.6, 0.1, 0]);
});

test("Each row adds up to 1, pieces or words, special tokens shown or hidden", () => {
  for (const grouping of ["words", "pieces"])
    for (const hides of [true, false])
      for (const row of shown_map_of(MAP, units_of(READING, grouping), hides).values)
        assert.ok(Math.abs(row.reduce((a, b) => a + b, 0) - 1) < 1e-9, `${grouping} ${hides}`);
});

test("Hidden special tokens keep one column that says how much of each row it holds", () => {
  const { rows, columns, values } = shown_map_of(MAP, units_of(READING, "words"), true);

  assert.deepEqual(
    rows.map((unit) => unit.label),
    ["filmmaker", "not", "bad"],
  );
  assert.equal(columns[3].kind, "hidden");
  assert.deepEqual(rounded(values)[0], [0.5, 0.2, 0.1, 0.2]);
});

test("As pieces the map is the model's own", () => {
  const { rows, values } = shown_map_of(MAP, units_of(READING, "pieces"), false);

  assert.deepEqual(values, MAP);
  assert.equal(rows[2].label, "·maker");
  assert.equal(rows[3].kind, "negator");
});

test("A token is found in the word that holds it", () => {
  const units = units_of(READING, "words");

  assert.equal(unit_at(units, 2), 1);
  assert.equal(unit_at(units, 99), -1);
});
