// @ts-check
// What the open head does to the answer, and the experiments on it.

import { make, typed_text } from "../lib/dom.js";
import { has_experiment } from "../lib/experiments.js";
import { pushed, signed, tone_of } from "../lib/format.js";
import { KINDS } from "../lib/head_facts.js";
import { head_finding } from "../lib/head_finding.js";
import { map_form } from "../lib/layout.js";
import { f_of } from "../reading.js";
import { explanation_of, open_map, shown_map } from "../state.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Experiment} Experiment */
/** @typedef {import("../types.js").HeadPlace} HeadPlace */

const VERDICTS = {
  flips: "The answer hangs on this head.",
  matters: "This head matters here.",
  part: "This head plays a part here.",
  hardly: "However clear this picture is, the answer hardly rests on it.",
};

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_head_finding(element, state) {
  const { open, reading } = state;
  const explained = explanation_of(state);
  element.dataset.old = String(explained?.is_old ?? false);
  if (open === null || reading === null) {
    element.replaceChildren();
    return;
  }
  const change = reading.experiments.find(
    (each) => each.kind !== "cut" && each.layer === open.layer && each.head === open.head,
  );
  if (change !== undefined) {
    const words = change.kind === "off" ? "switched off" : "made uniform";
    element.replaceChildren(
      make("strong", {}, `This head is ${words}. `),
      "The result above is computed without what it would have mixed in.",
    );
    return;
  }
  const heads = explained?.value.heads ?? [];
  const own = heads.find((each) => each.layer === open.layer && each.head === open.head);
  const f = explained === null ? null : f_of(explained.value.result);
  if (own === undefined || own.effect === null || f === null) {
    element.textContent = state.is_explaining ? "Measuring what this head does …" : "";
    return;
  }
  const largest = Math.max(...heads.map((each) => Math.abs(each.effect ?? 0)));
  const { kind, f_without } = head_finding(own.effect, f, largest);
  const number = make("strong", { class: "effect", id: "head-effect" }, pushed(own.effect));
  number.dataset.tone = tone_of(own.effect);
  element.replaceChildren(
    make("strong", {}, `${VERDICTS[kind]} `),
    "Effect ",
    number,
    `: without it f would be ${signed(f_without)} in place of ${signed(f)}` +
      `${kind === "flips" ? `, ${f_without > 0 ? "positive" : "negative"}` : ""}. ` +
      `${KINDS[own.kind].sign}\u00a0${own.kind}: it ${KINDS[own.kind].meaning}.`,
  );
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_head_tools(element, state) {
  const { open } = state;
  element.hidden = open === null;
  if (open === null) return;
  const cut = cut_at_cursor(state);
  const button = (
    /** @type {string} */ act,
    /** @type {(Node | string)[]} */ words,
    /** @type {Experiment} */ experiment,
  ) =>
    make(
      "button",
      {
        type: "button",
        class: "quiet-button",
        "data-act": act,
        "aria-pressed": String(has_experiment(state.experiments, experiment)),
      },
      ...words,
    );
  const shown = shown_map(state);
  const { row, column } = state.cursor;
  const link =
    shown === null || cut === null
      ? []
      : [typed_text(shown.rows[row].label), " → ", typed_text(shown.columns[column].label)];
  element.replaceChildren(
    button("off", ["Switch off"], { kind: "off", ...open }),
    button("uniform", ["Make uniform"], { kind: "uniform", ...open }),
    ...(cut === null ? [] : [button("cut", ["Cut ", ...link], cut)]),
  );
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_map_switches(element, state) {
  element.hidden = open_map(state) === null;
  const has_pieces = (state.reading?.words ?? []).some((word) => word?.tokens.length > 1);
  const is_large = map_form(shown_map(state)?.rows.length ?? 0) === "canvas";
  const toggle = (
    /** @type {string} */ name,
    /** @type {string} */ words,
    /** @type {boolean} */ is_on,
  ) =>
    make(
      "button",
      { type: "button", class: "small-button", id: name, "aria-pressed": String(is_on) },
      words,
    );
  element.replaceChildren(
    toggle("scale-switch", "Stretch to the maximum", state.scale === "stretched"),
    toggle("special-switch", "Hide special tokens", state.hides_special),
    ...(is_large ? [toggle("table-switch", "Show as a table", state.wants_table)] : []),
    ...(has_pieces ? [toggle("pieces-switch", "Show pieces", state.grouping === "pieces")] : []),
  );
}

/**
 * The cut of the link that the keyboard or the last click stands on; null where it is none.
 * @param {State} state
 * @returns {Experiment | null}
 */
export function cut_at_cursor(state) {
  const shown = shown_map(state);
  const row = shown?.rows[state.cursor.row];
  const column = shown?.columns[state.cursor.column];
  if (state.open === null || row === undefined || column === undefined || column.kind === "hidden")
    return null;
  return { kind: "cut", ...state.open, from: row.tokens, to: column.tokens };
}
