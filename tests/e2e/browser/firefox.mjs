// The page in Debian's firefox-esr against the real program, by hand:
//   node firefox.mjs --server build/release/bin/notbad-server [--screenshots DIR] [--firefox PATH]
// The last line is "N passed, N failed"; the exit code is 0 only where nothing failed.

import assert from "node:assert/strict";
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { start_firefox } from "./marionette.mjs";
import { start_service } from "./service_process.mjs";

const WAIT_MS = 30_000;
const SUITE_WAIT_MS = 300_000;
const WINDOW = { width: 1280, height: 900 };

const { values: options } = parseArgs({
  options: {
    server: { type: "string" },
    screenshots: { type: "string" },
    firefox: { type: "string", default: "/usr/bin/firefox-esr" },
  },
});
if (options.server === undefined) throw new Error("--server is missing: the path of notbad-server");
await access(options.firefox).catch(() => {
  throw new Error(`${options.firefox} is missing - run: apt-get install firefox-esr`);
});

const CHECKS = [
  { name: "lab", run: first_visit },
  { name: "plain", run: plain },
  { name: "negated", run: negated },
  { name: "suite", run: suite },
];

const service = await start_service(options.server);
const firefox = await start_firefox(options.firefox).catch(async (error) => {
  await service.stop();
  throw error;
});
await firefox.send("WebDriver:SetWindowRect", WINDOW);
if (options.screenshots !== undefined) await mkdir(options.screenshots, { recursive: true });

let num_failed = 0;
for (const check of CHECKS) {
  try {
    await check.run();
    assert.equal(await sideways_scroll(), 0, "pixels to scroll sideways");
    console.log(`ok      ${check.name}`);
  } catch (error) {
    num_failed += 1;
    console.log(`FAILED  ${check.name}\n${error.stack}`);
  }
  if (options.screenshots !== undefined) await screenshot(check.name);
}
await firefox.stop();
await service.stop();
console.log(`${CHECKS.length - num_failed} passed, ${num_failed} failed`);
process.exitCode = num_failed === 0 ? 0 : 1;

async function first_visit() {
  await firefox.send("WebDriver:Navigate", { url: service.url });
  await until_explained("The movie was not bad");

  assert.equal(await text_of("#label"), "Positive");
  assert.match(await text_of(".finding"), /flips .*: from negative to positive\.$/);
  const { config } = await (await fetch(`${service.url}/v1/info`)).json();
  const num_maps = await evaluate(`document.querySelectorAll(".head-thumb").length`);
  assert.equal(num_maps, config.num_layers * config.num_heads);
  const columns = await evaluate(`document.querySelectorAll("#map thead th").length`);
  assert.equal(columns, Number.parseInt(await text_of("#token-count"), 10));
}

async function plain() {
  await classify("The movie was bad");

  assert.equal(await text_of("#label"), "Negative");
  assert.match(await text_of("#square"), /No negation word found/);
}

async function negated() {
  await classify("I would never call it boring");

  assert.equal(await text_of("#square-title q"), "never");
  assert.match(await text_of("#words .negator"), /never$/);
}

async function suite() {
  await firefox.send("WebDriver:Navigate", { url: `${service.url}/suite` });
  await evaluate(`document.getElementById("run").click()`);
  await until(`!document.getElementById("leaders").hidden`, SUITE_WAIT_MS);

  const [, done, all] = (await text_of("#progress-words")).match(/^(\d+) of (\d+) pairs/);
  assert.equal(done, all);
  assert.ok(Number(all) > 0);
}

async function classify(text) {
  await evaluate(`(() => {
    const field = document.getElementById("text");
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new Event("input", { bubbles: true }));
    document.getElementById("ask-form").requestSubmit();
  })()`);
  await until_explained(text);
}

/** Waits until the result and the explanation are those of `text`. */
async function until_explained(text) {
  await until(`(() => {
    const words = document.querySelector("#result[data-stale='false'] #words");
    if (words === null) return false;
    const bare = words.cloneNode(true);
    bare.querySelectorAll(".negator-sign, .visually-hidden").forEach((each) => each.remove());
    const flip = document.querySelector("#square[aria-busy='false'][data-old='false'] #flip");
    return bare.textContent === ${JSON.stringify(text)} && flip !== null;
  })()`);
}

async function until(condition, wait_ms = WAIT_MS) {
  const deadline = Date.now() + wait_ms;
  while (!(await evaluate(condition))) {
    if (Date.now() > deadline) throw new Error(`not within ${wait_ms / 1000} s: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function text_of(selector) {
  return evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`);
}

async function evaluate(expression) {
  const script = `return ${expression};`;
  return (await firefox.send("WebDriver:ExecuteScript", { script, args: [] })).value;
}

function sideways_scroll() {
  return evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
}

async function screenshot(name) {
  const { value } = await firefox.send("WebDriver:TakeScreenshot", { full: true, hash: false });
  await writeFile(join(options.screenshots, `firefox-${name}.png`), Buffer.from(value, "base64"));
}
