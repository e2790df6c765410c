import assert from "node:assert/strict";
import { test } from "node:test";
import { address_of, address_of_text, read_address } from "../../../web/src/lib/address.js";
import { initial_state } from "../../../web/src/state.js";

const EXPERIMENTS = [
  { kind: "off", layer: 3, head: 2 },
  { kind: "uniform", layer: 0, head: 11 },
  { kind: "cut", layer: 1, head: 0, from: [5, 6], to: [4] },
];

function state_of(text, change = {}) {
  return { ...initial_state(text, "light"), reading: { text, experiments: [] }, ...change };
}

test("What is shown survives the way through an address", () => {
  const state = state_of("not bad", {
    open: { layer: 3, head: 2 },
    is_open_by_hand: true,
    reading: { text: "not bad", experiments: EXPERIMENTS },
    scale: "stretched",
    grouping: "pieces",
    hides_special: true,
    wants_table: true,
    order: "effect",
    second: { text: "so bad", reading: null, message: "" },
    step: 4,
  });

  const { change, notice } = read_address(`#${address_of(state)}`);

  assert.deepEqual(change, {
    text: "not bad",
    open: { layer: 3, head: 2 },
    is_open_by_hand: true,
    experiments: EXPERIMENTS,
    scale: "stretched",
    grouping: "pieces",
    hides_special: true,
    wants_table: true,
    order: "effect",
    second: { text: "so bad", reading: null, message: "" },
    step: 4,
  });
  assert.equal(notice, "");
});

test("Any sentence survives: signs of addresses, quotes, emoji, right-to-left, breaks", () => {
  for (const text of
         ['a&b=c#d%e+f "q" \'r\'',
          "👩\u200d🚀 cafe\u0301",
          "שלום \u202enot",
          "two\nlines",
          "%2B+%"]) {
    assert.equal(read_address(address_of(state_of(text))).change.text, text);
    assert.equal(read_address(address_of_text(text)).change.text, text);
  }
});

test("A head that opened by itself is not pinned by the address", () => {
  const address = address_of(state_of("a", { open: { layer: 1, head: 1 } }));

  assert.equal(read_address(address).change.open, null);
  assert.doesNotMatch(address, /l=/);
});

test("An empty address asks for nothing", () => {
  assert.deepEqual(read_address(""), { change: {}, notice: "" });
  assert.deepEqual(read_address("#skip"), { change: {}, notice: "" });
});

test("Bad values fall back and are named", () => {
  for (const [part, name] of [
    ["l=0&h=1", "head"],
    ["l=2", "head"],
    ["l=-1&h=x", "head"],
    ["x=off-1", "experiments"],
    ["x=cut-1-1-2", "experiments"],
    ["x=burn-1-1", "experiments"],
    ["x=off-1-1-1", "experiments"],
    ["order=random", "order"],
  ]) {
    const { change, notice } = read_address(`#v=1&s=a&${part}`);
    assert.equal(change.text, "a");
    assert.match(notice, new RegExp(name), part);
    assert.equal(change.open, null);
    assert.deepEqual(change.experiments, []);
    assert.equal(change.order, "position");
  }
});

test("Of another version only the sentence is taken, and that is told", () => {
  const { change, notice } = read_address("#v=2&s=hello&l=1&h=1");

  assert.deepEqual(change, { text: "hello" });
  assert.match(notice, /another version/);
});
