// What a reader takes along equals what the screen shows.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFile} from "node:fs/promises";

import {
  classify,
  explained,
  open_first_visit,
  open_visit,
  shown_percents,
  tile,
} from "../visit.mjs";

/** @type {import("../visit.mjs").Check[]} */
export const EXPORT_CHECKS = [
  {
    name: "the picture of a head opens alone and shows the numbers of the screen",
    run: head_picture,
  },
  {name: "tables hold the numbers of the screen with their units", run: tables},
  {name: "all heads fit into one picture", run: heads_picture},
  {name: "JSON is the untouched answer, and the commands run in a shell", run: json_and_curl},
  {name: "a link is copied, or stands ready to be", run: copy_link},
  {name: "the negation suite runs to its end and links into the lab", run: suite},
  {name: "the tour leads from step to step through states of the lab", run: tour},
];

async function taken(page, what) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(`[data-export="${what}"]`).click(),
  ]);
  return readFile(await download.path());
}

async function head_picture(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, context } = visit;
  await tile(page, 1, 2).click();
  const shown = (await shown_percents(page)).flat().map(String);

  const svg = String(await taken(page, "head.svg"));
  const other = await context.newPage();
  await other.setContent(svg);
  const texts = await other.locator("svg text").allTextContents();

  assert.deepEqual(texts.filter((text) => /^\d+$/.test(text)), shown);
  assert.equal(texts[0], "The movie was not bad");
  assert.ok(texts.some((text) => text.includes("Layer 2 · head 3")), texts.join(" | "));
  assert.ok(
    texts.some((text) => text.includes("sha256")) &&
    texts.some((text) => /\d{4}-\d\d-\d\d/.test(text))
  );

  const png = await taken(page, "head.png");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  const width = Number(/width="(\d+)"/.exec(svg)[1]);
  assert.equal(png.readUInt32BE(16), 2 * width);
  return visit;
}

async function tables(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  await explained(page);
  const shown = (await shown_percents(page)).flat();

  const [names, ...lines] = String(await taken(page, "head.csv")).trimEnd().split("\r\n");
  const column = names.split(",").indexOf("attention_percent");
  assert.deepEqual(
    lines.map((line) => Math.round(Number(line.split(",")[column]))),
    shown,
  );

  const heads = String(await taken(page, "heads.csv")).trimEnd().split("\r\n");
  assert.equal(heads.length - 1, await page.locator(".head-tile").count());
  assert.match(heads[0], /effect_on_f/);
  return visit;
}

async function heads_picture(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  await explained(page);

  const png = await taken(page, "heads.png");
  const svg = String(await taken(page, "heads.svg"));

  assert.ok(png.length > 10_000);
  assert.equal(
    svg.match(/▲|▼|>0\.00</g).length >= (await page.locator(".head-tile").count()), true
  );
  return visit;
}

async function json_and_curl(browser, url) {
  const visit = await open_first_visit(browser, url, { permissions: [] });
  const { page, seen } = visit;
  await classify(page, `It's "not" bad & $HOME`);
  await explained(page);

  const everything = JSON.parse(String(await taken(page, "json")));
  const answer = await seen.answers[seen.answers.length - 1].json();
  assert.deepEqual(everything.classify, answer);
  assert.equal(everything.model.sha256, answer.model.sha256);
  assert.ok(Array.isArray(everything.explain.heads));

  await page.locator(`[data-export="curl"]`).click();
  const [line] = (await copied(page)).split("\n");
  const printed = JSON.parse(execFileSync("sh", ["-c", line], { encoding: "utf8" }));
  assert.deepEqual(printed.results, answer.results);
  return visit;
}

/** What was copied: from the clipboard, or from the field that stands in for it. */
async function copied(page) {
  await page.waitForFunction(
    () =>
      !document.getElementById("copy-box").hidden ||
      document.getElementById("status").textContent.includes("copied"),
  );
  if (await page.locator("#copy-field").isVisible())
    return page.locator("#copy-field").inputValue();
  await page.context().grantPermissions(["clipboard-read"]);
  return page.evaluate(() => navigator.clipboard.readText());
}

async function copy_link(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });

  await page.locator("#copy-link").click();

  await page.locator("#copy-field").waitFor();
  assert.equal(await page.locator("#copy-field").inputValue(), page.url());
  assert.equal(await page.evaluate(() => document.activeElement.id), "copy-field");
  return visit;
}

async function suite(browser, url) {
  const visit = await open_visit(browser, url);
  const { page } = visit;
  await page.goto(`${url}/suite`);

  await page.locator("#run").click();
  await page.locator("#save").waitFor({ timeout: 40_000 });

  const [, right, all] = /^(\d+) of (\d+)/.exec(await page.locator("#total").textContent());
  const sums =
    await page.locator("#by-distance tbody td:last-child")
      .evaluateAll(
        (cells) => cells.map((td) => td.textContent.match(/(\d+) of (\d+)/).slice(1).map(Number))
      );
  assert.equal(sums.reduce((sum, [part]) => sum + part, 0), Number(right));
  assert.equal(sums.reduce((sum, [, part]) => sum + part, 0), Number(all));
  const csv = await Promise.all([page.waitForEvent("download"), page.locator("#save").click()]);
  const lines = String(await readFile(await csv[0].path())).trimEnd().split("\r\n");
  assert.equal(lines.length - 1, Number(all));
  assert.equal(lines.slice(1).filter((line) => line.endsWith(",1")).length, Number(right));

  await page.locator("#run-heads").click();
  await page.locator("#leaderboard tbody tr").first().waitFor({ timeout: 20_000 });
  await page.locator("#stop-heads").click();
  await page.locator("#save-heads").waitFor();

  await page.locator("#which").selectOption("all");
  const text = await page.locator("#pairs tbody a").first().textContent();
  await page.locator("#pairs tbody a").first().click();
  await page.locator("#label").waitFor();
  assert.equal(await page.locator("#text").inputValue(), text);
  return visit;
}

async function tour(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  await page.locator("#tour-start").click();
  const titles = new Set();

  for (let step = 1; step < 20; step += 1) {
    await page.locator("#tour h2", { hasText: new RegExp(`^${step} of `) }).waitFor();
    await page.locator(`#result[data-stale="false"]`).waitFor();
    titles.add(await page.locator("#tour h2").textContent());
    if ((await page.locator("#tour-next").count()) === 0) break;
    if ((await page.locator("#tour h2").textContent()).includes("Switch it off"))
      await page.locator("#change-of-f").waitFor();
    await page.locator("#tour-next").click();
  }

  assert.ok(titles.size >= 6, [...titles].join(" | "));
  await page.locator("#tour-end").click();
  assert.equal(await page.locator("#tour").isVisible(), false);
  assert.doesNotMatch(page.url(), /tour/);
  return visit;
}
