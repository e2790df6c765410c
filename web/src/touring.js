// @ts-check
// Leads through the tour: shows a step's sentence, then opens its head once the model has told
// which.

import { opened } from "./state.js";
import { STEPS, tour_head } from "./tour.js";
import { render_tour } from "./views/tour_view.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Experiment} Experiment */

/**
 * @param {HTMLElement} element
 * @param {import("./asking.js").Store} store
 * @param {{
 *   show: (change: Partial<State>) => void,
 *   experiment_with: (experiment: Experiment) => void,
 * }} actions
 */
export function create_tour(element, store, { show, experiment_with }) {
  let awaits_head = false;
  /** @type {number | null} */
  let drawn = null;

  element.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button !== null) store.update({ step: null });
  });

  return {
    /**
     * @param {Partial<State>} change  what the address says; its head goes before the step's own
     */
    start(change) {
      const step = STEPS[change.step ?? 0];
      if (step === undefined) return show({ ...change, step: null });
      awaits_head = change.is_open_by_hand !== true;
      show({ ...change, text: change.text ?? step.text, order: step.order });
    },

    /**
     * To be called after each change.
     * @param {State} state
     */
    follow(state) {
      if (state.step !== drawn) {
        drawn = state.step;
        render_tour(element, state);
      }
      const step = state.step === null ? undefined : STEPS[state.step];
      const { reading } = state;
      const is_answered = reading?.text === state.text && reading.experiments.length === 0;
      if (step === undefined || !awaits_head || !is_answered) return;
      const place = tour_head(step, state);
      if (place === null) return;
      awaits_head = false;
      store.update(opened(place));
      if (step.is_off) experiment_with({ kind: "off", ...place });
      document.getElementById(step.look)?.scrollIntoView({ block: "start" });
    },
  };
}
