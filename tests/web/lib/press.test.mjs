import assert from "node:assert/strict";
import { test } from "node:test";
import { between_presses } from "../../../web/src/lib/press.js";

function page() {
  const target = new EventTarget();
  const done = [];
  let count = 0;
  const work = between_presses(target, () => done.push(++count));
  const hear = (name) => target.dispatchEvent(new Event(name));
  return { work, done, hear };
}

const task = () => new Promise((resolve) => setTimeout(resolve, 5));

test("With nothing pressed the work is done at once", () => {
  const { work, done } = page();

  work();

  assert.deepEqual(done, [1]);
});

for (const name of ["pointerup", "pointercancel"]) {
  test(`Work that comes due in a press is done once, after the task of its ${name}`, async () => {
    const { work, done, hear } = page();

    hear("pointerdown");
    work();
    work();
    await task();
    hear(name);
    assert.deepEqual(done, []);
    await task();

    assert.deepEqual(done, [1]);
  });
}

test("What a click changes is drawn with the click, before the next task", async () => {
  const { work, done, hear } = page();

  hear("pointerdown");
  hear("pointerup");
  work();
  assert.deepEqual(done, []);
  hear("click");
  assert.deepEqual(done, [1]);
  await task();

  assert.deepEqual(done, [1]);
});

test("A blank is a press on a button and nowhere else", async () => {
  globalThis.HTMLButtonElement = class extends EventTarget {};
  for (const [target, expected] of [[new HTMLButtonElement(), []], [new EventTarget(), [1]]]) {
    const done = [];
    const work = between_presses(target, () => done.push(1));
    const hear = (name) => target.dispatchEvent(Object.assign(new Event(name), { key: " " }));

    hear("keydown");
    work();
    assert.deepEqual(done, expected);
    hear("keyup");
    await task();

    assert.deepEqual(done, [1]);
  }
});

test("A press in which nothing came due does no work", async () => {
  const { done, hear } = page();

  hear("pointerdown");
  hear("pointerup");
  await task();

  assert.deepEqual(done, []);
});

test("A press without a release ends by itself", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { work, done, hear } = page();

  hear("pointerdown");
  work();
  t.mock.timers.tick(4999);
  assert.deepEqual(done, []);
  t.mock.timers.tick(1);

  assert.deepEqual(done, [1]);
});
