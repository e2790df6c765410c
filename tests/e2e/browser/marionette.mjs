// Drives an unpatched Firefox by Marionette, the protocol that it speaks by itself: a length, a
// colon, and JSON: [0, id, command, parameters] one way, [1, id, error, result] the other.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const START_TIMEOUT_MS = 60_000;
const PAUSE_MS = 100;

/**
 * A Firefox without a window, on a fresh profile.
 * @param {string} program
 */
export async function start_firefox(program) {
  const profile = await mkdtemp(join(tmpdir(), "notbad-firefox-"));
  // Under root it refuses a home of another user.
  const arguments_ = ["--headless", "--marionette", "--no-remote", "--profile", profile];
  const env = { ...process.env, HOME: profile };
  const child = spawn(program, arguments_, { env, stdio: "ignore" });
  const ended = once(child, "exit");
  const client = await connected(profile, child);
  await client.send("WebDriver:NewSession", { capabilities: {} });
  return {
    send: client.send,
    /** Ends it and leaves no profile behind. */
    async stop() {
      await client.send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
      await ended;
      client.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Where it listens is in a file of its profile, once it does. */
async function connected(profile, child) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const port = await readFile(join(profile, "MarionetteActivePort"), "utf8").catch(() => "");
    if (port !== "") return open_client(Number(port));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  child.kill("SIGKILL");
  throw new Error("Firefox did not say in time where it listens");
}

async function open_client(port) {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const waiting = new Map();
  let input = Buffer.alloc(0);
  let last_id = 0;
  socket.on("data", (bytes) => {
    input = Buffer.concat([input, bytes]);
    for (let message = take(); message !== null; message = take()) settle(message);
  });
  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("Firefox has gone"));
  });

  function take() {
    const colon = input.indexOf(":");
    const end = colon + 1 + Number(input.subarray(0, Math.max(0, colon)).toString());
    if (colon < 0 || input.length < end) return null;
    const message = JSON.parse(input.subarray(colon + 1, end).toString());
    input = input.subarray(end);
    return message;
  }

  // The first message says hello and answers nothing.
  function settle(message) {
    if (!Array.isArray(message)) return;
    const [, id, error, result] = message;
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === null) resolve(result);
    else reject(new Error(`${error.error}: ${error.message}`));
  }

  return {
    /**
     * @param {string} command  such as "WebDriver:Navigate"
     * @param {object} parameters
     */
    send(command, parameters) {
      const id = (last_id += 1);
      const text = JSON.stringify([0, id, command, parameters]);
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      socket.write(`${Buffer.byteLength(text)}:${text}`);
      return answer;
    },
    close: () => socket.destroy(),
  };
}
