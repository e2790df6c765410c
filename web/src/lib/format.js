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
 * @param {number} [digits]
 */
export function signed(value, digits = 2) {
  return `${value < 0 ? MINUS : "+"}${Math.abs(value).toFixed(digits)}`;
}

/**
 * An effect on f with the direction that it pushes in.
 * @param {number} value
 * @param {number} [digits]
 */
export function pushed(value, digits = 2) {
  const number = signed(value, digits);
  if (/^.0\.0+$/.test(number)) return number.slice(1);
  return `${value < 0 ? "▼" : "▲"}${NO_BREAK_SPACE}${number}`;
}

/**
 * The same where there is no room: the triangle stands for the sign.
 * @param {number} value
 */
export function pushed_short(value) {
  const number = Math.abs(value).toFixed(2);
  if (number === "0.00") return number;
  return `${value < 0 ? "▼" : "▲"}${number}`;
}

/**
 * Which way an effect pushes, for the colour that goes with the sign.
 * @param {number} value
 */
export function tone_of(value) {
  if (Math.abs(value) < 0.005) return "none";
  return value < 0 ? "negative" : "positive";
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
