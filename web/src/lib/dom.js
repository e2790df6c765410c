// @ts-check
// The one way to make elements here: text becomes text nodes, never markup.

/**
 * @param {string} tag
 * @param {Record<string, string | number | boolean>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/**
 * What a user typed, kept apart from the text around it whatever its direction.
 * @param {string} text
 * @param {Record<string, string>} [attributes]
 */
export function typed_text(text, attributes = {}) {
  return make("bdi", attributes, text);
}

/**
 * An element of index.html that the page cannot work without.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function by_id(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`index.html has no element #${id}`);
  return element;
}
