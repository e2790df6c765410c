// What negation does, what heads and words do: the numbers of the service, as the page shows them.

import assert from "node:assert/strict";
import { classify, explained, latest_explanation, open_first_visit, tile } from "../visit.mjs";

/** @type {import("../visit.mjs").Check[]} */
export const EXPLAIN_CHECKS = [
  { name: "the first visit shows that “not” flips “bad”", run: square },
  { name: "the heads are compared by the word that the square is about", run: one_target },
  { name: "the square and the flip sentence hold the service's numbers", run: square_numbers },
  { name: "every head has its effect, and the order follows it", run: head_effects },
  { name: "the open head says whether the answer rests on it", run: head_finding },
  { name: "words stand with attention and effect, and τ with its meaning", run: words },
  { name: "without a negation word the page offers to add one", run: no_negator },
  { name: "an explanation that fails leaves the result and says why", run: no_explanation },
];

const NO_BREAK_SPACE = "\u00a0";

export function signed(value) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

export function pushed(value) {
  if (Math.abs(value) < 0.005) return "0.00";
  return `${value < 0 ? "▼" : "▲"}${NO_BREAK_SPACE}${signed(value)}`;
}

async function square(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;

  await explained(page);

  assert.equal(await page.locator("#square-title").textContent(), "What does not do?");
  assert.match(
    await page.locator(".finding").textContent(), /^not flips bad: from negative to positive\.$/
  );
  assert.match(await page.locator("#flip").textContent(), /The movie was bad is negative/);
  await page.waitForFunction(() =>
    /^Positive, .*Without “not”: negative/.test(document.getElementById("status").textContent),
  );
  return visit;
}

async function one_target(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;

  await classify(page, "I would never call it boring");
  await explained(page);

  assert.equal(await page.locator(".square-table thead th").first().textContent(), "boring");
  assert.match(await page.locator("#heads-lead").textContent(), /that boring gives to never\./);
  assert.equal(await page.locator("#looks-title q").textContent(), "boring");
  return visit;
}

async function square_numbers(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, seen } = visit;

  await explained(page);

  const { negation } = await latest_explanation(seen);
  const { square: runs, interaction } = negation.cues[0];
  const cells = await page.locator(".square-table tbody td").allTextContents();
  const order = [runs.with.word, runs.with.opposite, runs.without.word, runs.without.opposite];
  order.forEach((run, index) => {
    assert.ok(
      cells[index].includes(`${run.label}${(100 * run.score).toFixed(1)}${NO_BREAK_SPACE}%`),
      cells[index],
    );
    assert.ok(cells[index].includes(`f ${signed(run.f)}`), cells[index]);
  });
  assert.ok(cells[4].includes(pushed(runs.with.word.f - runs.without.word.f)), cells[4]);
  assert.equal(await page.locator("#interaction").textContent(), signed(interaction));
  assert.match(
    await page.locator(".crossing").getAttribute("aria-label"), /bad from .* to .*, good from/
  );
  return visit;
}

async function head_effects(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, seen } = visit;
  await explained(page);
  const { heads } = await latest_explanation(seen);

  for (const { layer, head, effect } of heads) {
    const name = await tile(page, layer, head).getAttribute("title");
    assert.ok(name.includes(`effect on f ${signed(effect)}`), name);
  }
  await page.locator("#head-order").selectOption("effect");
  const sizes =
    await page.locator(".head-tile")
      .evaluateAll(
        (tiles) => tiles.map(({ dataset }) => [Number(dataset.layer), Number(dataset.head)])
      );
  const effect_of = ([layer, head]) =>
    Math.abs(heads.find((each) => each.layer === layer && each.head === head).effect);
  sizes.slice(1).forEach((place, index) => {
    assert.ok(effect_of(place) <= effect_of(sizes[index]), `${place} after ${sizes[index]}`);
  });
  assert.equal(sizes.length, heads.length);
  return visit;
}

async function head_finding(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, seen } = visit;
  await explained(page);
  const { heads } = await latest_explanation(seen);
  const [most] = [...heads].sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
  const [least] = [...heads].sort((a, b) => Math.abs(a.effect) - Math.abs(b.effect));

  await tile(page, most.layer, most.head).click();
  assert.match(
    await page.locator("#head-finding").textContent(), /hangs on this head|This head matters/
  );
  assert.equal(await page.locator("#head-effect").textContent(), pushed(most.effect));

  await tile(page, least.layer, least.head).click();
  assert.match(await page.locator("#head-finding").textContent(), /the answer hardly rests on it/);
  return visit;
}

async function words(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, seen } = visit;
  await explained(page);
  const { words: facts, agreement } = await latest_explanation(seen);

  const rows = await page.locator(".word-table tbody tr").allTextContents();

  facts.forEach(({ text, effect }, index) => {
    assert.ok(rows[index].startsWith(text) && rows[index].endsWith(pushed(effect)), rows[index]);
  });
  assert.ok(
    (await page.locator("#agreement").textContent()).includes(`τ = ${signed(agreement.tau)}`),
  );
  await classify(page, "Not bad");
  await page.locator("#agreement", { hasText: "Fewer than 4 words: too short to say." }).waitFor();
  return visit;
}

async function no_negator(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;

  await classify(page, "The movie was bad");
  await page.locator("#square", { hasText: "No negation word found" }).waitFor();
  await page.locator("#square button", { hasText: "The movie was not bad" }).click();

  await page.locator("#label", { hasText: "Positive" }).waitFor();
  assert.equal(await page.locator("#text").inputValue(), "The movie was not bad");
  return visit;
}

async function no_explanation(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  const busy = {
    status: 503,
    headers: { "Retry-After": "7" },
    json: { status: 503, code: "overloaded" },
  };
  await page.route("**/v1/explain", (route) => route.fulfill(busy));

  await classify(page, "The plot was not dull");

  await page.locator(
              "#square", { hasText: "The server is busy. Try again in 7 seconds." }
  ).waitFor();
  assert.equal(await page.locator("#message").isVisible(), false);
  assert.equal(await page.locator("#label").isVisible(), true);
  await page.unroute("**/v1/explain");
  await page.locator("#explain-again").click();
  await explained(page);
  return visit;
}
