// @ts-check
// Wiring: what each event changes, and what follows a change.

import { fetch_info } from "./api.js";
import { create_asker, create_map_asker } from "./asking.js";
import { attach_address } from "./controls/address_controls.js";
import { attach_heads_controls } from "./controls/heads_controls.js";
import { attach_map_controls } from "./controls/map_controls.js";
import { attach_toolbar } from "./controls/toolbar_controls.js";
import { create_drawer } from "./drawing_views.js";
import { create_explainer } from "./explaining.js";
import { copy } from "./lib/copying.js";
import { by_id } from "./lib/dom.js";
import { toggled } from "./lib/experiments.js";
import { between_presses } from "./lib/press.js";
import { create_store, informed, initial_state, opened, regrouped } from "./state.js";
import { choose_theme, current_theme, on_system_theme } from "./theme.js";
import { render_kinds } from "./views/head_choice_view.js";
import { cut_at_cursor } from "./views/head_tools_view.js";
import { result_sentence, without_sentence } from "./views/result_view.js";
import { render_examples, render_message } from "./views/sentence_view.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Experiment} Experiment */
/** @typedef {import("./types.js").HeadPlace} HeadPlace */

// A screen reader gets the cell where the movement ends, not every one on the way.
const SPEAK_AFTER_MS = 150;

const field = /** @type {HTMLTextAreaElement} */ (by_id("text"));
const first_text = field.value;

const store = create_store(initial_state(field.value, current_theme()), on_change);
const draw = create_drawer(store.get);
const redraw = between_presses(document, draw_and_tell);
const { ask, cancel } = create_asker(store);
const ask_map = create_map_asker(store);
const explain = create_explainer(store);
const address = attach_address(store, go);
// Loaded when they are first needed.
/** @type {ReturnType<typeof import("./touring.js").create_tour> | null} */
let tour = null;
/** @type {((state: State) => void) | null} */
let follow_second = null;
/** @type {Pick<State, "reading" | "explanation" | "message" | "open">} */
let heard = { ...store.get() };
let drawn_point = store.get().point;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let speak_timer;

/** @param {State} state */
function on_change(state) {
  const before = heard;
  heard = state;
  redraw();
  address.write();
  const { reading, explanation, message } = state;
  const is_news = reading !== null && reading.answer !== before.reading?.answer;
  if (is_news) {
    speak(result_sentence(reading));
    explain(reading);
    if (state.info === null) load_info();
  }
  if (reading !== null && (is_news || state.open !== before.open)) ask_map(reading);
  if (message !== null && message !== before.message) on_failure(state);
  if (explanation !== null && explanation !== before.explanation && reading !== null)
    speak(`${result_sentence(reading)} ${without_sentence(explanation.value)}`.trim());
  tour?.follow(state);
}

function draw_and_tell() {
  draw();
  const state = store.get();
  if (state.second !== null) show_second(state);
  by_id("second").hidden = state.second === null;
  const { point } = state;
  const is_move = point !== drawn_point && by_id("map").contains(document.activeElement);
  if (is_move && point !== null) speak(by_id("readout").textContent ?? "");
  drawn_point = point;
}

/** @param {State} state */
async function show_second(state) {
  if (follow_second !== null) return follow_second(state);
  const { attach_second } = await import("./second.js");
  follow_second ??= attach_second(by_id("second"), store);
  follow_second(store.get());
}

// The next answer tries again if this fails.
async function load_info() {
  const { value } = await fetch_info();
  if (value !== null) store.update(informed(store.get(), value));
}

/** @param {string} sentence */
function speak(sentence) {
  clearTimeout(speak_timer);
  speak_timer = setTimeout(() => (by_id("status").textContent = sentence), SPEAK_AFTER_MS);
}

/**
 * Leads the reader to the message, and wakes its button when the server said to come back.
 * @param {State} state
 */
function on_failure({ message }) {
  by_id("message").focus();
  const wait_ms = (message?.retry_at_ms ?? 0) - Date.now();
  if (wait_ms > 0) setTimeout(() => render_message(by_id("message"), store.get()), wait_ms + 1);
}

/** @param {string} text */
function write(text) {
  field.value = text;
  on_input();
}

function on_input() {
  store.update({ text: field.value, message: null, notice: "" });
  fit_field();
}

function fit_field() {
  field.style.setProperty("height", "auto");
  field.style.setProperty(
    "height",
    `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`,
  );
}

/**
 * Brings the page to what an address asks for; a step of the tour brings more of its own.
 * @param {Partial<State>} change
 */
