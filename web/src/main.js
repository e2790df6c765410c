// @ts-check
// Wiring: which view draws where and when, and what each event changes.

import { fetch_info } from "./api.js";
import { create_asker } from "./asking.js";
import { attach_heads_controls } from "./controls/heads_controls.js";
import { attach_map_controls } from "./controls/map_controls.js";
import { by_id } from "./lib/dom.js";
import { strongest_head } from "./lib/head_scores.js";
import { map_place } from "./lib/layout.js";
import { create_store, initial_state, is_stale, opened, shown_row } from "./state.js";
import { choose_theme, current_theme, on_system_theme } from "./theme.js";
import { render_facts, render_model_line, render_theme_switch } from "./views/facts_view.js";
import { render_definition, render_heads_lead } from "./views/head_choice_view.js";
import { focus_open_head, render_heads, render_open_head } from "./views/heads_view.js";
import { render_legend, render_scale_switch } from "./views/legend_view.js";
import { render_looks, render_looks_title } from "./views/looks_view.js";
import {
  render_map,
  render_map_cursor,
  render_map_title,
  render_readout,
} from "./views/map_view.js";
import { render_result, result_sentence } from "./views/result_view.js";
import { render_examples, render_message, render_token_count } from "./views/sentence_view.js";

/** @typedef {import("./types.js").State} State */

// A screen reader gets the cell where the movement ends, not every one on the way.
const SPEAK_AFTER_MS = 150;

const field = /** @type {HTMLTextAreaElement} */ (by_id("text"));

/**
 * Each view, with the parts of the state that it is drawn from: it runs when one of them changes.
 * @type {{
 *   id: string,
 *   render: (element: HTMLElement, state: State) => void,
 *   parts: (state: State) => unknown[],
 * }[]}
 */
const VIEWS = [
  { id: "page", render: render_page, parts: (s) => [s.reading, s.is_busy] },
  { id: "facts", render: render_facts, parts: (s) => [s.info] },
  { id: "model-line", render: render_model_line, parts: (s) => [s.info] },
  { id: "theme-switch", render: render_theme_switch, parts: (s) => [s.theme] },
  { id: "token-count", render: render_token_count, parts: (s) => [s.reading, s.info, is_stale(s)] },
  { id: "message", render: render_message, parts: (s) => [s.message] },
  { id: "result", render: render_result, parts: (s) => [s.reading, is_stale(s)] },
  { id: "heads-lead", render: render_heads_lead, parts: (s) => [s.reading, s.open] },
  { id: "heads", render: render_heads, parts: (s) => [s.reading, s.theme, s.scale] },
  { id: "heads", render: render_open_head, parts: (s) => [s.reading, s.theme, s.scale, s.open] },
  { id: "definition", render: render_definition, parts: (s) => [s.reading] },
  { id: "map-title", render: render_map_title, parts: (s) => [s.open] },
  { id: "map", render: render_map, parts: (s) => [s.reading, s.theme, s.scale, s.open] },
  {
    id: "map",
    render: render_map_cursor,
    parts: (s) => [s.reading, s.theme, s.scale, s.open, s.cursor, s.point],
  },
  { id: "readout", render: render_readout, parts: (s) => [s.reading, s.open, s.point] },
  { id: "legend", render: render_legend, parts: (s) => [s.reading, s.theme, s.open, s.scale] },
  { id: "scale-switch", render: render_scale_switch, parts: (s) => [s.reading, s.open, s.scale] },
  {
    id: "looks-title",
    render: render_looks_title,
    parts: (s) => [s.reading, s.open, shown_row(s)],
  },
  { id: "looks", render: render_looks, parts: (s) => [s.reading, s.open, shown_row(s)] },
];

/** @type {unknown[][]} */
const drawn_parts = VIEWS.map(() => []);

/** @param {State} state */
function draw(state) {
  VIEWS.forEach((view, index) => {
    const parts = view.parts(state);
    const is_drawn =
      parts.length === drawn_parts[index].length &&
      parts.every((part, i) => part === drawn_parts[index][i]);
    if (is_drawn) return;
    drawn_parts[index] = parts;
    view.render(by_id(view.id), state);
  });
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
function render_page(element, state) {
  const { reading } = state;
  element.dataset.mapPlace = map_place(reading?.tokens.length ?? 0);
  element.dataset.maps = String(reading === null || reading.weights !== null);
  element.setAttribute("aria-busy", String(state.is_busy));
}

const store = create_store(initial_state(field.value, current_theme()), on_change);
const ask = create_asker(store);
let spoken = {
  reading: store.get().reading,
  point: store.get().point,
  message: store.get().message,
};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let speak_timer;

/** @param {State} state */
function on_change(state) {
  const is_news = state.reading !== spoken.reading;
  const is_move = state.point !== spoken.point && by_id("map").contains(document.activeElement);
  const is_failure = state.message !== null && state.message !== spoken.message;
  spoken = { reading: state.reading, point: state.point, message: state.message };
  draw(state);
  if (is_failure) on_failure(state);
  if (is_news && state.reading !== null) speak(result_sentence(state.reading));
  if (is_news && state.info === null) load_info();
  if (is_move && state.point !== null) speak(by_id("readout").textContent ?? "");
}

// After an answer, when the model is certainly loaded; the next answer tries again if this fails.
async function load_info() {
  const { value } = await fetch_info();
  if (value !== null) store.update({ info: value });
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
  store.update({ text: field.value, message: null });
  field.style.setProperty("height", "auto");
  field.style.setProperty(
    "height",
    `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`,
  );
}

/** @param {import("./types.js").HeadPlace} place */
function open_head(place) {
  store.update(opened(place));
  by_id("map-card").scrollIntoView({ block: "nearest" });
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
by_id("examples").addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  const text = button?.querySelector("span")?.textContent;
  if (!text) return;
  write(text);
  ask();
});
by_id("message").addEventListener("click", (event) => {
  if (event.target instanceof HTMLButtonElement) ask();
});
by_id("heads-lead").addEventListener("click", (event) => {
  const { reading } = store.get();
  if (!(event.target instanceof HTMLButtonElement) || !reading?.scores) return;
  store.update({ ...opened(strongest_head(reading.scores.beyond_habit)), is_open_by_hand: false });
  focus_open_head(by_id("heads"));
});
by_id("theme-switch").addEventListener("click", () => {
  choose_theme(store.get().theme === "dark" ? "light" : "dark");
  store.update({ theme: current_theme() });
});
by_id("scale-switch").addEventListener("click", () => {
  store.update({ scale: store.get().scale === "absolute" ? "stretched" : "absolute" });
});
on_system_theme((theme) => store.update({ theme }));
attach_heads_controls(by_id("heads"), open_head);
attach_map_controls(by_id("map"), store);

render_examples(by_id("examples"));
draw(store.get());
on_input();
ask();
