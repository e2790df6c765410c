// @ts-check
// The second sentence: asked under the same experiments on heads, drawn beside the first.

import { classify } from "./api.js";
import { by_id } from "./lib/dom.js";
import { for_other_text, interventions_of } from "./lib/experiments.js";
import { problem_sentence } from "./lib/problems.js";
import { reading_of } from "./reading.js";
import { make_second_card, render_pair, render_second_ideas } from "./views/second_view.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./asking.js").Store} Store */

/**
 * @param {HTMLElement} element
 * @param {Store} store
 * @returns {(state: State) => void}  for each change while there is a second sentence
 */
export function attach_second(element, store) {
  let latest = new AbortController();
  let asked = "";
  /** @type {unknown[]} */
  let drawn = [];
  const field = make_second_card(element, store.get().second?.text ?? "");
  const wants = (/** @type {string} */ text) =>
    store.update({ second: { text, reading: store.get().second?.reading ?? null, message: "" } });

  element.addEventListener("submit", (event) => {
    event.preventDefault();
    wants(field.value);
  });
  element.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button?.id === "second-end") store.update({ second: null });
    const text = button?.dataset.second;
    if (text === undefined) return;
    field.value = text;
    wants(text);
  });

  async function ask(/** @type {string} */ text) {
    latest.abort();
    const own = (latest = new AbortController());
    const experiments = for_other_text(store.get().experiments);
    const interventions = interventions_of(experiments);
    const outcome = await classify(text, { mode: "full" }, interventions, own.signal);
    if (own.signal.aborted || store.get().second?.text !== text) return;
    store.update({
      second:
        outcome.problem === null
          ? { text, reading: reading_of(text, outcome.value, "", experiments), message: "" }
          : { text, reading: null, message: problem_sentence(outcome.problem) },
    });
  }

  return (state) => {
    const { second } = state;
    if (second === null) return;
    const question = JSON.stringify([second.text, for_other_text(state.experiments)]);
    if (second.text !== "" && question !== asked) {
      asked = question;
      ask(second.text);
    }
    if (document.activeElement !== field && field.value !== second.text) field.value = second.text;
    const parts = [
      ...[second.reading, second.message, state.reading, state.explanation, state.open],
      ...[state.theme, state.scale, state.grouping, state.hides_special],
    ];
    if (drawn.length > 0 && parts.every((part, index) => part === drawn[index])) return;
    drawn = parts;
    by_id("second-message").textContent = second.message;
    render_second_ideas(by_id("second-ideas"), state);
    render_pair(by_id("pair"), state);
  };
}
