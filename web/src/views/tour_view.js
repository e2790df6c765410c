// @ts-check
// The step of the tour that the page stands at, with the ways on and back as links.

import { make } from "../lib/dom.js";
import { STEPS } from "../tour.js";

/** @typedef {import("../types.js").State} State */

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_tour(element, state) {
  const step = state.step === null ? undefined : STEPS[state.step];
  element.hidden = step === undefined;
  for (const card of document.querySelectorAll("[data-toured]"))
    card.removeAttribute("data-toured");
  if (step === undefined || state.step === null) {
    element.replaceChildren();
    return;
  }
  document.getElementById(step.look)?.setAttribute("data-toured", "");
  const way =
    (/** @type {number} */ index, /** @type {string} */ id, /** @type {string} */ words) =>
      make("a", { class: "quiet-button", id, href: `#v=1&tour=${index + 1}` }, words);
  const is_last = state.step === STEPS.length - 1;
  element.replaceChildren(
    make("h2", {}, `${state.step + 1} of ${STEPS.length} · ${step.title}`),
    ...step.words.map((words) => make("p", {}, words)),
    make(
      "div",
      { class: "tour-foot" },
      ...(state.step === 0 ? [] : [way(state.step - 1, "tour-back", "Back")]),
      ...(is_last ? [] : [way(state.step + 1, "tour-next", "Next")]),
      make("button", { type: "button", class: "text-button", id: "tour-end" }, "End the tour"),
    ),
  );
}
