import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { create_asker, create_map_asker } from "../../web/src/asking.js";
import { create_store, initial_state } from "../../web/src/state.js";
import { answer_for, even_weights } from "./support/sentences.mjs";

const real_fetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real_fetch;
});

function words_in(text) {
  return text.split(" ").map((word) => [word]);
}

function good_answer(text) {
  const words = words_in(text);
  return Response.json(answer_for(text, words, { weights: even_weights(1, 1, words.length + 2) }));
}

function problem_answer(status, code, headers = {}) {
  const init = { status, headers: { "Content-Type": "application/problem+json", ...headers } };
  return new Response(JSON.stringify({ status, code, detail: "a detail" }), init);
}

function page(text) {
  const messages = [];
  const store = create_store(initial_state(text, "light"), (state) => messages.push(state.message));
  return { store, messages, ...create_asker(store) };
}

test("The question holds the text as typed and asks for all that the page draws", async () => {
  let sent;
  globalThis.fetch = async (path, options) => {
    sent = { path, type: options.headers["Content-Type"], body: JSON.parse(options.body) };
    return good_answer("not bad");
  };

  await page("not bad").ask();

  assert.deepEqual(sent, {
    path: "/v1/classify",
    type: "application/json",
    body: {
      inputs: "not bad",
      truncate: "error",
      return_tokens: true,
      negation: "cues",
      attention: { mode: "full" },
    },
  });
});

test("The latest question wins even when the first is answered last", async () => {
  const waiting = [];
  globalThis.fetch = (_, options) =>
    new Promise((resolve, reject) => {
      options.signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      waiting.push(resolve);
    });
  const { store, messages, ask } = page("first text");

  const first = ask();
  store.update({ text: "second text" });
  const second = ask();
  waiting[1](good_answer("second text"));
  await second;
  waiting[0](good_answer("first text"));
  await first;

  assert.equal(store.get().reading.text, "second text");
  assert.ok(
    messages.every((message) => message === null),
    "the question that was replaced is no failure",
  );
});

test("Maps that are too large are left out and the result still comes", async () => {
  const modes = [];
  globalThis.fetch = async (_, options) => {
    modes.push(JSON.parse(options.body).attention.mode);
    if (modes.length === 1) return problem_answer(422, "attention_too_large");
    return Response.json(answer_for("not bad", words_in("not bad")));
  };
  const { store, ask } = page("not bad");

  await ask();

  assert.deepEqual(modes, ["full", "none"]);
  assert.match(store.get().reading.gap, /left out/);
  assert.equal(store.get().reading.weights, null);
  assert.equal(store.get().message, null);
});

test("A failure keeps the old result and gives a message", async () => {
  globalThis.fetch = async () => good_answer("not bad");
  const { store, ask } = page("not bad");
  await ask();

  globalThis.fetch = async () => problem_answer(422, "empty_input");
  await ask();

  assert.equal(store.get().reading.text, "not bad");
  assert.match(store.get().message.text, /Write a sentence/);
  assert.equal(store.get().message.retry_at_ms, null);
});

test("A busy server is asked again no sooner than it said", async () => {
  globalThis.fetch = async () => problem_answer(503, "overloaded", { "Retry-After": "3" });
  const { store, ask } = page("not bad");
  const before = Date.now();

  await ask();

  const { text, retry_at_ms } = store.get().message;
  assert.match(text, /in 3 seconds/);
  assert.ok(
    retry_at_ms >= before + 3000 && retry_at_ms <= Date.now() + 3000,
    `retry at ${retry_at_ms}`,
  );
});

test("A server that takes too long is told apart from one that is gone", async (context) => {
  const timeout = new AbortController();
  context.mock.method(AbortSignal, "timeout", () => timeout.signal);
  globalThis.fetch = (_, options) =>
    new Promise((_, reject) => {
      options.signal.addEventListener("abort", () => reject(options.signal.reason));
      timeout.abort(new DOMException("", "TimeoutError"));
    });
  const { store, ask } = page("not bad");

  await ask();

  assert.match(store.get().message.text, /within 10 seconds/);
});

