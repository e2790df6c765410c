// @ts-check
// What stands around the input: the token count, the examples, and what went wrong.

import { counted } from "../lib/format.js";
import { make } from "../lib/dom.js";
import { is_stale } from "../state.js";

/** @typedef {import("../types.js").State} State */

/** @type {{kind: string, text: string}[]} */
export const EXAMPLES = [
  { kind: "negated", text: "The movie was not bad" },
  { kind: "plain", text: "The movie was bad" },
  { kind: "double negation", text: "It is not without charm" },
  { kind: "negation that ends early", text: "Not subtle, but I adored it" },
  { kind: "never, as praise", text: "I never enjoyed a film more" },
  { kind: "without a “not”", text: "Hardly a masterpiece" },
];

/** @param {HTMLElement} element */
export function render_examples(element) {
  const buttons = EXAMPLES.map(({ kind, text }) =>
    make(
      "button",
      { type: "button", class: "example", "data-try": text },
      make("small", {}, kind),
      make("span", {}, text),
    ),
  );
  element.replaceChildren(...buttons);
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_token_count(element, state) {
  if (state.is_slow) {
    element.replaceChildren(
      "Still waiting for the server. ",
      make("button", { type: "button", class: "text-button", id: "cancel" }, "Cancel"),
    );
    return;
  }
  const count = state.reading?.answer.results[0].token_count;
  if (count === undefined) {
    element.textContent = "";
    return;
  }
  const limit = state.info?.limits.tokens;
  const counts =
    limit === undefined ? counted(count, "token") : `${count} of at most ${limit} tokens`;
  element.textContent = is_stale(state) ? `${counts} before your edit` : counts;
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_notice(element, state) {
  element.hidden = state.notice === "";
  element.textContent = state.notice;
}

/**
 * Shows the message, with a way to try again; the button waits as long as the server asked.
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_message(element, state) {
  element.hidden = state.message === null;
  if (state.message === null) {
    element.replaceChildren();
    return;
  }
  const { text, retry_at_ms } = state.message;
  element.replaceChildren(make("span", {}, text));
  if (retry_at_ms === null) return;
  const is_early = retry_at_ms > Date.now();
  element.append(
    make("button", { type: "button", class: "quiet-button", disabled: is_early }, "Try again"),
  );
}
