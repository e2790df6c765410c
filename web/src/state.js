// @ts-check
// What the page shows, in one object, and the steps from one such object to the next.

import { strongest_head } from "./lib/head_scores.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Reading} Reading */
/** @typedef {import("./types.js").HeadPlace} HeadPlace */
/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./types.js").Theme} Theme */

/**
 * @param {string} text
 * @param {Theme} theme
 * @returns {State}
 */
export function initial_state(text, theme) {
  return {
    text,
    info: null,
    reading: null,
    is_busy: false,
    message: null,
    open: null,
    is_open_by_hand: false,
    cursor: { row: 0, column: 0 },
    point: null,
    theme,
    scale: "absolute",
  };
}

/**
 * Holds the state; `on_change` hears of each change with the new one.
 * @param {State} initial
 * @param {(state: State) => void} on_change
 */
export function create_store(initial, on_change) {
  let state = initial;
  return {
    get: () => state,
    /** @param {Partial<State>} change */
    update(change) {
      state = { ...state, ...change };
      on_change(state);
    },
  };
}

/**
 * The new answer. A head opened by hand stays open as long as the model has it.
 * @param {State} state
 * @param {Reading} reading
 * @returns {Partial<State>}
 */
export function answered(state, reading) {
  const change = { reading, is_busy: false, message: null, point: null };
  if (reading.weights === null || reading.scores === null)
    return { ...change, open: null, is_open_by_hand: false };
  const { open } = state;
  const keeps_open = state.is_open_by_hand && open !== null && has_head(reading.weights, open);
  return {
    ...change,
    open: keeps_open ? open : strongest_head(reading.scores.beyond_habit),
    is_open_by_hand: keeps_open,
    cursor: first_cell(reading),
  };
}

/**
 * @param {HeadPlace} place
 * @returns {Partial<State>}
 */
export function opened(place) {
  return { open: place, is_open_by_hand: true, point: null };
}

/**
 * True while the text in the box is not the one that the result belongs to.
 * @param {State} state
 */
export function is_stale(state) {
  return state.reading !== null && state.reading.text !== state.text;
}

/**
 * The row that the list explains: under the pointer, else the pinned one.
 * @param {State} state
 */
export function shown_row(state) {
  return state.point?.row ?? state.cursor.row;
}

/**
 * The map of the open head.
 * @param {State} state
 * @returns {number[][] | null}
 */
export function open_map(state) {
  if (state.open === null) return null;
  return state.reading?.weights?.[state.open.layer]?.[state.open.head] ?? null;
}

/**
 * The share that gets the last colour of the scale.
 * @param {State} state
 * @param {number[][]} map
 */
export function color_ceiling(state, map) {
  if (state.scale === "absolute") return 1;
  const largest = map.reduce((best, row) => Math.max(best, ...row), 0);
  return largest > 0 ? largest : 1;
}

/**
 * @param {number[][][][]} weights
 * @param {HeadPlace} place
 */
function has_head(weights, place) {
  return weights[place.layer]?.[place.head] !== undefined;
}

/**
 * From the word that a negation word acts on, to the negation word; else the last word.
 * @param {Reading} reading
 * @returns {Cell}
 */
function first_cell({ scores, words }) {
  const from = words[scores?.from ?? words.length - 1];
  const to = words[scores?.to ?? words.length - 1];
  return { row: from?.tokens[0] ?? 0, column: to?.tokens[0] ?? 0 };
}