test("A server that is gone, or a proxy that answers in HTML, still gives a sentence", async () => {
  const { store, ask } = page("not bad");

  globalThis.fetch = async () => {
    throw new TypeError("fetch failed");
  };
  await ask();
  assert.match(store.get().message.text, /does not answer/);

  globalThis.fetch = async () => new Response("<html>", { status: 502 });
  await ask();
  assert.equal(store.get().message.text, "The server answered 502.");

  for (const body of ["<html>", "null", '{"results": []}']) {
    globalThis.fetch = async () => new Response(body, { status: 200 });
    await ask();
    assert.match(store.get().message.text, /cannot read/, body);
  }
});

const OFF = { kind: "off", layer: 0, head: 0 };
const CUT = { kind: "cut", layer: 0, head: 0, from: [2], to: [1] };

function answering_by_interventions(asked) {
  return async (_, options) => {
    const { inputs, interventions = [] } = JSON.parse(options.body);
    asked.push(interventions);
    return good_answer(inputs);
  };
}

test("Experiments are asked for together with the answer without them", async () => {
  const asked = [];
  globalThis.fetch = answering_by_interventions(asked);
  const { store, ask } = page("not bad");
  store.update({ experiments: [OFF, CUT] });

  await ask();

  assert.deepEqual(asked, [
    [
      { kind: "head_off", layer: 0, head: 0 },
      { kind: "cut", layer: 0, head: 0, from: 2, to: 1 },
    ],
    [],
  ]);
  assert.deepEqual(store.get().reading.experiments, [OFF, CUT]);
  assert.deepEqual(store.get().base.experiments, []);
});

test("The answer without experiments is kept while they come and go", async () => {
  const asked = [];
  globalThis.fetch = answering_by_interventions(asked);
  const { store, ask } = page("not bad");
  await ask();
  const plain = store.get().reading;

  store.update({ experiments: [OFF] });
  await ask();

  assert.equal(asked.length, 2);
  assert.equal(store.get().base, plain);
});

test(
  "Another sentence keeps the heads that are off and drops the links that were cut",
  async () => {
    const asked = [];
    globalThis.fetch = answering_by_interventions(asked);
    const { store, ask } = page("not bad");
    store.update({ experiments: [OFF, CUT] });
    await ask();

    store.update({ text: "so good" });
    await ask();

    assert.deepEqual(store.get().experiments, [OFF]);
    assert.equal(store.get().base.text, "so good");
  }
);

test("Giving up leaves the old result and its experiments", async () => {
  globalThis.fetch = async () => good_answer("not bad");
  const { store, ask, cancel } = page("not bad");
  await ask();
  globalThis.fetch = () => new Promise(() => {});

  store.update({ experiments: [OFF] });
  ask();
  cancel();

  assert.deepEqual(store.get().experiments, []);
  assert.equal(store.get().is_slow, false);
});

test("Where all maps are too large, the open head's comes alone", async () => {
  const asked = [];
  globalThis.fetch = async (_, options) => {
    const { attention } = JSON.parse(options.body);
    asked.push(attention);
    if (attention.mode === "full" && attention.layers === undefined)
      return problem_answer(422, "attention_too_large");
    const weights = attention.mode === "full" ? even_weights(1, 1, 4) : undefined;
    return Response.json(answer_for("not bad", words_in("not bad"), { weights }));
  };
  const { store, ask } = page("not bad");
  store.update({
    info: { config: { num_layers: 2, num_heads: 3 }, limits: { tokens: 9, attention_values: 96 } },
  });
  await ask();
  store.update({ open: { layer: 1, head: 2 } });

  await create_map_asker(store)(store.get().reading);

  assert.deepEqual(asked[2], { mode: "full", layers: [1], heads: [2] });
  assert.equal(store.get().reading.weights[1][2].length, 4);
  assert.equal(store.get().reading.weights[0][0], null);
  assert.match(store.get().reading.gap, /up to 4 tokens/);
});
