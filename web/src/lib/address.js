// @ts-check
// What is shown, as the fragment of the address: a link brings another reader to the same place,
// and no server or log ever sees the sentence. Layers and heads count from 1, as on the page.

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Experiment} Experiment */
/** @typedef {import("../types.js").Order} Order */

const VERSION = "1";
const MAX_EXPERIMENTS = 64;
/** @type {Order[]} */
const ORDERS = ["position", "attention", "effect", "negation"];

/**
 * The address of a sentence, everything else left to the page.
 * @param {string} text
 */
export function address_of_text(text) {
  return new URLSearchParams({ v: VERSION, s: text }).toString();
}

/**
 * @param {State} state
 * @returns {string}  without the leading "#"
 */
export function address_of(state) {
  const parameters = new URLSearchParams({ v: VERSION, s: state.reading?.text ?? state.text });
  if (state.open !== null && state.is_open_by_hand) {
    parameters.set("l", String(state.open.layer + 1));
    parameters.set("h", String(state.open.head + 1));
  }
  if (state.reading !== null && state.reading.experiments.length > 0)
    parameters.set("x", state.reading.experiments.map(experiment_text).join("."));
  if (state.scale === "stretched") parameters.set("scale", "max");
  if (state.grouping === "pieces") parameters.set("unit", "pieces");
  if (state.hides_special) parameters.set("special", "hidden");
  if (state.wants_table) parameters.set("map", "table");
  if (state.order !== "position") parameters.set("order", state.order);
  if (state.second !== null) parameters.set("b", state.second.text);
  if (state.step !== null) parameters.set("tour", String(state.step + 1));
  return parameters.toString();
}

/**
 * What an address asks for; what it names wrongly is left at the page's own choice and told.
 * @param {string} fragment  with or without "#"
 * @returns {{change: Partial<State>, notice: string}}
 */
export function read_address(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const text = parameters.get("s");
  const tour = index_of(parameters.get("tour"));
  if (text === null && tour === null) return { change: {}, notice: "" };
  if (parameters.get("v") !== VERSION && parameters.has("v")) {
    return {
      change: text === null ? {} : { text },
      notice: "This link is of another version of the page: only its sentence is shown.",
    };
  }
  const wrong = new Set();
  const { layer, head } = { layer: parameters.get("l"), head: parameters.get("h") };
  const place = { layer: index_of(layer), head: index_of(head) };
  const has_place = place.layer !== null && place.head !== null;
  if ((layer !== null || head !== null) && !has_place) wrong.add("head");
  const experiments = experiments_of(parameters.get("x") ?? "");
  if (experiments === null) wrong.add("experiments");
  const order = ORDERS.find((each) => each === (parameters.get("order") ?? "position"));
  if (order === undefined) wrong.add("order");
  const second = parameters.get("b");
  return {
    change: {
      ...(text === null ? {} : { text }),
      open: has_place ? { layer: place.layer ?? 0, head: place.head ?? 0 } : null,
      is_open_by_hand: has_place,
      experiments: experiments ?? [],
      scale: parameters.get("scale") === "max" ? "stretched" : "absolute",
      grouping: parameters.get("unit") === "pieces" ? "pieces" : "words",
      hides_special: parameters.get("special") === "hidden",
      wants_table: parameters.get("map") === "table",
      order: order ?? "position",
      second: second === null ? null : { text: second, reading: null, message: "" },
      step: tour,
    },
    notice: wrong.size === 0
      ? ""
      : `The link’s ${[...wrong].join(" and ")} could not be read and are left out.`,
  };
}

/** @param {Experiment} experiment */
function experiment_text(experiment) {
  const place = `${experiment.kind}-${experiment.layer + 1}-${experiment.head + 1}`;
  return experiment.kind === "cut"
    ? `${place}-${experiment.from.join("_")}-${experiment.to.join("_")}`
    : place;
}

/**
 * Null where a part cannot be read.
 * @param {string} text
 * @returns {Experiment[] | null}
 */
function experiments_of(text) {
  if (text === "") return [];
  const experiments = text.split(".").slice(0, MAX_EXPERIMENTS).map(experiment_of);
  return experiments.some((each) => each === null)
    ? null
    : /** @type {Experiment[]} */ (experiments);
}

/**
 * @param {string} text
 * @returns {Experiment | null}
 */
function experiment_of(text) {
  const [kind, layer_text, head_text, from_text, to_text, ...rest] = text.split("-");
  const layer = index_of(layer_text ?? null);
  const head = index_of(head_text ?? null);
  if (layer === null || head === null || rest.length > 0) return null;
  if ((kind === "off" || kind === "uniform") && from_text === undefined)
    return { kind, layer, head };
  const from = tokens_of(from_text);
  const to = tokens_of(to_text);
  return kind === "cut" && from !== null && to !== null ? { kind, layer, head, from, to } : null;
}

/** @param {string | undefined} text */
function tokens_of(text) {
  const is_list = text !== undefined && /^\d{1,4}(_\d{1,4})*$/.test(text);
  return is_list ? text.split("_").map(Number) : null;
}

/**
 * From a count that starts at 1 to an index; null where it is none.
 * @param {string | null} text
 */
function index_of(text) {
  return text !== null && /^[1-9]\d{0,2}$/.test(text) ? Number(text) - 1 : null;
}
