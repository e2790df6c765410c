// @ts-check
// The only place that talks to the server. Failures come back as a Problem, never as an exception.

/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Info} Info */
/** @typedef {import("./types.js").Problem} Problem */
/** @template T @typedef {{value: T, problem: null} | {value: null, problem: Problem}} Outcome */

const TIMEOUT_MS = 10_000;

/**
 * @param {string} text
 * @param {"full" | "none"} attention
 * @param {AbortSignal} signal  of a request that a later one replaces
 * @returns {Promise<Outcome<Answer>>}
 */
export async function classify(text, attention, signal) {
  /** @type {Outcome<Answer>} */
  const outcome = await ask("/v1/classify", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      inputs: text,
      truncate: "error",
      return_tokens: true,
      negation: "cues",
      attention: { mode: attention },
    }),
    signal,
  });
  const is_readable = outcome.problem !== null || outcome.value?.results?.[0] !== undefined;
  return is_readable ? outcome : failure("unreadable");
}

/** @returns {Promise<Outcome<Info>>} */
export function fetch_info() {
  return ask("/v1/info", {});
}

/**
 * @template T
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<Outcome<T>>}
 */
async function ask(path, options) {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  try {
    const response = await fetch(path, { ...options, signal });
    if (!response.ok) return { value: null, problem: await problem_of(response) };
    return { value: await response.json(), problem: null };
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
