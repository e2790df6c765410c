// Pictures of the page as a reader meets it: for the README, and to be looked at after a change.

import { join } from "node:path";
import { classify, explained, open_first_visit } from "./visit.mjs";

const PLAIN = "The movie was bad";
const LONG = "Not subtle and never short, but I adored every minute of this odd little film.";
const TOO_LONG = "I never saw this. ".repeat(80);
const THEMES = [
  { theme: "light", options: { colorScheme: "light" } },
  { theme: "dark", options: { colorScheme: "dark" } },
  {
    theme: "phone",
    options: { colorScheme: "light", viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  },
];

/** @type {{name: string, show: (page: import("playwright-core").Page) => Promise<void>}[]} */
const STATES = [
  { name: "", show: explained },
  { name: "plain", show: (page) => settled(page, PLAIN) },
  { name: "long", show: (page) => settled(page, LONG) },
  { name: "error", show: refused },
  { name: "experiment", show: switched_off },
];

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {string} folder
 */
export async function take_screenshots(browser, url, folder) {
  for (const { theme, options } of THEMES) {
    const { page, context } = await open_first_visit(browser, url, options);
    for (const { name, show } of STATES) {
      await show(page);
      await page.evaluate(() => document.activeElement?.blur());
      const path = join(folder, `${[theme, name].filter(Boolean).join("-")}.png`);
      await page.screenshot({ path, fullPage: true });
    }
    await context.close();
  }
}

async function settled(page, text) {
  await classify(page, text);
  await explained(page);
}

async function refused(page) {
  await page.locator("#text").fill(TOO_LONG);
  await page.locator("#text").press("Enter");
  await page.locator("#message", { hasText: "too long" }).waitFor();
}

async function switched_off(page) {
  await settled(page, "The movie was not bad");
  await page.locator("#head-ways button").last().click();
  await page.locator(`#head-tools [data-act="off"]`).click();
  await page.locator("#change-of-f").waitFor();
  await explained(page);
}
