// Texts of every kind: hostile, of other scripts, long, too long, empty.

import assert from "node:assert/strict";
import { cell, classify, open_first_visit, sideways_scroll, tile } from "../visit.mjs";

const HOSTILE =
  `<img src=x onerror="document.title='run'"> was not </script> " onmouseover="x <!-- bad`;
const WORLDLY = "שלום was not 👩\u200d🚀 cafe\u0301 \u202egood";

/** @type {import("../visit.mjs").Check[]} */
export const TEXT_CHECKS = [
  { name: "hostile text is shown letter by letter", run: hostile_text },
  { name: "joined emoji, accents and right-to-left words stay whole", run: worldly_text },
  { name: "long sentences get smaller cells, then a canvas, then no maps", run: long_sentences },
  { name: "a text over the limit is refused in a sentence and stays in the box", run: too_long },
  { name: "an empty text is answered with a sentence", run: empty_text },
];

async function hostile_text(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;

  await classify(page, HOSTILE);
  await cell(page, 2, 2).hover();

  assert.ok(
    (await page.locator("#words").textContent()).includes(
      `<img src=x onerror="document.title='run'">`,
    ),
  );
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.equal(await page.locator("[onmouseover], [onerror]").count(), 0);
  assert.match(await page.title(), /^notbad/);
  return visit;
}

async function worldly_text(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;

  await classify(page, WORLDLY);

  const words = await page.locator("#words").evaluate((element) => {
    const copy = element.cloneNode(true);
    copy.querySelectorAll(".negator-sign, .visually-hidden").forEach((sign) => sign.remove());
    return copy.textContent;
  });
  assert.equal(words, WORLDLY);
  const labels = await page.locator("#map tbody th bdi").allTextContents();
  const tops = await page.locator("#map thead th bdi").allTextContents();
  assert.deepEqual(labels, tops);
  assert.ok(
    labels.every((label) => label.trim() !== ""),
    `an empty label in ${labels.join(" | ")}`,
  );
  return visit;
}

async function long_sentences(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  const sentence = "I never saw this. ";

  await classify(page, sentence.repeat(8));
  assert.equal(await page.locator(".map-cells").count(), 1);

  await classify(page, sentence.repeat(16));
  await page.locator(".map-plane").focus();
  await page.keyboard.press("ArrowDown");
  assert.match(await page.locator("#readout").textContent(), /gives/);
  await page.locator("#table-switch").click();
  assert.equal(await page.locator("#map td").first().isVisible(), true);
  await page.locator("#table-switch").click();

  await classify(page, sentence.repeat(35));
  assert.match(
    await page.locator("#heads-lead").textContent(),
    /each comes when you open it\. All come for up to \d+ tokens\.$/,
  );
  await tile(page, 1, 1).click();
  await page.locator(".map-plane").waitFor();
  assert.equal(await sideways_scroll(page), 0);
  return visit;
}

async function too_long(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  const text = "I never saw this. ".repeat(80);

  await page.locator("#text").fill(text);
  await page.locator("#text").press("Enter");
  await page.locator("#message", { hasText: "too long" }).waitFor();

  assert.match(await page.locator("#message").textContent(), /\d+/);
  assert.equal(await page.locator("#text").inputValue(), text);
  assert.equal(await page.locator("#message button").count(), 0);
  return visit;
}

async function empty_text(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;

  await page.locator("#text").fill(" \u200b ");
  await page.locator("#text").press("Enter");
  await page.locator("#message", { hasText: "Write a sentence" }).waitFor();

  assert.equal(await page.evaluate(() => document.activeElement.id), "message");
  await page.locator("#text").fill("Good");
  assert.equal(await page.locator("#message").isVisible(), false);
  return visit;
}
