// @ts-check
// Which form maps take, by the number of tokens.

// Two digits stay readable in every cell up to here.
const MAX_NUMBER_TOKENS = 24;
// 4,096 table cells; building more takes longer than a reader waits.
const MAX_TABLE_TOKENS = 64;
// Up to here the map with its numbers fits beside the heads.
const MAX_BESIDE_TOKENS = 12;
// Lines of the row's list that fill its card, which is as tall as its neighbour.
const ROOM_IN_LIST = { beside: 7, below: 16, "below-left": 20 };

/**
 * @param {number} num_tokens
 * @returns {"numbers" | "cells" | "canvas"}
 */
export function map_form(num_tokens) {
  if (num_tokens <= MAX_NUMBER_TOKENS) return "numbers";
  return num_tokens <= MAX_TABLE_TOKENS ? "cells" : "canvas";
}

/**
 * Beside the heads, below them in full width, or below them with the list of the row at its side.
 * @param {number} num_tokens
 * @returns {"beside" | "below" | "below-left"}
 */
export function map_place(num_tokens) {
  if (num_tokens <= MAX_BESIDE_TOKENS) return "beside";
  return map_form(num_tokens) === "canvas" ? "below-left" : "below";
}

/**
 * How many columns the list of a row names: as many as the space beside its neighbour holds.
 * @param {number} num_tokens
 */
export function list_length(num_tokens) {
  const room = ROOM_IN_LIST[map_place(num_tokens)];
  // A rest of one token is better named.
  return num_tokens <= room + 1 ? num_tokens : room;
}

/**
 * The map as small as `size` x `size`: each value is the largest of its square, so that a column of
 * one token is not lost.
 * @param {number[][]} map  [T][T]
 * @param {number} size
 */
export function pooled(map, size) {
  const step = Math.ceil(map.length / size);
  if (step <= 1) return map;
  const num_squares = Math.ceil(map.length / step);
  const small = Array.from({ length: num_squares }, () => Array(num_squares).fill(0));
  map.forEach((row, from) => {
    const line = small[Math.floor(from / step)];
    row.forEach((share, to) => {
      const at = Math.floor(to / step);
      line[at] = Math.max(line[at], share);
    });
  });
  return small;
}
