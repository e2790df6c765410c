// @ts-check
// The page of the negation suite: runs the pairs through the server in lists, then once per head.

import { classify_list, fetch_info, fetch_text } from "./api.js";
import { address_of_text } from "./lib/address.js";
import { to_csv } from "./lib/csv.js";
import { by_id, make, typed_text } from "./lib/dom.js";
import { percent } from "./lib/format.js";
import { problem_sentence } from "./lib/problems.js";
import { save } from "./lib/saving.js";
import {
  answered_pairs,
  grouped,
  is_right,
  lists_of,
  num_right,
  pairs_of,
  texts_of,
  worst_first,
} from "./lib/suite.js";
import { choose_theme, current_theme } from "./theme.js";

/** @typedef {import("./lib/suite.js").Pair} Pair */
/** @typedef {import("./lib/suite.js").AnsweredPair} AnsweredPair */
/** @typedef {import("./lib/suite.js").Group} Group */
/** @typedef {import("./types.js").HeadPlace} HeadPlace */
/** @typedef {import("./types.js").Info} Info */

const WAIT_MS = 1_000;
const MAX_TRIES = 5;

/** @type {AnsweredPair[]} */
let answered = [];
/** @type {(HeadPlace & {num_right: number})[]} */
let leaders = [];
let stopper = new AbortController();

/**
 * The pairs in lists; null where it was stopped or failed, which is then told.
 * @param {Pair[]} pairs
 * @param {HeadPlace | null} off
 * @param {(answered: AnsweredPair[]) => void} on_progress
 */
async function run(pairs, off, on_progress) {
  const { signal } = stopper;
  const interventions = off === null ? [] : [{ kind: "head_off", ...off }];
  /** @type {AnsweredPair[]} */
  const done = [];
  for (const list of lists_of(pairs)) {
    const outcome = await patient_classify(texts_of(list), interventions, signal);
    if (signal.aborted) return null;
    if (outcome.problem !== null) {
      tell(problem_sentence(outcome.problem));
      return null;
    }
    done.push(...answered_pairs(list, outcome.value.results));
    on_progress(done);
  }
  return done;
}

/**
 * A busy server is asked again when it said.
 * @param {string[]} texts
 * @param {{kind: string, layer: number, head: number}[]} interventions
 * @param {AbortSignal} signal
 */
async function patient_classify(texts, interventions, signal) {
  for (let tries = 1; ; tries += 1) {
    const outcome = await classify_list(texts, interventions, signal);
    if (outcome.problem?.status !== 503 || tries === MAX_TRIES || signal.aborted) return outcome;
    const wait_ms = Math.max(WAIT_MS, 1000 * outcome.problem.retry_after_s);
    await new Promise((resolve) => setTimeout(resolve, wait_ms));
  }
}

/** @param {string} text */
function tell(text) {
  const message = by_id("message");
  message.hidden = text === "";
  message.replaceChildren(make("span", {}, text));
  if (text !== "") message.focus();
}

/**
 * @param {string} kind  "" or "-heads"
 * @param {boolean} is_running
 */
function show_running(kind, is_running) {
  by_id(`stop${kind}`).hidden = !is_running;
  for (const id of ["run", "run-heads"])
    /** @type {HTMLButtonElement} */ (by_id(id)).disabled = is_running;
  if (is_running) tell("");
}

/**
 * @param {string} id
 * @param {number} done
 * @param {number} all
 * @param {string} words
 */
function show_progress(id, done, all, words) {
  const bar = /** @type {HTMLProgressElement} */ (by_id(id));
  bar.hidden = false;
  bar.value = done / all;
  by_id(`${id}-words`).textContent = words;
}

/** @param {Pair[]} pairs */
async function run_pairs(pairs) {
  stopper = new AbortController();
  show_running("", true);
  const done = await run(pairs, null, (so_far) => {
    answered = [...so_far];
    const words = `${so_far.length} of ${pairs.length} pairs, ${num_right(so_far)} right`;
    show_progress("progress", so_far.length, pairs.length, words);
    render_totals();
  });
  show_running("", false);
  by_id("leaders").hidden = done === null;
  by_id("save").hidden = answered.length === 0;
}

