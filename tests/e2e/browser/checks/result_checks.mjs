// What the sentence gives: label, probability, marked negation, and what stays while typing.

import assert from "node:assert/strict";
import { classify, open_first_visit, open_visit } from "../visit.mjs";

/** @type {import("../visit.mjs").Check[]} */
export const RESULT_CHECKS = [
  { name: "the first visit shows the example already classified", run: first_visit },
  { name: "the page carries the strict policy", run: strict_policy },
  { name: "a typed sentence changes the label", run: typed_sentence },
  { name: "an example is a click away", run: example_button },
  { name: "the old result stays, marked, while the next is typed", run: stale_result },
  { name: "the latest question wins", run: latest_wins },
];

async function first_visit(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  const info = await (await page.request.get(`${url}/v1/info`)).json();
  const num_heads = info.config.num_layers * info.config.num_heads;

  assert.equal(await page.locator("#text").inputValue(), "The movie was not bad");
  assert.equal(await page.locator("#label").textContent(), "Positive");
  assert.match(await page.locator("#score").textContent(), /^\d+\.\d\u00a0%$/);
  assert.equal(await page.locator("#words .negator bdi").textContent(), "not");
  assert.equal(await page.locator(".head-tile").count(), num_heads);
  assert.equal(await page.locator(`.head-tile[aria-selected="true"]`).count(), 1);
  assert.match(await page.locator("#looks-title").textContent(), /bad/);
  await page.locator("#token-count", { hasText: /^\d+ of at most \d+ tokens$/ }).waitFor();
  assert.match(await page.locator(".caution").textContent(), /does not by itself show why/);
  return visit;
}

async function strict_policy(browser, url) {
  const visit = await open_visit(browser, url);
  const policy = (await visit.page.goto(url)).headers()["content-security-policy"];

  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
  ]) {
    assert.ok(policy.includes(rule), `${rule} is not in ${policy}`);
  }
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  return visit;
}

async function typed_sentence(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;

  await classify(page, "The movie was bad");

  assert.equal(await page.locator("#label").textContent(), "Negative");
  assert.equal(await page.locator("#words .negator").count(), 0);
  assert.match(await page.locator("#heads-lead").textContent(), /look at one other word/);
  await page.waitForFunction(() =>
    document.getElementById("status").textContent.startsWith("Negative,"),
  );
  return visit;
}

async function example_button(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;

  await page.locator("#examples button", { hasText: "The movie was bad" }).click();
  await page.locator("#label", { hasText: "Negative" }).waitFor();

  assert.equal(await page.locator("#text").inputValue(), "The movie was bad");
  return visit;
}

async function stale_result(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;

  await page.locator("#text").pressSequentially(", or was it");

  assert.equal(await page.locator("#label").textContent(), "Positive");
  assert.equal(await page.locator("#result").getAttribute("data-stale"), "true");
  assert.match(await page.locator("#result").textContent(), /not classified yet/);
  assert.match(await page.locator("#token-count").textContent(), /before your edit/);
  return visit;
}

async function latest_wins(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  let release = () => {};
  const held = new Promise((resolve) => (release = resolve));
  await page.route("**/v1/classify", (route) => held.then(() => route.continue().catch(() => {})), {
    times: 1,
  });

  await page.locator("#text").fill("The movie was good");
  await page.locator("#text").press("Enter");
  await page.locator(`#page[aria-busy="true"]`).waitFor();
  await classify(page, "The movie was bad");
  release();
  // There is nothing to wait for: an answer that would come now must not.
  await page.waitForTimeout(500);

  assert.equal(await page.locator("#words").textContent(), "The movie was bad");
  assert.equal(await page.locator("#page").getAttribute("aria-busy"), "false");
  return visit;
}
