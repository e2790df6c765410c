// @ts-check
// The only place that talks to the server. Failures come back as a Problem, never as an exception.

/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Info} Info */
/** @typedef {import("./types.js").Explanation} Explanation */
/** @typedef {ReturnType<typeof import("./lib/experiments.js").interventions_of>} Interventions */
/** @typedef {import("./types.js").Problem} Problem */
/** @template T @typedef {{value: T, problem: null} | {value: null, problem: Problem}} Outcome */

const TIMEOUT_MS = 10_000;

/**
 * @param {string} text
 * @param {{mode: "full" | "none", layers?: number[], heads?: number[]}} attention
 * @param {Interventions} interventions
 * @param {AbortSignal} signal  of a request that a later one replaces
 * @returns {Promise<Outcome<Answer>>}
 */
export async function classify(text, attention, interventions, signal) {
  /** @type {Outcome<Answer>} */
  const outcome =
    await post("/v1/classify", classify_request(text, attention, interventions), signal);
  const is_readable = outcome.problem !== null || outcome.value?.results?.[0] !== undefined;
  return is_readable ? outcome : failure("unreadable");
}

/**
 * The labels of up to 32 sentences, without maps.
 * @param {string[]} texts
 * @param {Interventions} interventions
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome<Answer>>}
 */
export async function classify_list(texts, interventions, signal) {
  /** @type {Outcome<Answer>} */
  const outcome =
    await post("/v1/classify", { inputs: texts, negation: "none", interventions }, signal);
  const is_readable =
    outcome.problem !== null || outcome.value?.results?.length === texts.length;
  return is_readable ? outcome : failure("unreadable");
}

/**
 * @param {string} text
 * @param {Interventions} interventions
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome<Explanation>>}
 */
export async function explain(text, interventions, signal) {
  /** @type {Outcome<Explanation>} */
  const outcome = await post("/v1/explain", { input: text, interventions }, signal);
  const is_readable = outcome.problem !== null || Array.isArray(outcome.value?.heads);
  return is_readable ? outcome : failure("unreadable");
}

/**
 * The body of a question about one sentence, as sent and as shown for curl.
 * @param {string} text
 * @param {{mode: "full" | "none", layers?: number[], heads?: number[]}} attention
 * @param {Interventions} interventions
 */
export function classify_request(text, attention, interventions) {
  return {
    inputs: text,
    truncate: "error",
    return_tokens: true,
    negation: "cues",
    attention,
    ...(interventions.length > 0 ? { interventions } : {}),
  };
}

/** @returns {Promise<Outcome<Info>>} */
export function fetch_info() {
  return ask("/v1/info", {});
}

/**
 * A file of the page that is no script.
 * @param {string} path
 * @returns {Promise<Outcome<string>>}
 */
export function fetch_text(path) {
  return ask(path, {}, (response) => response.text());
}

/**
 * @template T
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome<T>>}
 */
function post(path, body, signal) {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

/**
 * @template T
 * @param {string} path
 * @param {RequestInit} options
 * @param {(response: Response) => Promise<T>} [read]
 * @returns {Promise<Outcome<T>>}
 */
async function ask(path, options, read = (response) => response.json()) {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  try {
    const response = await fetch(path, { ...options, signal });
    if (!response.ok) return { value: null, problem: await problem_of(response) };
    return { value: await read(response), problem: null };
  } catch (error) {
    const code = timeout.aborted
      ? "timed_out"
      : error instanceof SyntaxError
        ? "unreadable"
        : "unreachable";
    return failure(code);
  }
}

/**
 * What the page found out itself.
 * @param {string} code
 * @returns {{value: null, problem: Problem}}
 */
function failure(code) {
  return { value: null, problem: { status: 0, code, detail: "", retry_after_s: 0 } };
}

/**
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
async function problem_of(response) {
  // A proxy in between may answer with HTML; then the status is all there is to tell.
  const body = await response.json().catch(() => ({}));
  const retry_after_s = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
  return {
    status: response.status,
    code: String(body?.code ?? ""),
    detail: String(body?.detail ?? body?.title ?? ""),
    retry_after_s: Number.isFinite(retry_after_s) ? Math.max(0, retry_after_s) : 0,
  };
}
