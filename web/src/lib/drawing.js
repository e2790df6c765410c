// @ts-check
// Pictures to take along: what is on the screen as rectangles and text, drawn as SVG or on a
// canvas.
// Each carries the sentence, the head, what is measured, the scale, the model and the date.

import { color_at, ink_on, to_css } from "./color_scale.js";
import { percent, pushed } from "./format.js";
import { KINDS } from "./head_facts.js";
import { map_form } from "./layout.js";

/** @typedef {import("../types.js").Theme} Theme */
/** @typedef {import("../types.js").ShownMap} ShownMap */
/** @typedef {import("./head_facts.js").HeadFacts} HeadFacts */

/**
 * @typedef {{kind: "rect", x: number, y: number, width: number, height: number, fill: string}} Rect
 * @typedef {object} Text
 * @property {"text"} kind
 * @property {number} x
 * @property {number} y  of the baseline
 * @property {string} text
 * @property {number} size
 * @property {string} fill
 * @property {"start" | "middle" | "end"} [anchor]
 * @property {boolean} [is_bold]
 * @property {boolean} [is_upright]  reads from bottom to top
 *
 * @typedef {object} Drawing
 * @property {number} width
 * @property {number} height
 * @property {(Rect | Text)[]} items
 */

const INKS = {
  light: { background: "#ffffff", text: "#1b1f24", muted: "#57606a", line: "#d5dae0" },
  dark: { background: "#0f1419", text: "#e6eaf0", muted: "#9aa7b4", line: "#2c3743" },
};
const MARGIN = 20;
const TEXT_SIZE = 13;
const LINE = 20;
const MIN_WIDTH = 480;
const LABEL_WIDTH = 96;
const LABEL_LETTERS = 12;
const COLUMN_LABEL_HEIGHT = 92;
const CELL = { numbers: [40, 36], cells: [18, 18], canvas: [4, 4] };
const LEGEND_STEPS = 32;

/**
 * @param {ShownMap} shown
 * @param {{theme: Theme, ceiling: number, caption: string[]}} options
 * @returns {Drawing}
 */
export function map_drawing(shown, { theme, ceiling, caption }) {
  const ink = INKS[theme];
  const form = map_form(shown.rows.length);
  const [cell_width, cell_height] = CELL[form];
  const map_width = LABEL_WIDTH + shown.columns.length * cell_width;
  const width = Math.max(MIN_WIDTH, map_width + 2 * MARGIN);
  const head = caption_items(caption, theme, width);
  const top = head.height + (form === "canvas" ? LINE : COLUMN_LABEL_HEIGHT);
  const left = MARGIN + LABEL_WIDTH;
  /** @type {(Rect | Text)[]} */
  const items = [...head.items];
  if (form !== "canvas")
    items.push(...axis_items(shown, { left, top, cell_width, cell_height, ink }));
  shown.values.forEach((row, from) => {
    row.forEach((share, to) => {
      const is_hidden = shown.columns[to].kind === "hidden";
      const color = color_at(theme, share / ceiling);
      const [x, y] = [left + to * cell_width, top + from * cell_height];
      const gap = form === "canvas" ? 0 : 1;
      const fill = is_hidden ? ink.line : to_css(color);
      items.push({ kind: "rect", x, y, width: cell_width - gap, height: cell_height - gap, fill });
      if (form !== "numbers") return;
      items.push({
        kind: "text",
        x: x + cell_width / 2,
        y: y + cell_height / 2 + 4,
        text: String(Math.round(100 * share)),
        size: TEXT_SIZE,
        fill: is_hidden ? ink.text : to_css(ink_on(color)),
        anchor: "middle",
      });
    });
  });
  const bottom = top + shown.rows.length * cell_height + MARGIN;
  items.push(...legend_items(left, bottom, theme, ceiling));
  return { width, height: bottom + LINE + MARGIN, items };
}

/**
 * All heads: a small map each with its two numbers.
 * @param {HeadFacts[]} facts
 * @param {(layer: number, head: number) => number[][] | null} map_of
 * @param {{theme: Theme, caption: string[], num_heads: number}} options
 * @returns {Drawing}
 */
export function heads_drawing(facts, map_of, { theme, caption, num_heads }) {
  const ink = INKS[theme];
  const thumb = 64;
  const [step_x, step_y] = [thumb + 12, thumb + 42];
  const width = Math.max(MIN_WIDTH, 2 * MARGIN + num_heads * step_x);
  const head = caption_items(caption, theme, width);
  /** @type {(Rect | Text)[]} */
  const items = [...head.items];
  facts.forEach((each, index) => {
    const x = MARGIN + (index % num_heads) * step_x;
    const y = head.height + Math.floor(index / num_heads) * step_y;
    const map = map_of(each.layer, each.head) ?? [];
    const cell = thumb / Math.max(1, map.length);
    items.push(
      { kind: "rect", x: x - 1, y: y - 1, width: thumb + 2, height: thumb + 2, fill: ink.line }
    );
    map.forEach((row, from) =>
      row.forEach((share, to) =>
        items.push({
          kind: "rect",
          x: x + to * cell,
          y: y + from * cell,
          width: cell,
          height: cell,
          fill: to_css(color_at(theme, share)),
        }),
      ),
    );
    const sign = each.kind === null ? "" : `${KINDS[each.kind].sign} `;
    const share = each.attention === null ? "" : percent(each.attention, 0);
    const label = { kind: /** @type {const} */ ("text"), x, size: 11, fill: ink.text };
    items.push(
      { ...label, y: y + thumb + 14, text: `${each.layer + 1}·${each.head + 1}  ${sign}${share}` }
    );
    if (each.effect !== null)
      items.push({ ...label, y: y + thumb + 28, text: pushed(each.effect) });
  });
  const height = head.height + Math.ceil(facts.length / num_heads) * step_y + MARGIN;
  return { width, height, items };
}

