// @ts-check
// What the page shows, in one object, and the steps from one such object to the next.

import { strongest_head } from "./lib/head_scores.js";
import { shown_map_of, unit_at, units_of } from "./lib/units.js";
import { with_target } from "./reading.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Reading} Reading */
/** @typedef {import("./types.js").HeadPlace} HeadPlace */
/** @typedef {import("./types.js").Info} Info */
/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./types.js").Theme} Theme */
/** @typedef {import("./types.js").ShownMap} ShownMap */

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
    base: null,
    explanation: null,
    explanation_gap: "",
    is_gap_lasting: false,
    is_explaining: false,
    is_busy: false,
    is_slow: false,
    message: null,
    notice: "",
    open: null,
    is_open_by_hand: false,
    cursor: { row: 0, column: 0 },
    point: null,
    theme,
    scale: "absolute",
    grouping: "words",
    hides_special: false,
    wants_table: false,
    order: "position",
    cue: 0,
    experiments: [],
    second: null,
    step: null,
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
 * The new answer. A head opened by hand stays open as long as the model has it; one that opened by
 * itself stays while only the experiments change.
 * @param {State} state
 * @param {Reading} answer
 * @param {Reading | null} [base]  the same text without experiments
 * @returns {Partial<State>}
 */
export function answered(state, answer, base = answer) {
  const is_same_text = state.reading?.text === answer.text;
  const reading = is_same_text ? with_target(answer, state.reading?.scores?.from ?? null) : answer;
  const change = {
    reading,
    base,
    experiments: reading.experiments,
    is_busy: false,
    is_slow: false,
    message: null,
    point: null,
    ...(is_same_text ? {} : { cue: 0 }),
  };
  const { open } = state;
  if (reading.weights === null) return { ...change, open: null, is_open_by_hand: false };
  const keeps_open =
    open !== null && has_head(reading.weights, open) && (state.is_open_by_hand || is_same_text);
  const is_open_by_hand = keeps_open && state.is_open_by_hand;
  return {
    ...change,
    open: keeps_open ? open : first_head(reading, state.info),
    is_open_by_hand,
    cursor: is_same_text ? state.cursor : first_cell({ ...state, reading }),
  };
}

/**
 * The same answer with its heads compared by another link. The keyboard goes along where it still
 * stands at the old one.
 * @param {State} state
 * @param {Reading} reading
 * @returns {Partial<State>}
 */
export function retargeted(state, reading) {
  const { row, column } = first_cell(state);
  const is_there = state.cursor.row === row && state.cursor.column === column;
  return { reading, ...(is_there ? { cursor: first_cell({ ...state, reading }) } : {}) };
}

/**
 * The model's facts. A head that opened by itself gives way to the one that carries negation.
 * @param {State} state
 * @param {Info} info
 * @returns {Partial<State>}
 */
export function informed(state, info) {
  const { reading } = state;
  if (reading === null || reading.weights === null || state.is_open_by_hand) return { info };
  return { info, open: first_head(reading, info) };
}

/**
 * The head that opens by itself: the model's own negation head, else the one with the largest share
 * from the negated word to its negation word beyond habit.
 * @param {Reading} reading
 * @param {Info | null} info
 * @returns {HeadPlace}
 */
export function first_head(reading, info) {
  const place = info?.negation_head ?? null;
  if (place !== null && reading.negators.size > 0 && has_head(reading.weights ?? [], place))
    return place;
  if (reading.scores === null) return { layer: 0, head: 0 };
  return strongest_head(reading.scores.beyond_habit);
}

/**
 * @param {HeadPlace} place
 * @returns {Partial<State>}
 */
export function opened(place) {
  return { open: place, is_open_by_hand: true, point: null };
}

/**
 * Another way to draw the maps; the keyboard starts again at the first cell.
 * @param {State} state
 * @param {Partial<Pick<State, "grouping" | "hides_special">>} change
 * @returns {Partial<State>}
 */
export function regrouped(state, change) {
  return { ...change, point: null, cursor: first_cell({ ...state, ...change }) };
}

/**
 * True while the text in the box is not the one that the result belongs to.
 * @param {State} state
 */
export function is_stale(state) {
  return state.reading !== null && state.reading.text !== state.text;
}

/**
 * The explanation of the sentence on the screen; `is_old` while one with the latest experiments is
 * on its way.
 * @param {State} state
 */
export function explanation_of(state) {
  const { reading, explanation } = state;
  if (reading === null || explanation === null || explanation.reading.text !== reading.text)
    return null;
  return {
    value: explanation.value,
    is_old: explanation.reading.experiments !== reading.experiments,
  };
}

/**
 * The row that the list explains: under the pointer, else the pinned one.
 * @param {State} state
 */
export function shown_row(state) {
  return state.point?.row ?? state.cursor.row;
}

/**
 * The map of the open head, token by token.
 * @param {State} state
 * @returns {number[][] | null}
 */
export function open_map(state) {
  if (state.open === null) return null;
  return state.reading?.weights?.[state.open.layer]?.[state.open.head] ?? null;
}

/**
 * @type {{
 *   map: number[][], reading: Reading, grouping: string, hides: boolean, shown: ShownMap,
 * } | null}
 */
let latest_shown = null;

/**
 * The map of the open head as drawn: by words or pieces, with or without special tokens.
 * @param {State} state
 * @returns {ShownMap | null}
 */
export function shown_map(state) {
  const map = open_map(state);
  const { reading, grouping, hides_special: hides } = state;
  if (map === null || reading === null) return null;
  const is_known =
    latest_shown?.map === map &&
    latest_shown.reading === reading &&
    latest_shown.grouping === grouping &&
    latest_shown.hides === hides;
  if (!is_known || latest_shown === null) {
    const shown = shown_map_of(map, units_of(reading, grouping), hides);
    latest_shown = { map, reading, grouping, hides, shown };
  }
  return latest_shown.shown;
}

/**
 * The share that gets the last colour of the scale.
 * @param {Pick<State, "scale">} state
 * @param {number[][]} map
 */
export function color_ceiling(state, map) {
  if (state.scale === "absolute") return 1;
  const largest = map.reduce((best, row) => Math.max(best, ...row), 0);
  return largest > 0 ? largest : 1;
}

/**
 * The same for the large map as drawn; what is hidden has no colour and does not count.
 * @param {Pick<State, "scale">} state
 * @param {ShownMap} shown
 */
export function shown_ceiling(state, { columns, values }) {
  const is_hidden = columns.map((column) => column.kind === "hidden");
  return color_ceiling(
    state,
    values.map((row) => row.filter((_, column) => !is_hidden[column])),
  );
}

/**
 * @param {(unknown)[][]} weights
 * @param {HeadPlace} place
 */
function has_head(weights, place) {
  return weights[place.layer]?.[place.head] !== undefined;
}

/**
 * From the word that a negation word acts on, to the negation word; else the last word.
 * @param {State} state
 * @returns {Cell}
 */
function first_cell({ reading, grouping, hides_special }) {
  if (reading === null) return { row: 0, column: 0 };
  const { scores, words } = reading;
  const units = units_of(reading, grouping).filter(
    (unit) => !hides_special || unit.kind !== "special",
  );
  const place_of = (/** @type {number} */ word) =>
    Math.max(0, unit_at(units, words[word]?.tokens[0] ?? 0));
  return {
    row: place_of(scores?.from ?? words.length - 1),
    column: place_of(scores?.to ?? words.length - 1),
  };
}
