// @ts-check
// Light or dark: the system's choice until the reader makes one, which this browser then remembers.
// Loaded ahead of the rest, so that the first paint has the right colours.

/** @typedef {import("./types.js").Theme} Theme */

const STORAGE_KEY = "notbad-theme";
const system_is_dark = window.matchMedia("(prefers-color-scheme: dark)");

/** @returns {Theme | null} */
function chosen_theme() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : null;
}

/** @returns {Theme} */
export function current_theme() {
  return chosen_theme() ?? (system_is_dark.matches ? "dark" : "light");
}

/** @param {Theme} theme */
export function choose_theme(theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage may be switched off; the choice then lasts until the page is left.
  }
}

/** @param {(theme: Theme) => void} listener */
export function on_system_theme(listener) {
  system_is_dark.addEventListener("change", () => listener(current_theme()));
}

try {
  const stored = localStorage.getItem(STORAGE_KEY);
  if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
} catch {
  // As above: without storage the system decides.
}
