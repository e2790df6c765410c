// Pictures of the page as a reader meets it: for the README, and to be looked at after a change.

import { join } from "node:path";
import { classify, open_first_visit } from "./visit.mjs";

const LONG = "Not subtle and never short, but I adored every minute of this odd little film.";

const SHOTS = [
  { name: "light", options: { colorScheme: "light" } },
  { name: "dark", options: { colorScheme: "dark" } },
  {
    name: "phone",
    options: { colorScheme: "light", viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  },
  { name: "long", options: { colorScheme: "light" }, text: LONG },
];

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {string} folder
 */
export async function take_screenshots(browser, url, folder) {
  for (const { name, options, text } of SHOTS) {
    const { page, context } = await open_first_visit(browser, url, options);
    if (text !== undefined) await classify(page, text);
    await page.evaluate(() => document.activeElement?.blur());
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    await context.close();
  }
}
