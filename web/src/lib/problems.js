// @ts-check
// What went wrong, as a sentence that says what to do next.

import { counted } from "./format.js";

/** @typedef {import("../types.js").Problem} Problem */

/** @type {Record<string, string>} */
const SENTENCES = {
  empty_input: "There is no word in the box yet. Write a sentence and classify it again.",
  body_too_large: "This text is longer than the server takes. Shorten it and classify it again.",
  overloaded: "The server is busy.",
  not_ready: "The server is still loading its model.",
  draining: "The server is shutting down.",
  deadline_exceeded: "The server did not finish in time. Try again.",
  unreachable:
    "The server does not answer. Start it again or check the connection; your text is kept.",
  timed_out: "No answer came within 10 seconds. Try again; your text is kept.",
  unreadable:
    "The server sent an answer that this page cannot read. Reload the page, and try again.",
};

/**
 * @param {Problem} problem
 */
export function problem_sentence(problem) {
  const told = `${problem.detail.replace(/[.\s]+$/, "")}.`;
  const sentence =
    SENTENCES[problem.code] ?? (problem.detail ? told : `The server answered ${problem.status}.`);
  if (problem.code === "input_too_long")
    return `This text is too long: ${told} Shorten it; it stays in the box.`;
  if (problem.retry_after_s > 0) {
    return `${sentence} Try again in ${counted(problem.retry_after_s, "second")}.`;
  }
  return sentence;
}
