// Drives the page in a real browser against the real program:
//   node run.mjs --server build/release/bin/notbad-server
//                [--screenshots DIR] [--only PART_OF_A_NAME] [--chromium PATH]
// The last line is "N passed, N failed"; the exit code is 0 only where nothing failed.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { ACCESS_CHECKS } from "./checks/access_checks.mjs";
import { EXPERIMENT_CHECKS } from "./checks/experiment_checks.mjs";
import { EXPLAIN_CHECKS } from "./checks/explain_checks.mjs";
import { EXPORT_CHECKS } from "./checks/export_checks.mjs";
import { FAULT_CHECKS } from "./checks/fault_checks.mjs";
import { HEAD_CHECKS } from "./checks/head_checks.mjs";
import { LAB_CHECKS } from "./checks/lab_checks.mjs";
import { RESULT_CHECKS } from "./checks/result_checks.mjs";
import { TEXT_CHECKS } from "./checks/text_checks.mjs";
import { take_screenshots } from "./screenshots.mjs";
import { start_service } from "./service_process.mjs";

// Every check gets a browser context of its own.
const CHECKS = [
  ...RESULT_CHECKS,
  ...EXPLAIN_CHECKS,
  ...HEAD_CHECKS,
  ...EXPERIMENT_CHECKS,
  ...EXPORT_CHECKS,
  ...TEXT_CHECKS,
  ...LAB_CHECKS,
  ...FAULT_CHECKS,
  ...ACCESS_CHECKS,
];
const CHECK_TIMEOUT_MS = 120_000;

const { values: options } = parseArgs({
  options: {
    server: { type: "string" },
    screenshots: { type: "string" },
    only: { type: "string", default: "" },
    chromium: { type: "string", default: "/usr/bin/chromium" },
  },
});
if (options.server === undefined) throw new Error("--server is missing: the path of notbad-server");

const service = await start_service(options.server);
// Chromium's sandbox refuses to run as root.
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await chromium
  .launch({ executablePath: options.chromium, args })
  .catch(async (error) => {
    await service.stop();
    throw error;
  });

let num_passed = 0;
let num_failed = 0;
for (const check of CHECKS.filter(({ name }) => name.includes(options.only)))
  await report(check.name, () => watched(check));
if (options.screenshots !== undefined) {
  await mkdir(options.screenshots, { recursive: true });
  await report("screenshots are taken", () =>
    take_screenshots(browser, service.url, options.screenshots),
  );
}
await browser.close();
await report("the server ends with exit code 0", async () => assert.equal(await service.stop(), 0));
console.log(`${num_passed} passed, ${num_failed} failed`);
process.exitCode = num_failed === 0 ? 0 : 1;

/** Runs a check; whatever it did, the page must have kept quiet and to itself. */
async function watched(check) {
  const { seen } = await check.run(browser, service.url);
  assert.deepEqual(seen.errors, [], "errors on the console");
  assert.deepEqual(seen.foreign_requests, [], "requests to another origin");
}

async function report(name, run) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`took longer than ${CHECK_TIMEOUT_MS / 1000} s`)),
      CHECK_TIMEOUT_MS,
    );
  });
  try {
    await Promise.race([run(), timeout]);
    num_passed += 1;
    console.log(`ok      ${name}`);
  } catch (error) {
    num_failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
  } finally {
    clearTimeout(timer);
    await Promise.all(browser.contexts().map((context) => context.close()));
  }
}