/**
 * The model's negation head first, so that the table says something at once.
 * @param {Pair[]} pairs
 * @param {Info} info
 */
async function run_heads(pairs, info) {
  stopper = new AbortController();
  leaders = [];
  show_running("-heads", true);
  const { num_layers, num_heads } = info.config;
  const all = Array.from({ length: num_layers * num_heads }, (_, index) => ({
    layer: Math.floor(index / num_heads),
    head: index % num_heads,
  }));
  const first = info.negation_head ?? null;
  const is_first = (/** @type {HeadPlace} */ place) =>
    Number(place.layer === first?.layer && place.head === first.head);
  for (const place of all.sort((a, b) => is_first(b) - is_first(a))) {
    const done = await run(pairs, place, () => {});
    if (done === null) break;
    leaders.push({ ...place, num_right: num_right(done) });
    show_progress(
      "head-progress", leaders.length, all.length, `${leaders.length} of ${all.length} heads`
    );
    render_leaders(pairs.length);
  }
  show_running("-heads", false);
  by_id("save-heads").hidden = leaders.length === 0;
}

function render_totals() {
  by_id("totals").hidden = false;
  by_id("pairs-card").hidden = false;
  const right = num_right(answered);
  by_id("total").textContent =
    `${right} of ${answered.length}, ${percent(right / answered.length)}`;
  const distance = (/** @type {AnsweredPair} */ pair) => String(pair.distance);
  const by_distance = grouped(answered, distance).sort((a, b) => Number(a.name) - Number(b.name));
  by_id("by-category").replaceChildren(
    group_table("By kind", "Kind", worst_first(grouped(answered, kind_of))),
  );
  by_id("by-cue").replaceChildren(
    group_table("By negation word", "Word", worst_first(grouped(answered, (p) => p.cue))),
  );
  by_id("by-distance").replaceChildren(group_table("By words in between", "Words", by_distance));
  render_pairs();
}

/** @param {Pair} pair */
function kind_of({ category }) {
  return category.replaceAll("_", " ");
}

/**
 * @param {string} caption
 * @param {string} name
 * @param {Group[]} groups
 */
function group_table(caption, name, groups) {
  const rows = groups.map((group) => [
    typed_text(group.name),
    share_bar(group.num_right / group.num_pairs),
    `${group.num_right} of ${group.num_pairs}`,
  ]);
  return table(caption, [name, "Right", ""], rows);
}

/** @param {number} num_pairs */
function render_leaders(num_pairs) {
  const right = num_right(answered);
  const rows = [...leaders]
    .sort((a, b) => a.num_right - b.num_right)
    .map((each) => [
      `Layer ${each.layer + 1} · head ${each.head + 1}`,
      share_bar(each.num_right / num_pairs),
      `${each.num_right} of ${num_pairs}`,
      String(each.num_right - right).replace("-", "−"),
    ]);
  const caption = `Pairs right with the head off (with all heads on: ${right})`;
  by_id("leaderboard").replaceChildren(table(caption, ["Head", "Right", "", "Change"], rows));
}

function render_pairs() {
  const which = /** @type {HTMLSelectElement} */ (by_id("which")).value;
  const shown = which === "all" ? answered : answered.filter((pair) => !is_right(pair));
  const rows = shown.flatMap((pair) => [
    pair_row(pair.sentence, pair.label, pair.told, kind_of(pair), pair.cue),
    pair_row(pair.twin, pair.twin_label, pair.twin_told, "twin", ""),
  ]);
  const caption =
    which === "all" ? `${shown.length} pairs` : `${shown.length} pairs with a wrong side`;
  by_id("pairs").replaceChildren(
    table(caption, ["Sentence", "Should be", "Is", "Positive", "Kind", "Word"], rows),
  );
}

