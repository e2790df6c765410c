// A page in a browser context of its own, watched from the first byte: errors, requests, answers.

/**
 * What a reader can do on the page; `run` gives back the visit, which must have kept quiet.
 * @typedef {{
 *   name: string,
 *   run: (browser: import("playwright-core").Browser, url: string) => Promise<Visit>,
 * }} Check
 */

/** @typedef {Awaited<ReturnType<typeof open_visit>>} Visit */

const ACTION_TIMEOUT_MS = 30_000;

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function open_visit(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const seen = { errors: [], foreign_requests: [], answers: [], explanations: [] };
  page.on("console", (message) => {
    // Chromium also reports each answer of 400 and above here, which some checks provoke.
    const is_status_report = /^Failed to load resource/.test(message.text());
    if (message.type() === "error" && !is_status_report) seen.errors.push(message.text());
  });
  page.on("pageerror", (error) => seen.errors.push(error.message));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== url) seen.foreign_requests.push(request.url());
  });
  page.on("response", (response) => {
    if (response.url().endsWith("/v1/classify")) seen.answers.push(response);
    if (response.url().endsWith("/v1/explain")) seen.explanations.push(response);
  });
  return { page, context, seen, url };
}

/** Opens the page and waits for the example that it classifies by itself. */
export async function open_first_visit(browser, url, options, fragment = "") {
  const visit = await open_visit(browser, url, options);
  await visit.page.goto(`${url}/${fragment}`);
  await visit.page.locator("#label").waitFor();
  return visit;
}

/** Types `text`, presses Enter and waits until the result belongs to it. */
export async function classify(page, text) {
  await page.locator("#text").fill(text);
  await page.locator("#text").press("Enter");
  await page.locator(`#result[data-stale="false"]`).waitFor();
}

/** Waits until the page shows what the service found out about the sentence on the screen. */
export async function explained(page) {
  await page.locator(`#square[aria-busy="false"] #flip`).waitFor();
}

/** The latest explanation as the server sent it. */
export async function latest_explanation(seen) {
  return seen.explanations[seen.explanations.length - 1].json();
}

/** Pixels by which the page is wider than its window. */
export function sideways_scroll(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

export function tile(page, layer, head) {
  return page.locator(`.head-tile[data-layer="${layer}"][data-head="${head}"]`);
}

export function cell(page, row, column) {
  return page.locator(`#map tbody tr:nth-child(${row + 1}) td:nth-child(${column + 2})`);
}

/** The weights of the latest answer that brought any. */
export async function latest_weights(seen) {
  const body = await seen.answers[seen.answers.length - 1].json();
  return body.results[0].attention.weights;
}

/** The numbers in the cells of the open map, in percent. */
export function shown_percents(page) {
  return page
    .locator("#map tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("td")].map((td) => Number(td.textContent))),
    );
}
