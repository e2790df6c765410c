// @ts-check
// Whether the picture of a head is what the answer rests on, from the run with the head switched
// off.

// Shares of the largest effect of any head of this sentence.
const MATTERS_FROM = 0.5;
const HARDLY_BELOW = 0.1;

/**
 * @param {number} effect  f with the head less f without it
 * @param {number} f  with the head
 * @param {number} largest  the largest effect of any head, without its sign
 * @returns {{kind: "flips" | "matters" | "part" | "hardly", f_without: number}}
 */
export function head_finding(effect, f, largest) {
  const f_without = f - effect;
  const size = Math.abs(effect);
  if (f_without > 0 !== f > 0) return { kind: "flips", f_without };
  if (size >= MATTERS_FROM * largest && size > 0) return { kind: "matters", f_without };
  return { kind: size < HARDLY_BELOW * largest || size === 0 ? "hardly" : "part", f_without };
}
