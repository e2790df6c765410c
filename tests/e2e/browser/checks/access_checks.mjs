// Themes, phones, keyboard and screen reader, no JavaScript, and the watch itself.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { classify, open_first_visit, open_visit, sideways_scroll } from "../visit.mjs";

const PHONE = { viewport: { width: 390, height: 844 } };
const NARROW_PHONE = { viewport: { width: 320, height: 640 } };
const MAX_TAB_STOPS = 25;
const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @type {import("../visit.mjs").Check[]} */
export const ACCESS_CHECKS = [
  { name: "dark follows the system, and the switch is remembered", run: themes },
  { name: "phones need no sideways scroll", run: phones },
  {
    name: "axe finds nothing in either theme, on a phone, while typing, or in a long text",
    run: accessible,
  },
  { name: "few tab stops lead through the page", run: tab_stops },
  { name: "without JavaScript the page says how to ask by curl", run: no_script },
  { name: "the watch on the policy sees a violation", run: watch_sees },
];

async function themes(browser, url) {
  const visit = await open_first_visit(browser, url, { colorScheme: "dark" });
  const { page } = visit;
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const coldest_cell = () =>
    page
      .locator("#map tbody td")
      .evaluateAll((cells) => cells.map((td) => td.style.getPropertyValue("--ink")).join());

  assert.equal(await background(), "rgb(15, 20, 25)");
  const dark_inks = await coldest_cell();
  await page.locator("#theme-switch").click();
  assert.equal(await background(), "rgb(255, 255, 255)");
  assert.notEqual(await coldest_cell(), dark_inks);

  await page.reload();
  await page.locator("#label").waitFor();
  assert.equal(await background(), "rgb(255, 255, 255)");
  assert.equal(await page.locator("#theme-switch").textContent(), "Dark theme");
  return visit;
}

async function phones(browser, url) {
  const visit = await open_first_visit(browser, url, PHONE);
  assert.equal(await sideways_scroll(visit.page), 0);
  await classify(visit.page, "I never saw this. ".repeat(8));
  assert.equal(await sideways_scroll(visit.page), 0);
  await classify(visit.page, "a".repeat(60));
  assert.equal(await sideways_scroll(visit.page), 0);

  const narrow = await open_first_visit(browser, url, NARROW_PHONE);
  assert.equal(await sideways_scroll(narrow.page), 0);
  await narrow.context.close();
  return visit;
}

async function accessible(browser, url) {
  for (const options of [{}, { colorScheme: "dark" }, NARROW_PHONE]) {
    const { page, context } = await open_first_visit(browser, url, options);
    await assert_accessible(page);
    await page.locator("#text").fill("The movie was");
    await assert_accessible(page);
    await context.close();
  }
  const visit = await open_first_visit(browser, url, PHONE);
  await classify(visit.page, "I never saw this. ".repeat(8));
  await assert_accessible(visit.page);
  await classify(visit.page, "I never saw this. ".repeat(16));
  await assert_accessible(visit.page);
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

async function tab_stops(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  const stops = new Set();

  for (let i = 0; i < 2 * MAX_TAB_STOPS; i += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const { id, className, textContent } = document.activeElement;
      return document.activeElement === document.body ? "" : `${id}|${className}|${textContent}`;
    });
    if (stop === "" || stops.has(stop)) break;
    stops.add(stop);
  }

  assert.ok(stops.size >= 10 && stops.size <= MAX_TAB_STOPS, `${stops.size} tab stops`);
  return visit;
}

async function no_script(browser, url) {
  const visit = await open_visit(browser, url, { javaScriptEnabled: false });
  await visit.page.goto(url);

  assert.match(
    await visit.page.locator("noscript").textContent(),
    /curl -s http:\/\/127\.0\.0\.1:8080\/v1\/classify/,
  );
  return visit;
}

async function watch_sees(browser, url) {
  const visit = await open_first_visit(browser, url);
  await visit.page.evaluate(() => document.body.setAttribute("style", "color: red"));
  await visit.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));

  assert.match(visit.seen.errors.pop() ?? "nothing", /Content Security Policy/);
  return visit;
}
