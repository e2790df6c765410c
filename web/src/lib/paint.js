// @ts-check
// A map as pixels, one per weight; CSS makes them larger without smoothing.

import { color_at } from "./color_scale.js";

/** @typedef {import("../types.js").Theme} Theme */

// Finer than the eye on a pixel; the large table has the exact colours.
const NUM_COLORS = 256;

const PIXELS = { light: pixels_of("light"), dark: pixels_of("dark") };

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number[][]} map  [rows][columns]
 * @param {Theme} theme
 * @param {number} ceiling  the share that gets the last colour
 */
export function paint_map(canvas, map, theme, ceiling) {
  const [height, width] = [map.length, map[0]?.length ?? 0];
  const context = canvas.getContext("2d");
  if (context === null || height === 0 || width === 0) return;
  canvas.width = width;
  canvas.height = height;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const factor = (NUM_COLORS - 1) / ceiling;
  map.forEach((row, from) => {
    row.forEach((share, to) => {
      pixels[from * width + to] =
        PIXELS[theme][Math.min(NUM_COLORS - 1, Math.round(share * factor))];
    });
  });
  context.putImageData(image, 0, 0);
}

/**
 * The colours as the bytes of pixels, each read as one number in the machine's own order.
 * @param {Theme} theme
 */
function pixels_of(theme) {
  const bytes = new Uint8ClampedArray(4 * NUM_COLORS);
  for (let i = 0; i < NUM_COLORS; i += 1) {
    bytes.set([...color_at(theme, i / (NUM_COLORS - 1)), 255], 4 * i);
  }
  return new Uint32Array(bytes.buffer);
}
