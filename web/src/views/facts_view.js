// @ts-check
// Which model answers: in words at the top, exactly at the foot.

import { counted } from "../lib/format.js";

/** @typedef {import("../types.js").State} State */

const SHOWN_HASH_DIGITS = 12;

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_facts(element, state) {
  if (state.info === null) return;
  const { num_layers, num_heads, d_model } = state.info.config;
  const size = `${counted(num_layers, "layer")} × ${counted(num_heads, "head")}, width ${d_model}`;
  element.textContent = `${size}, on the CPU`;
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_model_line(element, state) {
  if (state.info === null) return;
  const { id, version, sha256 } = state.info.model;
  element.textContent = `Model ${id} ${version}, sha256 ${sha256.slice(0, SHOWN_HASH_DIGITS)}…`;
  element.title = sha256;
}

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function render_theme_switch(element, state) {
  element.textContent = state.theme === "dark" ? "Light theme" : "Dark theme";
}
