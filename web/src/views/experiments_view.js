// @ts-check
// The experiments that the answer stands under, each with its way back.

import { make } from "../lib/dom.js";
import { experiment_name } from "../lib/experiments.js";
import { token_label } from "../lib/words.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Experiment} Experiment */

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_experiments(element, state) {
  const { experiments, reading } = state;
  element.hidden = experiments.length === 0;
  if (reading === null || experiments.length === 0) {
    element.replaceChildren();
    return;
  }
  const label_of = (/** @type {number[]} */ tokens) =>
    tokens
      .map((token) => (reading.tokens[token] ? token_label(reading.tokens, token) : "?"))
      .join("");
  const chips = experiments.map((experiment, index) =>
    make(
      "button",
      { type: "button", class: "chip", "data-undo": index, title: "Undo this one" },
      make("bdi", {}, experiment_name(experiment, label_of)),
      make("span", { "aria-hidden": "true" }, " ×"),
      make("span", { class: "visually-hidden" }, ", undo"),
    ),
  );
  const all =
    experiments.length > 1
      ? [make("button", { type: "button", class: "text-button", "data-undo": "all" }, "Undo all")]
      : [];
  element.replaceChildren(make("span", { class: "chips-name" }, "Experiment:"), ...chips, ...all);
}
