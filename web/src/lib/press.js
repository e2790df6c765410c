// @ts-check
// A button that is drawn anew between press and release loses its click, so drawing waits for it.

// A release may never be heard of, as when it happens in another window.
const LONGEST_PRESS_MS = 5000;

/**
 * Returns what does `work`: at once, or where something is pressed, once after the click.
 * @param {EventTarget} target  hears of all presses
 * @param {() => void} work
 * @returns {() => void}
 */
export function between_presses(target, work) {
  let is_pressed = false;
  let is_due = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function end() {
    is_pressed = false;
    if (!is_due) return;
    is_due = false;
    work();
  }

  /** @param {number} ms */
  function end_after(ms) {
    clearTimeout(timer);
    timer = setTimeout(end, ms);
  }

  function press() {
    is_pressed = true;
    end_after(LONGEST_PRESS_MS);
  }

  // The click is an event of the same task; where there is none, this ends the press.
  const release = () => end_after(0);

  target.addEventListener("pointerdown", press, { capture: true });
  target.addEventListener("pointerup", release, { capture: true });
  target.addEventListener("pointercancel", release, { capture: true });
  // Heard last, after whoever it is for: what it changed is drawn before anything else happens.
  target.addEventListener("click", () => {
    clearTimeout(timer);
    end();
  });
  target.addEventListener("keydown", (event) => is_button_key(event) && press());
  target.addEventListener("keyup", (event) => is_button_key(event) && release());

  return () => {
    if (is_pressed) is_due = true;
    else work();
  };
}

/**
 * The blank presses a button as a pointer does; Enter clicks at once.
 * @param {Event} event
 */
function is_button_key(event) {
  const { key, target } = /** @type {KeyboardEvent} */ (event);
  return key === " " && target instanceof HTMLButtonElement;
}
