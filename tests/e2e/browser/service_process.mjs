// Starts the program under test on a free port, and ends only what it started.

import { spawn } from "node:child_process";
import { once } from "node:events";

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Resolves once the program says where it listens. A path that ends in .mjs is run by node.
 * @param {string} program
 */
export async function start_service(program) {
  const command = program.endsWith(".mjs") ? [process.execPath, program] : [program];
  const child = spawn(command[0], [...command.slice(1), "--port", "0"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await listening_url(child, program);
  return { url, stop: () => stop(child) };
}

function listening_url(child, program) {
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (what) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new Error(`${program} ${what}\n${output}`));
    };
    const timer = setTimeout(
      () => fail("did not say 'listening on http://...' in time"),
      START_TIMEOUT_MS,
    );
    const read = (chunk) => {
      output += chunk;
      const match = output.match(/listening on (http:\/\/[^\s/]+)/);
      if (match === null) return;
      clearTimeout(timer);
      resolve(match[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("error", (error) => fail(`does not start: ${error.message}`));
    child.on("exit", (code) => fail(`ended with exit code ${code}`));
  });
}

/** The exit code after SIGTERM; null where it had to be killed. */
async function stop(child) {
  if (child.exitCode !== null) return child.exitCode;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  const [code] = await ended;
  clearTimeout(timer);
  return code;
}
