// Switching heads off, making them uniform, cutting links: real requests, shown before and after,
// undone.

import assert from "node:assert/strict";
import { cell, explained, latest_explanation, open_first_visit, tile } from "../visit.mjs";
import { pushed } from "./explain_checks.mjs";

/** @type {import("../visit.mjs").Check[]} */
export const EXPERIMENT_CHECKS = [
  {
    name: "a head switched off moves f by its effect, and undo brings the answer back",
    run: head_off,
  },
  {name: "a uniform head spreads evenly", run: uniform},
  {name: "a cut link is gone from the map, by button and by keyboard", run: cut},
  {name: "the keyboard alone switches a head off and undoes it", run: by_keyboard},
  {name: "a link brings sentence, head and experiments back", run: link},
  {name: "sentences of every kind survive the address", run: texts},
  {name: "back and forward move between sentences", run: history},
  {name: "a bad link falls back and says so", run: bad_link},
  {name: "two sentences stand side by side", run: second},
];

const chip = (page) => page.locator("#experiments [data-undo]").first();

async function head_off(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, seen } = visit;
  await explained(page);
  const { heads } = await latest_explanation(seen);
  const [most] = [...heads].sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
  const score = await page.locator("#score").textContent();

  await tile(page, most.layer, most.head).click();
  await page.locator(`#head-tools [data-act="off"]`).click();

  await page.locator("#change-of-f").waitFor();
  assert.equal(await page.locator("#change-of-f").textContent(), pushed(-most.effect));
  assert.match(await page.locator("#result").textContent(), /Before: ▲ Positive/);
  assert.match(
    await chip(page).textContent(),
    new RegExp(`layer ${most.layer + 1} · head ${most.head + 1} off`)
  );
  assert.match(await page.locator("#head-finding").textContent(), /switched off/);
  assert.match(await tile(page, most.layer, most.head).getAttribute("title"), /switched off/);
  assert.match(page.url(), new RegExp(`x=off-${most.layer + 1}-${most.head + 1}`));

  await chip(page).click();
  await page.locator("#change-of-f").waitFor({ state: "detached" });
  assert.equal(await page.locator("#score").textContent(), score);
  assert.doesNotMatch(page.url(), /x=/);
  return visit;
}

async function uniform(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  await explained(page);  // the tools are drawn anew when the effects arrive
  await tile(page, 0, 0).click();

  await page.locator(`#head-tools [data-act="uniform"]`).click();
  await page.locator("#change-of-f").waitFor();

  const shown = await page.locator("#map tbody td").allTextContents();
  const even = String(Math.round(100 / Math.sqrt(shown.length)));
  assert.ok(shown.every((share) => share === even), shown.join(" "));
  return visit;
}

async function cut(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  await explained(page);
  await tile(page, 1, 1).click();

  await cell(page, 5, 4).click();
  await page.locator(`#head-tools [data-act="cut"]`, { hasText: "Cut bad → not" }).click();
  await page.locator("#experiments", { hasText: "bad → not cut in layer 2 · head 2" }).waitFor();
  await page.locator("#change-of-f").waitFor();
  assert.equal(await cell(page, 5, 4).textContent(), "0");

  await cell(page, 3, 2).focus();
  await page.keyboard.press("Delete");
  await page.locator("#experiments", { hasText: "was → movie cut" }).waitFor();
  assert.equal(await page.locator("#experiments .chip").count(), 2);
  await page.keyboard.press("Escape");
  await page.locator("#experiments", { hasText: "was → movie cut" }).waitFor({ state: "detached" });
  assert.equal(await page.locator("#experiments .chip").count(), 1);
  return visit;
}

async function by_keyboard(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  await explained(page);

  await page.locator(`.head-tile[tabindex="0"]`).focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Space");
  await page.locator("#change-of-f").waitFor();
  assert.match(
    await page.evaluate(() => document.activeElement.title),
    /^Layer 1, head 1:/,
    "the focus stays on the head",
  );

  await page.keyboard.press("Space");
  await page.locator("#change-of-f").waitFor({ state: "detached" });
  return visit;
}

async function link(browser, url) {
  const first = await open_first_visit(browser, url);
  await tile(first.page, 2, 1).click();
  await first.page.locator(`#head-tools [data-act="off"]`).click();
  await first.page.locator("#change-of-f").waitFor();
  await first.page.locator("#special-switch").click();
  await first.page.locator("#scale-switch").click();
  const address = first.page.url();
  const change = await first.page.locator("#change-of-f").textContent();
  const map = await first.page.locator("#map table").textContent();
  await first.context.close();

  const visit = await open_first_visit(browser, url, {}, new URL(address).hash);
  const { page } = visit;
  await page.locator("#change-of-f").waitFor();

  assert.equal(await page.locator("#change-of-f").textContent(), change);
  assert.equal(await page.locator("#map-title").textContent(), "Layer 3 · head 2");
  assert.equal(await page.locator("#map table").textContent(), map);
  assert.equal(await page.locator("#scale-switch").getAttribute("aria-pressed"), "true");
  assert.equal(page.url(), address);
  return visit;
}

async function texts(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, seen } = visit;
  for (const text
         of [`a & b # c % d + e = "f" 'g'`, "👩\u200d🚀 was not bad", "שלום was not bad"]) {
    await page.locator("#text").fill(text);
    await page.locator("#text").press("Enter");
    await page.locator(`#result[data-stale="false"]`).waitFor();
    await page.reload();
    await page.locator("#label").waitFor();
    assert.equal(await page.locator("#text").inputValue(), text);
  }
  const sent = seen.answers.map((response) => response.url());
  assert.ok(sent.every((address) => !address.includes("#") && !address.includes("?")));
  return visit;
}

async function history(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  await page.locator("#text").fill("The movie was bad");
  await page.locator("#text").press("Enter");
  await page.locator("#label", { hasText: "Negative" }).waitFor();
  await tile(page, 0, 1).click();

  await page.goBack();
  await page.locator("#label", { hasText: "Positive" }).waitFor();
  assert.equal(await page.locator("#text").inputValue(), "The movie was not bad");

  await page.goForward();
  await page.locator("#label", { hasText: "Negative" }).waitFor();
  assert.equal(await page.locator("#map-title").textContent(), "Layer 1 · head 2");
  return visit;
}

async function bad_link(browser, url) {
  const visit = await open_first_visit(browser, url, {}, "#v=1&s=Not+bad&l=99&h=1&x=burn-1-1");
  const { page } = visit;

  assert.match(await page.locator("#notice").textContent(), /experiments could not be read/);
  assert.equal(await page.locator("#text").inputValue(), "Not bad");
  assert.notEqual(await page.locator("#map-title").textContent(), "Layer 99 · head 1");
  return visit;
}

async function second(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  await explained(page);

  await page.locator("#second-start").click();
  await page.locator("#second-ideas button", { hasText: "The movie was bad" }).click();
  await page.locator(`.pair-side[data-tone="negative"]`).waitFor();

  assert.equal(await page.locator(".pair-side").count(), 2);
  assert.equal(await page.locator(".pair-side .map-table").count(), 2);
  assert.match(await page.locator("#pair-difference").textContent(), /^▼/);
  assert.match(page.url(), /b=The\+movie\+was\+bad/);
  await page.locator("#second-end").click();
  assert.equal(await page.locator("#second").isVisible(), false);
  return visit;
}
