// Serves web/ as the real server does, with invented answers: for work on the page without a build.
// node tests/e2e/browser/fake_server.mjs --port 8080

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const WEB = fileURLToPath(new URL("../../../web/", import.meta.url));
const NAMES = {
  "/": "index.html",
  "/suite": "suite.html",
  "/assets/negation_suite.tsv": "../tests/golden/negation_suite.tsv",
};
const LAYERS = 6;
const HEADS = 12;
const MAX_TOKENS = 256;
const MAX_WEIGHTS = 1_048_576;
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".tsv": "text/tab-separated-values; charset=utf-8",
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const MODEL = { id: "invented", version: "0.0.0", sha256: "0".repeat(64) };
const CUES = new Set(["not", "never", "no", "hardly", "without"]);

function tokens_of(text) {
  const special = (piece) => ({
    id: 0,
    piece,
    text: "",
    word: null,
    special: true,
    bytes: null,
    utf16: null,
  });
  const words = [...text.matchAll(/[\p{L}\p{N}'’]+|[^\s\u200b\p{L}\p{N}]/gu)];
  const tokens = words.flatMap((match, word) => {
    const cuts = match[0].length > 9 ? [match[0].slice(0, 5), match[0].slice(5)] : [match[0]];
    let start = match.index;
    return cuts.map((cut) => {
      const utf16 = [start, (start += cut.length)];
      return { id: 1, piece: cut, text: cut, word, special: false, bytes: utf16, utf16 };
    });
  });
  return {
    words: words.map((match) => match[0]),
    tokens: [special("<s>"), ...tokens, special("</s>")],
  };
}

function invented_map(layer, head, tokens, cue) {
  const kind = (layer * 5 + head * 7) % 6;
  return tokens.map((_, from) => {
    const raw = tokens.map((_, to) => {
      const noise =
        0.15 +
        0.85 * Math.abs(Math.sin(12.9 * (from + 1) + 78.2 * (to + 1) + layer * 3.7 + head * 1.3));
      if (kind === 0) return noise + (to === from - 1 ? 9 : 0);
      if (kind === 1) return noise + (to === 0 ? 8 : 0);
      if (kind === 2) return noise + (to === from + 1 ? 6 : 0);
      if (kind === 3) return noise + (to === tokens.length - 1 ? 5 : 0);
      if (kind === 4 && to === cue && from > cue) return noise + 2 * layer + head / 2;
      return noise;
    });
    const sum = raw.reduce((a, b) => a + b, 0);
    return raw.map((value) => Number((value / sum).toPrecision(5)));
  });
}

const OPPOSITES = { bad: "good", good: "bad", boring: "exciting", exciting: "boring" };
const VALUES = {
  bad: -3.2,
  good: 3.6,
  boring: -2.8,
  exciting: 2.9,
  charm: 1.8,
  adored: 3.5,
  enjoyed: 2.4,
};
const NEGATION_HEAD = { layer: 3, head: 1 };

/** f of a text: negation words turn it over, unless the head that carries them is out of work. */
function invented_f(text, interventions) {
  const { words } = tokens_of(text);
  const sum = words.reduce((total, word) => total + (VALUES[word.toLowerCase()] ?? 0), 0.3);
  const is_broken = interventions.some(
    ({ layer, head }) => layer === NEGATION_HEAD.layer && head === NEGATION_HEAD.head,
  );
  const bumps =
    interventions.reduce((total, { layer, head }) => total + Math.sin(layer * 7 + head) / 5, 0);
  const num_cues = words.filter((word) => CUES.has(word.toLowerCase())).length;
  return (num_cues % 2 === 1 && !is_broken ? -0.7 * sum : sum) + bumps;
}

function probability(f) {
  return 1 / (1 + Math.exp(-f));
}

function label_of(f) {
  return f > 0 ? "positive" : "negative";
}

function cues_of(words) {
  return words.flatMap((word, index) => {
    if (!CUES.has(word.toLowerCase())) return [];
    const target =
      words.findIndex((each, at) => at > index && VALUES[each.toLowerCase()] !== undefined);
    return [{ words: [index], text: word, scope: target < 0 ? [] : [target] }];
  });
}

function classify_one(text, request) {
  const interventions = request.interventions ?? [];
  const { words, tokens } = tokens_of(text);
  const f = invented_f(text, interventions);
  const positive = probability(f);
  const cues = cues_of(words);
  const cue_token = tokens.findIndex((token) => token.word === cues[0]?.words[0]);
  const { layers = [...Array(LAYERS).keys()], heads = [...Array(HEADS).keys()], mode } =
    request.attention ?? {};
  const map_layers = mode === "full" ? layers : [];
  const weights = map_layers.map((layer) =>
    heads.map((head) => {
      const map = invented_map(layer, head, tokens, cue_token);
      for (const each of interventions) {
        if (each.layer !== layer || each.head !== head) continue;
        if (each.kind === "head_uniform") map.forEach((row) => row.fill(1 / row.length));
        if (each.kind === "cut") map[each.from][each.to] = 0;
      }
      return map;
    }),
  );
  return {
    index: 0,
    label: label_of(f),
    score: Math.max(positive, 1 - positive),
    probabilities: { negative: 1 - positive, positive },
    logits: { negative: -f / 2, positive: f / 2 },
    truncated: false,
    token_count: tokens.length,
    token_count_total: tokens.length,
    tokens,
    negation: { source: "model", cues },
    ...(mode === "full" ? { attention: { layers, heads, weights } } : {}),
  };
}

function refusal(text, request) {
  const { words, tokens } = tokens_of(text);
  if (words.length === 0)
    return [422, { status: 422, code: "empty_input", detail: "inputs holds no word" }];
  if (tokens.length > MAX_TOKENS) {
    const detail = `inputs has ${tokens.length} tokens; at most ${MAX_TOKENS} are read`;
    return [422, { status: 422, code: "input_too_long", detail }];
  }
  const { layers, heads, mode } = request.attention ?? {};
  const num_maps = (layers?.length ?? LAYERS) * (heads?.length ?? HEADS);
  if (mode === "full" && num_maps * tokens.length ** 2 > MAX_WEIGHTS)
    return [422, { status: 422, code: "attention_too_large", detail: "too many weights" }];
  return null;
}

function classify(request) {
  const texts = [request.inputs].flat();
  const refused = texts.map((text) => refusal(text, request)).find((each) => each !== null);
  if (refused) return refused;
  const results = texts.map((text) => classify_one(text, request));
  const timings_us = { tokenize: 20, queue: 5, compute: 1900, total: 2100 };
  return [
    200,
    { id: "x", model: MODEL, results, usage: { inputs: texts.length, tokens: 7 }, timings_us },
  ];
}

function without_words(text, indices) {
  const kept = tokens_of(text).words.filter((_, index) => !indices.includes(index));
  return kept.join(" ");
}

function explain({ input, interventions = [] }) {
  const refused = refusal(input, {});
  if (refused) return refused;
  const { words, tokens } = tokens_of(input);
  if (tokens.length > 64) {
    const detail = `input has ${tokens.length} tokens; at most 64 are explained`;
    return [422, { status: 422, code: "input_too_long", detail }];
  }
  const f_of = (text, more = []) => invented_f(text, [...interventions, ...more]);
  const run = (text) => {
    const f = f_of(text);
    const positive = probability(f);
    return { text, label: label_of(f), score: Math.max(positive, 1 - positive), positive, f };
  };
  const f = f_of(input);
  const cues = cues_of(words).map((cue) => {
    const at = cue.scope[0];
    if (at === undefined) return { ...cue, target: null, square: null, interaction: null };
    const opposite = OPPOSITES[words[at].toLowerCase()];
    const row = (text) => ({
      word: run(text),
      opposite: opposite ? { word: opposite, ...run(text.replace(words[at], opposite)) } : null,
    });
    const square = { with: row(input), without: row(without_words(input, cue.words)) };
    const change = (key) => square.with[key].f - square.without[key].f;
    const interaction = opposite ? change("word") - change("opposite") : null;
    return { ...cue, target: { word: at, text: words[at] }, square, interaction };
  });
  const twin = without_words(input, cues.flatMap((cue) => cue.words));
  const heads = Array.from({ length: LAYERS * HEADS }, (_, index) => {
    const place = { layer: Math.floor(index / HEADS), head: index % HEADS };
    const off = [{ kind: "head_off", ...place }];
    const effect = f - f_of(input, off);
    const kinds = ["previous", "sink", "next", "sink", "focused", "flat"];
    const kind = kinds[(place.layer * 5 + place.head * 7) % 6];
    const negation_effect = cues.length > 0 ? effect - (f_of(twin) - f_of(twin, off)) : null;
    const attention = cues.length > 0 ? 0.1 : null;
    return { ...place, attention, baseline: attention, effect, negation_effect, kind };
  });
  const single = words
    .map((_, index) => run(without_words(input, [index])))
    .findIndex((each) => each.label !== label_of(f));
  const flip =
    single < 0 || words.length < 2
      ? null
      : { edit: "delete", words: [single], ...run(without_words(input, [single])) };
  const agreement =
    words.length < 4
      ? { tau: null, p: null, reason: "too_short", layer: LAYERS - 1, head: null, n: words.length }
      : { tau: 0.2, p: 0.6, reason: null, layer: LAYERS - 1, head: null, n: words.length };
  const answer = {
    id: "x",
    model: MODEL,
    result: classify_one(input, { interventions }),
    negation: { source: "model", cues, flip },
    words: words.map((text, word) => ({
      word,
      text,
      attention: 0.1 + 0.05 * (word % 3),
      effect: words.length < 2 ? null : f - f_of(without_words(input, [word])),
    })),
    heads,
    agreement,
    interventions,
    usage: { passes: 150, tokens: 1050 },
    timings_us: { tokenize: 90, queue: 12, compute: 52000, total: 53000 },
  };
  return [200, answer];
}

async function body_of(request) {
  let body = "";
  for await (const chunk of request) body += chunk;
  return JSON.parse(body);
}

async function answer(request, response) {
  const path = new URL(request.url, "http://localhost").pathname;
  if (path.startsWith("/v1/")) {
    const config = { d_model: 384, num_heads: HEADS, num_layers: LAYERS };
    const info = {
      model: MODEL,
      config,
      negation_head: NEGATION_HEAD,
      limits: { tokens: MAX_TOKENS, attention_values: MAX_WEIGHTS },
    };
    const [status, value] =
      path === "/v1/info"
        ? [200, info]
        : (path === "/v1/explain" ? explain : classify)(await body_of(request));
    response.writeHead(status, {
      "Content-Type": status === 200 ? "application/json" : "application/problem+json",
    });
    response.end(JSON.stringify(value));
    return;
  }
  const name = NAMES[path] ?? normalize(path).replace(/^\/assets\//, "");
  const bytes = await readFile(join(WEB, name));
  response.writeHead(200, {
    "Content-Type": TYPES[extname(name)],
    "Content-Security-Policy": POLICY,
  });
  response.end(bytes);
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(404).end());
});
const { values } = parseArgs({ options: { port: { type: "string", default: "8080" } } });
server.listen(Number(values.port), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
process.on("SIGTERM", () => process.exit(0));
