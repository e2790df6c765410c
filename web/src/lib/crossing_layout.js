// @ts-check
// Where the lines and the labels of the crossing plot stand, in the units of its view box.

const WIDTH = 300;
const HEIGHT = 180;
const LEFT = 76;
const RIGHT = 240;
const TOP = 14;
const BOTTOM = 150;
// Two labels nearer than this would run into each other.
const LABEL_GAP = 15;

/**
 * @param {{name: string, before: number, after: number}[]} lines
 */
export function crossing_layout(lines) {
  const values = lines.flatMap((line) => [line.before, line.after, 0]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || 1;
  const y_of = (/** @type {number} */ value) => BOTTOM - ((value - low) / span) * (BOTTOM - TOP);
  const befores = apart(lines.map((line) => y_of(line.before)));
  const afters = apart(lines.map((line) => y_of(line.after)));
  return {
    width: WIDTH,
    height: HEIGHT,
    left: LEFT,
    right: RIGHT,
    zero: y_of(0),
    zero_label: room_for_zero(lines),
    lines: lines.map((line, index) => ({
      ...line,
      y_before: y_of(line.before),
      y_after: y_of(line.after),
      y_before_label: befores[index] + 5,
      y_after_label: afters[index] + 5,
    })),
  };
}

/**
 * The end of the zero line that the lines stay farther away from.
 * @param {{before: number, after: number}[]} lines
 * @returns {"left" | "right"}
 */
function room_for_zero(lines) {
  const room = (/** @type {number[]} */ values) => Math.min(...values.map(Math.abs));
  return room(lines.map((line) => line.before)) >= room(lines.map((line) => line.after))
    ? "left"
    : "right";
}

/**
 * The same heights, moved from each other where two come too near.
 * @param {number[]} heights
 */
function apart(heights) {
  if (heights.length !== 2) return heights;
  const [a, b] = heights;
  const lack = LABEL_GAP - Math.abs(a - b);
  if (lack <= 0) return heights;
  return a <= b ? [a - lack / 2, b + lack / 2] : [a + lack / 2, b - lack / 2];
}
