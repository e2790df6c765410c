// Serves web/ as the real server does, with invented answers: for work on the page without a build.
// node tests/e2e/browser/fake_server.mjs --port 8080

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const WEB = fileURLToPath(new URL("../../../web/", import.meta.url));
const LAYERS = 6;
const HEADS = 12;
const MAX_TOKENS = 256;
const MAX_WEIGHTS = 1_048_576;
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
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

function classify(request) {
  const { words, tokens } = tokens_of(request.inputs);
  if (words.length === 0)
    return [422, { status: 422, code: "empty_input", detail: "inputs holds no word" }];
  if (tokens.length > MAX_TOKENS) {
    const detail = `inputs has ${tokens.length} tokens; at most ${MAX_TOKENS} are read`;
    return [422, { status: 422, code: "input_too_long", detail }];
  }
  const with_maps = request.attention?.mode === "full";
  if (with_maps && LAYERS * HEADS * tokens.length ** 2 > MAX_WEIGHTS) {
    return [422, { status: 422, code: "attention_too_large", detail: "too many weights" }];
  }
  const cues = words.flatMap((word, index) => (CUES.has(word.toLowerCase()) ? [index] : []));
  const positive = cues.length > 0 ? 0.914 : words.includes("so") ? 0.53 : 0.062;
  const cue_token = tokens.findIndex((token) => token.word === cues[0]);
  const weights = Array.from({ length: LAYERS }, (_, layer) =>
    Array.from({ length: HEADS }, (_, head) => invented_map(layer, head, tokens, cue_token)),
  );
  const result = {
    index: 0,
    label: positive > 0.5 ? "positive" : "negative",
    score: Math.max(positive, 1 - positive),
    probabilities: { negative: 1 - positive, positive },
    logits: { negative: -1.2, positive: 1.2 },
    truncated: false,
    token_count: tokens.length,
    token_count_total: tokens.length,
    tokens,
    negation: { source: "list", cues: cues.map((word) => ({ words: [word], text: words[word] })) },
    ...(with_maps
      ? { attention: { layers: [0, 1, 2, 3, 4, 5], heads: [...Array(HEADS).keys()], weights } }
      : {}),
  };
  const timings_us = { tokenize: 20, queue: 5, compute: 1900, total: 2100 };
  return [
    200,
    {
      id: "x",
      model: MODEL,
      results: [result],
      usage: { inputs: 1, tokens: tokens.length },
      timings_us,
    },
  ];
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
      limits: { tokens: MAX_TOKENS, attention_values: MAX_WEIGHTS },
    };
    const [status, value] = path === "/v1/info" ? [200, info] : classify(await body_of(request));
    response.writeHead(status, {
      "Content-Type": status === 200 ? "application/json" : "application/problem+json",
    });
    response.end(JSON.stringify(value));
    return;
  }
  const name = path === "/" ? "index.html" : normalize(path).replace(/^\/assets\//, "");
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
