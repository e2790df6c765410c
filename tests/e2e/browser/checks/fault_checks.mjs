// A server that is busy or gone.

import assert from "node:assert/strict";
import { open_first_visit } from "../visit.mjs";

/** @type {import("../visit.mjs").Check[]} */
export const FAULT_CHECKS = [
  { name: "a busy server is asked again when it said", run: busy_server },
  { name: "a server that is gone is told, and the text is kept", run: server_gone },
];

async function busy_server(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page } = visit;
  const busy = {
    status: 503,
    headers: { "Retry-After": "1" },
    json: { status: 503, code: "overloaded", detail: "busy" },
  };
  await page.route("**/v1/classify", (route) => route.fulfill(busy), { times: 1 });

  await page.locator("#text").fill("The movie was bad");
  await page.locator("#text").press("Enter");
  await page.locator("#message", { hasText: "Try again in 1 second" }).waitFor();
  assert.equal(await page.locator("#message button").isDisabled(), true);
  await page.locator("#message button:enabled").click();

  await page.locator("#label", { hasText: "Negative" }).waitFor();
  assert.equal(await page.locator("#message").isVisible(), false);
  return visit;
}

async function server_gone(browser, url) {
  const visit = await open_first_visit(browser, url);
  const { page, context } = visit;
  await context.setOffline(true);

  await page.locator("#text").fill("The movie was bad");
  await page.locator("#text").press("Enter");
  await page.locator("#message", { hasText: "does not answer" }).waitFor();
  assert.equal(await page.locator("#text").inputValue(), "The movie was bad");
  assert.equal(await page.locator("#label").textContent(), "Positive");

  await context.setOffline(false);
  await page.locator("#message button").click();
  await page.locator("#label", { hasText: "Negative" }).waitFor();
  return visit;
}
