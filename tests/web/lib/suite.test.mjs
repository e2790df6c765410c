import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import {
  LIST_SIZE,
  answered_pairs,
  grouped,
  is_right,
  lists_of,
  num_right,
  pairs_of,
  texts_of,
  worst_first,
} from "../../../web/src/lib/suite.js";

const TSV = await readFile(new URL("../../golden/negation_suite.tsv", import.meta.url), "utf8");
const PAIRS = pairs_of(TSV);

test("Every committed row is a pair with two sentences and two labels", () => {
  assert.equal(PAIRS.length, TSV.trimEnd().split("\n").length - 1);
  for (const pair of PAIRS) {
    assert.ok(pair.sentence && pair.twin && pair.category, pair.id);
    assert.match(
      `${pair.label} ${pair.twin_label}`, /^(positive|negative) (positive|negative)$/, pair.id
    );
    assert.ok(Number.isInteger(pair.distance), pair.id);
  }
});

test("Lists hold whole pairs, no more sentences than the server takes, and all of them", () => {
  const lists = lists_of(PAIRS);

  assert.ok(lists.every((list) => texts_of(list).length <= LIST_SIZE));
  assert.deepEqual(lists.flat(), PAIRS);
});

test("A pair is right only where both sides are, and groups count pairs", () => {
  const pairs = PAIRS.slice(0, 2);
  const result = (label) =>
    ({ label, probabilities: { positive: label === "positive" ? 0.9 : 0.1 } });
  const right = [pairs[0].label, pairs[0].twin_label].map(result);
  const half = [pairs[1].label, pairs[1].label].map(result);

  const answered = answered_pairs(pairs, [...right, ...half]);

  assert.deepEqual(answered.map(is_right), [true, false]);
  assert.equal(num_right(answered), 1);
  assert.deepEqual(grouped(answered, () => "all"), [{ name: "all", num_pairs: 2, num_right: 1 }]);
  assert.equal(grouped(answered, (pair) => pair.id).length, 2);
});

test("Groups with the most wrong pairs come first, then large ones", () => {
  const group = (name, num_pairs, num_right) => ({ name, num_pairs, num_right });

  const sorted = worst_first([
    group("small", 1, 1),
    group("large", 9, 9),
    group("worst", 5, 2),
    group("bad", 9, 8),
  ]);

  assert.deepEqual(sorted.map(({ name }) => name), ["worst", "bad", "large", "small"]);
});
