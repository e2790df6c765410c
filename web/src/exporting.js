// @ts-check
// Everything to take along, made when it is asked for: pictures, tables, the answers, the commands.

import { classify_request } from "./api.js";
import { address_of } from "./lib/address.js";
import { copy } from "./lib/copying.js";
import { to_csv } from "./lib/csv.js";
import { draw_on, heads_drawing, map_drawing, to_svg } from "./lib/drawing.js";
import { experiment_name, interventions_of } from "./lib/experiments.js";
import { percent } from "./lib/format.js";
import { head_facts, ordered } from "./lib/head_facts.js";
import { save } from "./lib/saving.js";
import { curl_line } from "./lib/shell.js";
import { verdict_of } from "./lib/verdict.js";
import { token_label } from "./lib/words.js";
import { explanation_of, shown_ceiling, shown_map } from "./state.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Reading} Reading */

const PICTURE_SCALE = 2;

/**
 * @param {State} state
 * @param {string} what  a data-export of index.html
 */
export async function export_as(state, what) {
  const { reading } = state;
  if (reading === null) return;
  switch (what) {
    case "head.png":
    case "heads.png":
      return save(await picture(state, what), `${file_name(state, what)}.png`);
    case "head.svg":
    case "heads.svg": {
      const drawing = drawing_of(state, what);
      const text = drawing === null ? "" : to_svg(drawing, state.theme);
      return save(new Blob([text], { type: "image/svg+xml" }), `${file_name(state, what)}.svg`);
    }
    case "head.csv":
    case "heads.csv": {
      const rows = what === "head.csv" ? map_rows(state, reading) : head_rows(state, reading);
      return save(new Blob([to_csv(rows)], { type: "text/csv" }), `${file_name(state, what)}.csv`);
    }
    case "json":
      return save(
        new Blob([JSON.stringify(everything(state, reading), null, 1)], {
          type: "application/json",
        }),
        "notbad.json",
      );
    case "curl":
      await copy(commands(reading), "The commands");
  }
}

/**
 * @param {State} state
 * @param {string} what
 */
function drawing_of(state, what) {
  const { reading, theme } = state;
  if (reading === null || reading.weights === null) return null;
  if (what.startsWith("heads")) {
    const facts = ordered(head_facts(reading, explanation_of(state)?.value ?? null), state.order);
    const measure = "All heads · attention (0–100 %) and effect on f = z(pos) − z(neg)";
    return heads_drawing(facts, (layer, head) => reading.weights?.[layer][head] ?? null, {
      theme,
      caption: caption_of(reading, measure),
      num_heads: reading.weights[0].length,
    });
  }
  const shown = shown_map(state);
  if (shown === null || state.open === null) return null;
  const ceiling = shown_ceiling(state, shown);
  const place = `Layer ${state.open.layer + 1} · head ${state.open.head + 1}`;
  const scale = `0–${percent(ceiling, ceiling === 1 ? 0 : 1)}`;
  const measure = `${place} · attention in percent, rows look at columns · scale ${scale}`;
  return map_drawing(shown, { theme, ceiling, caption: caption_of(reading, measure) });
}

/**
 * @param {State} state
 * @param {string} what
 * @returns {Promise<Blob>}
 */
function picture(state, what) {
  const canvas = document.createElement("canvas");
  const drawing = drawing_of(state, what);
  if (drawing !== null) draw_on(drawing, state.theme, canvas, PICTURE_SCALE);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob))),
  );
}

/**
 * @param {Reading} reading
 * @param {string} measure
 */
function caption_of(reading, measure) {
  const verdict = verdict_of(reading.answer.results[0]);
  const { id, version, sha256 } = reading.answer.model;
  const label_of = (/** @type {number[]} */ tokens) =>
    tokens.map((token) => token_label(reading.tokens, token)).join("");
  const experiments = reading.experiments.map((each) => experiment_name(each, label_of));
  return [
    reading.text,
    `${verdict.sign} ${verdict.headline}, ${percent(verdict.score)}`,
    measure,
    ...(experiments.length > 0 ? [`Experiment: ${experiments.join(", ")}`] : []),
    `Model ${id} ${version}, sha256 ${sha256.slice(0, 12)}… · ${today()}`,
  ];
}

/**
 * A line for each cell, so that any program can read it without knowing the sentence.
 * @param {State} state
 * @param {Reading} reading
 */
function map_rows(state, reading) {
  const shown = shown_map(state);
  const names =
    ["sentence", "layer", "head", "from", "to", "attention_percent", "model_sha256", "date"];
  if (shown === null || state.open === null) return [names];
  const { layer, head } = state.open;
  const [hash, date] = [reading.answer.model.sha256, today()];
  const lines = shown.values.flatMap((row, from) =>
    row.map((share, to) => [
      reading.text,
      layer + 1,
      head + 1,
      shown.rows[from].label,
      shown.columns[to].label,
      Number((100 * share).toPrecision(5)),
      hash,
      date,
    ]),
  );
  return [names, ...lines];
}

/**
 * @param {State} state
 * @param {Reading} reading
 */
function head_rows(state, reading) {
  const facts = ordered(head_facts(reading, explanation_of(state)?.value ?? null), state.order);
  const names =
    ["sentence", "layer", "head", "attention_percent", "effect_on_f", "effect_through_negation"];
  const [hash, date] = [reading.answer.model.sha256, today()];
  const lines = facts.map((each) => [
    reading.text,
    each.layer + 1,
    each.head + 1,
    each.attention === null ? null : Number((100 * each.attention).toPrecision(5)),
    each.effect,
    each.negation_effect,
    each.kind,
    hash,
    date,
  ]);
  return [[...names, "kind", "model_sha256", "date"], ...lines];
}

/**
 * The answers untouched, with what was asked and how it was shown.
 * @param {State} state
 * @param {Reading} reading
 */
function everything(state, reading) {
  return {
    sentence: reading.text,
    interventions: interventions_of(reading.experiments),
    address: `#${address_of(state)}`,
    model: reading.answer.model,
    date: today(),
    classify: reading.answer,
    explain: explanation_of(state)?.value ?? null,
  };
}

/** @param {Reading} reading */
function commands({ text, experiments }) {
  const interventions = interventions_of(experiments);
  const classify = classify_request(text, { mode: "full" }, interventions);
  return [
    curl_line(location.origin, "/v1/classify", classify),
    curl_line(location.origin, "/v1/explain", { input: text, interventions }),
  ].join("\n");
}

/**
 * @param {State} state
 * @param {string} what
 */
function file_name({ open }, what) {
  return what.startsWith("heads") || open === null
    ? "notbad-heads"
    : `notbad-layer${open.layer + 1}-head${open.head + 1}`;
}

function today() {
  return new Date().toISOString().slice(0, 10);
}
