// @ts-check
// Keeps the address and the page the same: a new sentence is a step of the history, a selection is
// not.

import { address_of, read_address } from "../lib/address.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../asking.js").Store} Store */

/**
 * @param {Store} store
 * @param {(change: Partial<State>) => void} show  brings the page to what an address asks for
 */
export function attach_address(store, show) {
  let written = "";
  let text = "";
  // While an address is being followed: the reading that its answer will take the place of.
  /** @type {{reading: State["reading"]} | null} */
  let followed = null;
  window.addEventListener("hashchange", () => {
    if (location.hash.replace(/^#/, "") !== written) go();
  });

  function go() {
    const { change, notice } = read_address(location.hash);
    followed = { reading: store.get().reading };
    store.update({ notice });
    show(change);
  }

  /** To be called after each change; waits for an answer before it writes anything. */
  function write() {
    const state = store.get();
    if (state.reading === null || state.reading === followed?.reading) return;
    const address = address_of(state);
    if (address === written && followed === null) return;
    const is_step = followed === null && text !== state.reading.text;
    followed = null;
    [written, text] = [address, state.reading.text];
    history[is_step ? "pushState" : "replaceState"](null, "", `#${address}`);
  }

  return { go, write };
}
