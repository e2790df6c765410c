import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { create_explainer } from "../../web/src/explaining.js";
import { reading_of } from "../../web/src/reading.js";
import { create_store, initial_state } from "../../web/src/state.js";
import { answer_for } from "./support/sentences.mjs";

const real_fetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real_fetch;
});

function reading(text, experiments = []) {
  return reading_of(text, answer_for(text, [[text]]), "", experiments);
}

function page() {
  const store = create_store(initial_state("not", "light"), () => {});
  return { store, explain: create_explainer(store) };
}

test("An explanation is asked for once for a sentence and its experiments", async () => {
  const bodies = [];
  globalThis.fetch = async (path, { body }) => {
    bodies.push([path, JSON.parse(body)]);
    return Response.json({ heads: [] });
  };
  const { store, explain } = page();

  await explain(reading("not"));
  await explain(reading("not", [{ kind: "off", layer: 1, head: 2 }]));
  await explain(reading("not"));

  assert.deepEqual(bodies, [
    ["/v1/explain", { input: "not", interventions: [] }],
    ["/v1/explain", { input: "not", interventions: [{ kind: "head_off", layer: 1, head: 2 }] }],
  ]);
  assert.deepEqual(store.get().explanation.value, { heads: [] });
  assert.equal(store.get().is_explaining, false);
});

test("What keeps an explanation away is told as a sentence", async () => {
  globalThis.fetch = async () => new Response(
    JSON.stringify({ status: 422, code: "input_too_long", detail: "90 tokens; at most 64" }), {
      status: 422,
    }
  );
  const { store, explain } = page();

  await explain(reading("not"));

  assert.equal(store.get().explanation, null);
  assert.equal(
    store.get().explanation_gap, "These runs are for shorter sentences: 90 tokens; at most 64."
  );
  assert.ok(store.get().is_gap_lasting);
});

test("Only the latest sentence is explained", async () => {
  const waiting = [];
  globalThis.fetch = (_, options) =>
    new Promise((resolve, reject) => {
      options.signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      waiting.push(resolve);
    });
  const { store, explain } = page();

  const first = explain(reading("first"));
  const second = explain(reading("second"));
  waiting[1](Response.json({ heads: [] }));
  await Promise.all([first, second]);

  assert.equal(store.get().explanation.reading.text, "second");
});
