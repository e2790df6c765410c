// All heads small, one large: opened and read by mouse and by keyboard.

import assert from "node:assert/strict";

import {
  cell,
  explained,
  latest_weights,
  open_first_visit,
  open_visit,
  shown_percents,
  tile,
} from "../visit.mjs";

/** @type {import("../visit.mjs").Check[]} */
export const HEAD_CHECKS = [
  { name: "every small map has the colours of its weights", run: small_maps },
  { name: "a click opens a head, with the numbers of the answer", run: head_by_mouse },
  { name: "a press during which the effects arrive is a click all the same", run: held_press },
  { name: "the keyboard opens a head and walks its map", run: head_by_keyboard },
  { name: "pointing at a cell tells it and shows its row", run: hover },
  { name: "the scale ends at what its legend says", run: scale },
];

async function small_maps(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, seen } = visit;

  const differences = await page.evaluate(
    async (weights) => {
      const { color_at } = await import("/assets/src/lib/color_scale.js");
      return weights.flat().map((map, index) => {
        const canvas = document.querySelectorAll(".head-tile canvas")[index];
        const painted = canvas.getContext("2d").getImageData(0, 0, map.length, map.length).data;
        const expected = map.flat().flatMap((share) => [...color_at("light", share), 255]);
        return Math.max(...expected.map((value, i) => Math.abs(value - painted[i])));
      });
    },
    await latest_weights(seen),
  );

  // Thumbnails have 256 steps of colour, less than this apart in any channel.
  assert.ok(Math.max(...differences) <= 2, `differences by head: ${differences.join(" ")}`);
  return visit;
}

async function head_by_mouse(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, seen } = visit;

  await tile(page, 1, 2).click();

  assert.equal(await page.locator("#map-title").textContent(), "Layer 2 · head 3");
  assert.equal(await tile(page, 1, 2).getAttribute("aria-selected"), "true");
  const map = (await latest_weights(seen))[1][2];
  const shown = await shown_percents(page);
  map.forEach((row, from) => {
    const sum = row.reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - 1) <= 1e-3, `row ${from} adds up to ${sum}`);
    row.forEach((share, to) => {
      assert.equal(shown[from][to], Math.round(100 * share), `from ${from} to ${to}`);
    });
  });
  return visit;
}

async function held_press(browser, url) {
  const visit = await open_visit(browser, url);
  const { page } = visit;
  let release = () => {};
  const held = new Promise((resolve) => (release = resolve));
  const hold_back = async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  };
  await page.route("**/v1/explain", hold_back, { times: 1 });
  await page.goto(url);
  await tile(page, 1, 2).hover();
  const arrival = page.waitForResponse("**/v1/explain");

  await page.mouse.down();
  release();
  await (await arrival).finished();
  // Long enough to draw the effects, were it not for the press.
  await page.waitForTimeout(200);
  await page.mouse.up();

  await page.locator("#map-title", { hasText: "Layer 2 · head 3" }).waitFor();
  await explained(page);
  return visit;
}

async function head_by_keyboard(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  const focused = () => page.evaluate(() => document.activeElement.title);
  await explained(page);

  await page.locator(`.head-tile[tabindex="0"]`).focus();
  await page.keyboard.press("Control+Home");
  assert.match(await focused(), /^Layer 1, head 1:/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#map-title").textContent(), "Layer 2 · head 2");
  assert.match(await focused(), /^Layer 2, head 2:/);

  await page.locator(`#map td[tabindex="0"]`).focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowDown");
  const row = await page.evaluate(() => document.activeElement.parentElement.sectionRowIndex);
  assert.equal(row, 1);
  assert.match(await page.locator("#readout").textContent(), /^The gives .*\s%$/);
  await page.waitForFunction(() =>
    document.getElementById("status").textContent.startsWith("The gives"),
  );
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  assert.match(await page.locator("#looks-title").textContent(), /^movie looks at/);
  await page.locator("#theme-switch").focus();
  assert.match(await page.locator("#looks-title").textContent(), /^The looks at/);
  return visit;
}

async function hover(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, seen } = visit;
  await tile(page, 0, 0).click();
  const share = (await latest_weights(seen))[0][0][2][3];

  await cell(page, 2, 3).hover();
  assert.equal(
    await page.locator("#readout").textContent(),
    `movie gives was ${(100 * share).toFixed(1)}\u00a0%`,
  );
  assert.match(await page.locator("#looks-title").textContent(), /^movie/);

  await page.mouse.move(5, 5);
  assert.match(await page.locator("#looks-title").textContent(), /^bad/);
  return visit;
}

async function scale(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, seen } = visit;
  await tile(page, 0, 0).click();
  const largest = 100 * Math.max(...(await latest_weights(seen))[0][0].flat());

  assert.equal(await page.locator("#legend-end").textContent(), "100\u00a0%");
  await page.locator("#scale-switch").click();

  assert.equal(await page.locator("#legend-end").textContent(), `${largest.toFixed(1)}\u00a0%`);
  return visit;
}
