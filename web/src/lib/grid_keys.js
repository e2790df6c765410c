// @ts-check
// Movement in a grid that is one tab stop (roving tabindex).

/** @typedef {import("../types.js").Cell} Cell */

/**
 * Where `key` leads from `cell`, or null where it is no movement key. Edges hold.
 * @param {Cell} cell
 * @param {{key: string, ctrlKey: boolean}} event
 * @param {{rows: number, columns: number}} size
 * @returns {Cell | null}
 */
export function moved(cell, event, size) {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const { row, column } = cell;
  switch (event.key) {
    case "ArrowLeft":
      return { row, column: Math.max(0, column - 1) };
    case "ArrowRight":
      return { row, column: Math.min(last.column, column + 1) };
    case "ArrowUp":
      return { row: Math.max(0, row - 1), column };
    case "ArrowDown":
      return { row: Math.min(last.row, row + 1), column };
    case "Home":
      return { row: event.ctrlKey ? 0 : row, column: 0 };
    case "End":
      return { row: event.ctrlKey ? last.row : row, column: last.column };
    default:
      return null;
  }
}