/**
 * @param {Drawing} drawing
 * @param {Theme} theme
 */
export function to_svg({ width, height, items }, theme) {
  const shapes = items.map((item) => {
    if (item.kind === "rect")
      return (
        `<rect x="${short(item.x)}" y="${short(item.y)}" width="${short(item.width)}" ` +
        `height="${short(item.height)}" fill="${item.fill}"/>`
      );
    const turn = item.is_upright ? ` transform="rotate(-90 ${item.x} ${item.y})"` : "";
    const weight = item.is_bold ? ' font-weight="700"' : "";
    return (
      `<text x="${item.x}" y="${item.y}" font-size="${item.size}" fill="${item.fill}" ` +
      `text-anchor="${item.anchor ?? "start"}"${weight}${turn}>${escaped(item.text)}</text>`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" xml:space="preserve">` +
    `<rect width="${width}" height="${height}" fill="${INKS[theme].background}"/>` +
    `${shapes.join("")}</svg>\n`
  );
}

/**
 * @param {Drawing} drawing
 * @param {Theme} theme
 * @param {HTMLCanvasElement} canvas
 * @param {number} scale
 */
export function draw_on({ width, height, items }, theme, canvas, scale) {
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(scale, scale);
  context.fillStyle = INKS[theme].background;
  context.fillRect(0, 0, width, height);
  for (const item of items) {
    context.fillStyle = item.fill;
    if (item.kind === "rect") {
      context.fillRect(item.x, item.y, item.width, item.height);
      continue;
    }
    context.font = `${item.is_bold ? "700 " : ""}${item.size}px system-ui, sans-serif`;
    context.textAlign = item.anchor === "middle" ? "center" : (item.anchor ?? "start");
    context.save();
    context.translate(item.x, item.y);
    if (item.is_upright) context.rotate(-Math.PI / 2);
    context.fillText(item.text, 0, 0);
    context.restore();
  }
}

/**
 * The first line bold; long lines go on below.
 * @param {string[]} caption
 * @param {Theme} theme
 * @param {number} width
 */
function caption_items(caption, theme, width) {
  const letters = Math.floor((width - 2 * MARGIN) / 7.5);
  const lines = caption.flatMap((text, index) =>
    folded(text, letters).map((line) => ({ line, is_bold: index === 0 })),
  );
  const items = lines.map(({ line, is_bold }, index) => ({
    kind: /** @type {const} */ ("text"),
    x: MARGIN,
    y: MARGIN + LINE * index + TEXT_SIZE,
    text: line,
    size: is_bold ? TEXT_SIZE + 2 : TEXT_SIZE,
    fill: is_bold ? INKS[theme].text : INKS[theme].muted,
    is_bold,
  }));
  return { items, height: MARGIN + LINE * lines.length + MARGIN };
}

/**
 * @param {ShownMap} shown
 * @param {{
 *   left: number, top: number, cell_width: number, cell_height: number, ink: {text: string},
 * }} place
 * @returns {Text[]}
 */
function axis_items(shown, { left, top, cell_width, cell_height, ink }) {
  const label = { kind: /** @type {const} */ ("text"), size: TEXT_SIZE, fill: ink.text };
  const rows = shown.rows.map((unit, row) => ({
    ...label,
    x: left - 8,
    y: top + row * cell_height + cell_height / 2 + 4,
    text: clipped(unit.label),
    anchor: /** @type {const} */ ("end"),
    is_bold: unit.kind === "negator",
  }));
  const columns = shown.columns.map((unit, column) => ({
    ...label,
    x: left + column * cell_width + cell_width / 2 + 4,
    y: top - 8,
    text: clipped(unit.label),
    is_bold: unit.kind === "negator",
    is_upright: true,
  }));
  return [...rows, ...columns];
}

/**
 * @param {number} x
 * @param {number} y
 * @param {Theme} theme
 * @param {number} ceiling
 * @returns {(Rect | Text)[]}
 */
function legend_items(x, y, theme, ceiling) {
  const steps = Array.from({ length: LEGEND_STEPS }, (_, step) => ({
    kind: /** @type {const} */ ("rect"),
    x: x + 6 * step,
    y,
    width: 6,
    height: 12,
    fill: to_css(color_at(theme, step / (LEGEND_STEPS - 1))),
  }));
  const label = {
    kind: /** @type {const} */ ("text"),
    y: y + 11,
    size: TEXT_SIZE,
    fill: INKS[theme].muted,
  };
  return [
    { ...label, x: x - 8, text: percent(0, 0), anchor: "end" },
    ...steps,
    { ...label, x: x + 6 * LEGEND_STEPS + 8, text: percent(ceiling, ceiling === 1 ? 0 : 1) },
  ];
}

/**
 * @param {string} text
 * @param {number} letters
 */
function folded(text, letters) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    for (let rest = word; rest !== ""; rest = rest.slice(letters)) {
      const part = rest.slice(0, letters);
      const last = lines[lines.length - 1];
      if (last !== "" && last.length + part.length + 1 > letters) lines.push(part);
      else lines[lines.length - 1] = last === "" ? part : `${last} ${part}`;
    }
  }
  return lines;
}

/** @param {string} label */
function clipped(label) {
  const letters = [...label];
  if (letters.length <= LABEL_LETTERS) return label;
  return `${letters.slice(0, LABEL_LETTERS - 1).join("")}…`;
}

/** @param {number} value */
function short(value) {
  return Number(value.toFixed(2));
}

/**
 * Letters that XML reserves as entities; those that it forbids as the replacement character.
 * @param {string} text
 */
function escaped(text) {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}
