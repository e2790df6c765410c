// @ts-check
// A row of buttons as one tab stop: arrows move, Home and End jump (roving tabindex).

/** @param {HTMLElement} element  with role="toolbar" */
export function attach_toolbar(element) {
  const buttons = () =>
    [...element.querySelectorAll("button, a, select")].filter(
      (each) => !(/** @type {HTMLElement} */ (each).hidden),
    );
  settle_toolbar(element);
  element.addEventListener("keydown", (event) => {
    const all = /** @type {HTMLElement[]} */ (buttons());
    const at = all.findIndex((each) => each === event.target);
    const next = next_index(event.key, at, all.length);
    if (at < 0 || next === null) return;
    event.preventDefault();
    all.forEach((each, index) => (each.tabIndex = index === next ? 0 : -1));
    all[next].focus();
  });
}

/**
 * Leaves the first button as the tab stop; to be called when the buttons were made anew.
 * @param {HTMLElement} element
 */
export function settle_toolbar(element) {
  element.querySelectorAll("button, a, select").forEach((each, index) => {
    /** @type {HTMLElement} */ (each).tabIndex = index === 0 ? 0 : -1;
  });
}

/**
 * @param {string} key
 * @param {number} at
 * @param {number} count
 */
function next_index(key, at, count) {
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return Math.min(count - 1, at + 1);
    case "ArrowLeft":
    case "ArrowUp":
      return Math.max(0, at - 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