/**
 * @param {string} text
 * @param {string} label
 * @param {import("./lib/suite.js").Told} told
 * @param {string} category
 * @param {string} cue
 */
function pair_row(text, label, told, category, cue) {
  const link = make("a", { href: `/#${address_of_text(text)}` }, typed_text(text));
  const is = make("span", { class: told.label === label ? "" : "is-wrong" }, told.label);
  const share = told.positive === null ? "" : percent(told.positive);
  return [link, label, is, share, category, cue];
}

/** @param {number} share */
function share_bar(share) {
  const bar = make("span", { class: "share-bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(share));
  return bar;
}

/**
 * @param {string} caption
 * @param {string[]} names
 * @param {(Node | string)[][]} rows
 */
function table(caption, names, rows) {
  const is_number = (/** @type {Node | string | undefined} */ content) =>
    typeof content === "string" && /^[−\d]/.test(content);
  const cell = (/** @type {Node | string} */ content, /** @type {number} */ column) => {
    const is_bar = content instanceof HTMLElement && content.classList.contains("share-bar");
    const kind = is_bar ? "share-cell" : is_number(content) ? "number" : false;
    return column === 0
      ? make("th", { scope: "row" }, content)
      : make("td", { class: kind }, content);
  };
  return make(
    "div",
    { class: "table-box", tabindex: 0, role: "group", "aria-label": caption },
    make(
      "table",
      {},
      make("caption", {}, caption),
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          ...names.map((name, column) => {
            const kind = is_number(rows[0]?.[column]) ? "number" : false;
            return name === "" ? make("td", {}) : make("th", { scope: "col", class: kind }, name);
          }),
        ),
      ),
      make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell)))),
    ),
  );
}

function save_pairs() {
  const names = ["id", "kind", "cue", "words_between", "sentence", "label", "answer", "p_positive"];
  const twins = ["twin", "twin_label", "twin_answer", "twin_p_positive", "both_right"];
  const rows = answered.map((pair) => [
    ...[pair.id, pair.category, pair.cue, pair.distance],
    ...[pair.sentence, pair.label, pair.told.label, pair.told.positive],
    ...[pair.twin, pair.twin_label, pair.twin_told.label, pair.twin_told.positive],
    Number(is_right(pair)),
  ]);
  save(
    new Blob([to_csv([[...names, ...twins], ...rows])], { type: "text/csv" }), "notbad-suite.csv"
  );
}

function save_heads() {
  const rows =
    leaders.map((each) => [each.layer + 1, each.head + 1, each.num_right, answered.length]);
  const csv = to_csv([["layer", "head", "pairs_right_with_it_off", "pairs"], ...rows]);
  save(new Blob([csv], { type: "text/csv" }), "notbad-suite-heads.csv");
}

function render_theme_switch() {
  by_id("theme-switch").textContent = current_theme() === "dark" ? "Light theme" : "Dark theme";
}

async function load_pairs() {
  const outcome = await fetch_text("/assets/negation_suite.tsv");
  if (outcome.problem !== null) tell(problem_sentence(outcome.problem));
  return outcome.problem === null ? pairs_of(outcome.value) : null;
}

by_id("run").addEventListener("click", async () => {
  const pairs = await load_pairs();
  if (pairs !== null) run_pairs(pairs);
});
by_id("run-heads").addEventListener("click", async () => {
  const [pairs, info] = [await load_pairs(), await fetch_info()];
  if (info.problem !== null) return tell(problem_sentence(info.problem));
  if (pairs !== null) run_heads(pairs, info.value);
});
for (const id of ["stop", "stop-heads"]) by_id(id).addEventListener("click", () => stopper.abort());
by_id("save").addEventListener("click", save_pairs);
by_id("save-heads").addEventListener("click", save_heads);
by_id("which").addEventListener("change", render_pairs);
by_id("theme-switch").addEventListener("click", () => {
  choose_theme(current_theme() === "dark" ? "light" : "dark");
  render_theme_switch();
});
render_theme_switch();
