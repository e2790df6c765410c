// @ts-check
// f without and with the negation word, a line for each word: lines that cross mean interaction.

import { signed } from "../lib/format.js";
import { crossing_layout } from "../lib/crossing_layout.js";

/** @typedef {import("../types.js").Run} Run */

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * @param {string} cue
 * @param {{name: string, with: Run, without: Run}[]} columns
 */
export function crossing_plot(cue, columns) {
  const layout = crossing_layout(
    columns.map(
      (column) => ({ name: column.name, before: column.without.f, after: column.with.f })
    ),
  );
  const { width, height, left, right, zero, zero_label, lines } = layout;
  const spoken = columns
    .map(({ name, without, with: run }) => `${name} from ${signed(without.f)} to ${signed(run.f)}`)
    .join(", ");
  const plot = shape("svg", {
    class: "crossing",
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": `f without and with “${cue}”: ${spoken}`,
  });
  plot.append(
    shape("line", { class: "plot-zero", x1: left, x2: right, y1: zero, y2: zero }),
    zero_label === "left"
      ? label("f = 0", left + 6, zero - 4, "start", "plot-fine")
      : label("f = 0", right - 6, zero - 4, "end", "plot-fine"),
    label("without", left, height - 4, "middle", "plot-fine"),
    label(`with “${cue.slice(0, 12)}”`, right, height - 4, "middle", "plot-fine"),
  );
  lines.forEach((line, index) => {
    const kind = `plot-line plot-line-${index}`;
    plot.append(
      shape("line", { class: kind, x1: left, x2: right, y1: line.y_before, y2: line.y_after }),
      shape("circle", { class: kind, cx: left, cy: line.y_before, r: 4 }),
      shape("circle", { class: kind, cx: right, cy: line.y_after, r: 4 }),
      label(line.name.slice(0, 12), left - 10, line.y_before_label, "end", ""),
      label(signed(line.after), right + 10, line.y_after_label, "start", ""),
    );
  });
  return plot;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function shape(name, attributes) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} anchor
 * @param {string} kind
 */
function label(text, x, y, anchor, kind) {
  const element = shape("text", { x, y, "text-anchor": anchor, class: kind });
  element.textContent = text;
  return element;
}
