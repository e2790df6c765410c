// @ts-check
// Numbers as the page writes them.

const NO_BREAK_SPACE = "\u00a0";
const MINUS = "\u2212";

/**
 * 0.813 as "81.3 %".
 * @param {number} share
 * @param {number} [digits]
 */
export function percent(share, digits = 1) {
  return `${(100 * share).toFixed(digits)}${NO_BREAK_SPACE}%`;
}

/**
 * A signed number with a real minus sign.
 * @param {number} value
 */
export function signed(value) {
  return `${value < 0 ? MINUS : "+"}${Math.abs(value).toFixed(2)}`;
}

/**
 * Microseconds as milliseconds with two significant digits or more.
 * @param {number} microseconds
 */
export function milliseconds(microseconds) {
  const value = microseconds / 1000;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${NO_BREAK_SPACE}ms`;
}

/**
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
