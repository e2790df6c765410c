// @ts-check
// Views are drawn anew while the reader stands in them: the focus returns to the same place.

const NAMES = ["data-act", "data-undo", "data-layer", "data-head", "data-cue", "data-try"];

/**
 * Remembers where the focus is; the function given back restores it where drawing has lost it.
 * @returns {() => void}
 */
export function remember_focus() {
  const active = document.activeElement;
  const holder = active?.closest("[id]") ?? null;
  if (active === null || holder === null) return () => {};
  const find =
    finder_of(active, active === holder ? holder.parentElement?.closest("[id]") : holder);
  return () => {
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const again = active.isConnected ? active : find();
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  };
}

/**
 * @param {Element} active
 * @param {Element | null | undefined} holder  keeps its id when its content is drawn anew
 * @returns {() => Element | null}
 */
function finder_of(active, holder) {
  if (active.id) return () => document.getElementById(active.id);
  const id = holder?.id ?? "";
  const inside = () => document.getElementById(id);
  if (active instanceof HTMLTableCellElement &&
      active.parentElement instanceof HTMLTableRowElement) {
    const [row, cell] = [active.parentElement.sectionRowIndex, active.cellIndex];
    return () => inside()?.querySelector("table")?.tBodies[0].rows[row]?.cells[cell] ?? null;
  }
  const marks = NAMES.filter((name) => active.hasAttribute(name)).map(
    (name) => `[${name}="${CSS.escape(active.getAttribute(name) ?? "")}"]`,
  );
  return () => (marks.length === 0 ? null : (inside()?.querySelector(marks.join("")) ?? null));
}
