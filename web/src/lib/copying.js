// @ts-check
// To the clipboard, or where the browser keeps that to secure pages, into a selected field.

import { by_id } from "./dom.js";

/**
 * @param {string} text
 * @param {string} name  of what is copied
 */
export async function copy(text, name) {
  const box = by_id("copy-box");
  const field = /** @type {HTMLTextAreaElement} */ (by_id("copy-field"));
  try {
    await navigator.clipboard.writeText(text);
    box.hidden = true;
    by_id("status").textContent = `${name} copied.`;
    return true;
  } catch {
    box.hidden = false;
    by_id("copy-words").textContent = `${name}, to be copied from here:`;
    field.value = text;
    field.focus();
    field.select();
    return false;
  }
}
