// @ts-check
// Attention shares as colours: one hue from the background up, in even steps, for each theme.

/** @typedef {import("../types.js").Theme} Theme */
/** @typedef {[number, number, number]} Rgb  0 to 255 */

/** @type {Record<Theme, string[]>} */
const STEPS = {
  light: [
    "#ffffff",
    "#e8f1fa",
    "#cfe3f5",
    "#afd0ee",
    "#86b8e3",
    "#5a9bd4",
    "#3179bb",
    "#145a9c",
    "#083b70",
  ],
  dark: [
    "#0f1419",
    "#13283c",
    "#173d5f",
    "#1d5482",
    "#2b6ea6",
    "#4a8cc4",
    "#74abd9",
    "#a6caea",
    "#dcebf8",
  ],
};

const RAMPS = { light: STEPS.light.map(from_hex), dark: STEPS.dark.map(from_hex) };

/**
 * @param {string} hex
 * @returns {Rgb}
 */
function from_hex(hex) {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/**
 * The colour of a share between 0 and 1; what is outside counts as the nearer end.
 * @param {Theme} theme
 * @param {number} share
 * @returns {Rgb}
 */
export function color_at(theme, share) {
  const ramp = RAMPS[theme];
  const clamped = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  const position = clamped * (ramp.length - 1);
  const step = Math.min(ramp.length - 2, Math.floor(position));
  const [low, high] = [ramp[step], ramp[step + 1]];
  const mix = (/** @type {number} */ i) =>
    Math.round(low[i] + (high[i] - low[i]) * (position - step));
  return [mix(0), mix(1), mix(2)];
}

/** @param {Rgb} color */
function luminance(color) {
  const [r, g, b] = color.map((value) => {
    const v = value / 255;
    return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * Contrast ratio by WCAG 2, 1 to 21.
 * @param {Rgb} a
 * @param {Rgb} b
 */
export function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/**
 * Black or white, whichever reads better: at least 4.5 to 1 on any colour.
 * @param {Rgb} background
 * @returns {Rgb}
 */
export function ink_on(background) {
  /** @type {Rgb} */
  const black = [0, 0, 0];
  /** @type {Rgb} */
  const white = [255, 255, 255];
  return contrast(background, black) >= contrast(background, white) ? black : white;
}

/** @param {Rgb} color */
export function to_css(color) {
  return `rgb(${color.join(" ")})`;
}
