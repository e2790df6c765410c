// What holds for the page as a whole: its weight, its speed, its rows, every number by keyboard.

import assert from "node:assert/strict";
import {readFile} from "node:fs/promises";
import {createRequire} from "node:module";

import {
  cell,
  classify,
  explained,
  open_first_visit,
  open_visit,
  sideways_scroll,
} from "../visit.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const MAX_FIRST_LOAD_BYTES = 120_000;
const MAX_PAINT_MS = 500;
const HALF_WINDOW = { viewport: { width: 640, height: 450 } };

/** @type {import("../visit.mjs").Check[]} */
export const LAB_CHECKS = [
  {name: "the first load is at most 120 KB as received, headers included", run: first_load},
  {name: "the heads of 64 tokens are painted in half a second", run: painting},
  {name: "rows add up to 100 % whatever is grouped or hidden", run: row_sums},
  {name: "at 200 % zoom nothing scrolls sideways", run: zoomed},
  {name: "axe finds nothing in the suite, the tour, a comparison, an experiment", run: accessible},
  {name: "pieces of a word are one row until they are asked for", run: pieces},
  {name: "forced colours and reduced motion keep the page whole", run: forced_colors},
];

async function first_load(browser, url) {
  const visit = await open_visit(browser, url);
  const { page, context } = visit;
  const network = await context.newCDPSession(page);
  const paths = new Map();
  const loads = [];
  network.on("Network.requestWillBeSent", ({ requestId, request }) =>
    paths.set(requestId, new URL(request.url).pathname),
  );
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    loads.push({ path: paths.get(requestId), bytes: encodedDataLength }),
  );
  await network.send("Network.enable");
  await page.goto(url);
  await explained(page);
  await page.locator("#facts", { hasText: "layers" }).waitFor();
  await page.waitForLoadState("networkidle");

  const sum = loads.reduce((total, { bytes }) => total + bytes, 0);

  const largest = loads.sort((a, b) => b.bytes - a.bytes).slice(0, 5);
  assert.equal(loads.length, paths.size, "requests that have not ended");
  for (const path of ["/", "/assets/src/main.js", "/v1/classify", "/v1/explain", "/v1/info"])
    assert.ok(loads.some((load) => load.path === path && load.bytes > 0), `${path} is not counted`);
  assert.ok(sum <= MAX_FIRST_LOAD_BYTES, `${sum} bytes; ${JSON.stringify(largest)}`);
  return visit;
}

async function painting(browser, url) {
  const visit = await open_first_visit(browser, url);

  const painted_ms = await visit.page.evaluate(async () => {
    const { paint_map } = await import("/assets/src/lib/paint.js");
    const map = Array.from({ length: 64 }, () => Array(64).fill(1 / 64));
    const begin = performance.now();
    for (let head = 0; head < 72; head += 1) {
      const canvas = document.createElement("canvas");
      paint_map(canvas, map, "light", 1);
      document.body.append(canvas);
    }
    document.body.getBoundingClientRect();
    return performance.now() - begin;
  });

  assert.ok(painted_ms < MAX_PAINT_MS, `${painted_ms} ms`);
  return visit;
}

async function row_sums(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  await classify(page, "An unbelievably overhyped documentary, but not bad");
  const assert_sums = async () => {
    const num_rows = await page.locator("#map tbody tr").count();
    for (let row = 0; row < num_rows; row += 1) {
      await cell(page, row, 0).click();
      const shares = await page.locator(".look-share").allTextContents();
      const sum = shares.reduce((total, share) => total + Number.parseFloat(share), 0);
      // Each share is rounded to a tenth.
      assert.ok(Math.abs(sum - 100) <= 0.1 + 0.05 * shares.length, `row ${row}: ${sum}`);
    }
  };

  await assert_sums();
  await page.locator("#special-switch").click();
  assert.equal(await page.locator("#map thead th").last().textContent(), "hidden");
  await assert_sums();
  return visit;
}

async function zoomed(browser, url) {
  const visit = await open_first_visit(browser, url, HALF_WINDOW);
  await explained(visit.page);

  assert.equal(await sideways_scroll(visit.page), 0);
  await visit.page.goto(`${url}/suite`);
  await visit.page.locator("#run").waitFor();
  assert.equal(await sideways_scroll(visit.page), 0);
  return visit;
}

async function assert_accessible(page) {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => (await window.axe.run()).violations);
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
    [],
  );
}

async function accessible(browser, url) {
  for (const colorScheme of ["light", "dark"]) {
    const { page, context } = await open_visit(browser, url, { colorScheme });
    await page.goto(`${url}/suite`);
    await page.locator("#run").click();
    await page.locator("#by-cue tbody tr").first().waitFor();
    await page.locator("#stop").click();
    await assert_accessible(page);
    await context.close();
  }
  const visit =
    await open_first_visit(browser, url, { colorScheme: "dark" }, "#v=1&tour=6&b=Not+good");
  const { page } = visit;
  await page.locator("#change-of-f").waitFor();
  await page.locator(".pair-side").first().waitFor();
  await page.locator("#special-switch").click();
  await assert_accessible(page);
  return visit;
}

async function pieces(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  await classify(page, "An unbelievably overhyped documentary was not bad");
  const count = () => page.locator("#map tbody tr").count();
  const words = await count();

  await page.locator("#pieces-switch").click();

  const info = await page.locator("#token-count").textContent();
  assert.equal(await count(), Number.parseInt(info, 10));
  assert.ok((await count()) > words);
  assert.match(page.url(), /unit=pieces/);
  return visit;
}

async function forced_colors(browser, url) {
  const visit =
    await open_first_visit(browser, url, { forcedColors: "active", reducedMotion: "reduce" });
  const { page } = visit;

  const fills = await page
    .locator("#map tbody td")
    .evaluateAll((cells) => new Set(cells.map((td) => getComputedStyle(td).backgroundColor)).size);

  assert.ok(fills > 1, "every cell of the map has the same colour");
  return visit;
}
