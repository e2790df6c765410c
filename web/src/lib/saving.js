// @ts-check
// A file for the reader's disk, made in the page.

// The download has its own hold on the bytes by then.
const FORGET_AFTER_MS = 10_000;

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), FORGET_AFTER_MS);
}