async function go(change) {
  if (typeof change.step !== "number") return show(change);
  const { create_tour } = await import("./touring.js");
  tour ??= create_tour(by_id("tour"), store, { show, experiment_with });
  tour.start(change);
}

/** @param {Partial<State>} change */
function show(change) {
  const text = change.text ?? first_text;
  field.value = text;
  store.update({ message: null, ...change, text });
  fit_field();
  ask();
}

/** @param {HeadPlace} place */
function open_head(place) {
  store.update(opened(place));
  by_id("map-card").scrollIntoView({ block: "nearest" });
}

/** @param {Experiment} experiment */
function experiment_with(experiment) {
  store.update({ experiments: toggled(store.get().experiments, experiment) });
  ask();
}

/** @param {number | null} index  null for all */
function undo(index) {
  const { experiments } = store.get();
  if (experiments.length === 0) return;
  store.update({ experiments: index === null ? [] : experiments.filter((_, at) => at !== index) });
  ask();
}

function cut_link() {
  const experiment = cut_at_cursor(store.get());
  if (experiment !== null) experiment_with(experiment);
}

/**
 * The button under a click, if it is one.
 * @param {Event} event
 */
function clicked_button(event) {
  return event.target instanceof Element ? event.target.closest("button") : null;
}

by_id("ask-form").addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
field.addEventListener("input", on_input);
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  ask();
});
by_id("page").addEventListener("click", (event) => {
  const text = clicked_button(event)?.dataset.try;
  if (text === undefined) return;
  write(text);
  ask();
});
by_id("token-count").addEventListener("click", (event) => {
  if (clicked_button(event) !== null) cancel();
});
by_id("message").addEventListener("click", (event) => {
  if (clicked_button(event) !== null) ask();
});
by_id("experiments").addEventListener("click", (event) => {
  const which = clicked_button(event)?.dataset.undo;
  if (which !== undefined) undo(which === "all" ? null : Number(which));
});
by_id("square").addEventListener("click", (event) => {
  const button = clicked_button(event);
  const cue = button?.dataset.cue;
  const { reading } = store.get();
  if (cue !== undefined) store.update({ cue: Number(cue) });
  if (button?.id === "explain-again" && reading !== null) explain(reading);
});
by_id("head-ways").addEventListener("click", (event) => {
  const button = clicked_button(event);
  if (button === null) return;
  open_head({ layer: Number(button.dataset.layer), head: Number(button.dataset.head) });
});
by_id("head-order").addEventListener("change", (event) => {
  const order = /** @type {HTMLSelectElement} */ (event.target).value;
  store.update({ order: /** @type {import("./types.js").Order} */ (order) });
});
by_id("head-tools").addEventListener("click", (event) => {
  const act = clicked_button(event)?.dataset.act;
  const { open } = store.get();
  if (act === undefined || open === null) return;
  if (act === "cut") cut_link();
  else experiment_with({ kind: act === "off" ? "off" : "uniform", ...open });
});
by_id("map-switches").addEventListener("click", (event) => {
  const state = store.get();
  switch (clicked_button(event)?.id) {
    case "scale-switch":
      return store.update({ scale: state.scale === "absolute" ? "stretched" : "absolute" });
    case "special-switch":
      return store.update(regrouped(state, { hides_special: !state.hides_special }));
    case "table-switch":
      return store.update({ wants_table: !state.wants_table });
    case "pieces-switch": {
      const grouping = state.grouping === "words" ? "pieces" : "words";
      return store.update(regrouped(state, { grouping }));
    }
  }
});
by_id("second-start").addEventListener("click", async () => {
  store.update({ second: store.get().second ?? { text: "", reading: null, message: "" } });
  await show_second(store.get());
  by_id("second-text").focus();
});
by_id("exports").addEventListener("click", async (event) => {
  const what = clicked_button(event)?.dataset.export;
  if (what === undefined) return;
  const { export_as } = await import("./exporting.js");
  await export_as(store.get(), what);
});
by_id("copy-link").addEventListener("click", () => copy(location.href, "The link"));
by_id("theme-switch").addEventListener("click", () => {
  choose_theme(store.get().theme === "dark" ? "light" : "dark");
  store.update({ theme: current_theme() });
});
on_system_theme((theme) => store.update({ theme }));
attach_heads_controls(by_id("heads"), {
  open: open_head,
  switch_off: (place) => experiment_with({ kind: "off", ...place }),
});
attach_map_controls(by_id("map"), store, {
  cut: cut_link,
  undo: () => undo(store.get().experiments.length - 1),
});

render_examples(by_id("examples"));
attach_toolbar(by_id("examples"));
attach_toolbar(by_id("exports"));
render_kinds(by_id("kinds"));
redraw();
load_info();
address.go();
