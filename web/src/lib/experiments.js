// @ts-check
// Heads switched off or made uniform and links cut: as the page keeps them and as the server reads
// them.

/** @typedef {import("../types.js").Experiment} Experiment */
/** @typedef {import("../types.js").Unit} Unit */

const KINDS = { off: "head_off", uniform: "head_uniform", cut: "cut" };

/**
 * The `interventions` of a request; a cut between words is one for each pair of their tokens.
 * @param {Experiment[]} experiments
 */
export function interventions_of(experiments) {
  return experiments.flatMap((experiment) => {
    const { layer, head } = experiment;
    const kind = KINDS[experiment.kind];
    if (experiment.kind !== "cut") return [{ kind, layer, head }];
    return experiment.from.flatMap((from) =>
      experiment.to.map((to) => ({ kind, layer, head, from, to })),
    );
  });
}

/**
 * @param {Experiment} a
 * @param {Experiment} b
 */
export function is_same_experiment(a, b) {
  return JSON.stringify(in_order(a)) === JSON.stringify(in_order(b));
}

/**
 * @param {Experiment[]} experiments
 * @param {Experiment} wanted
 */
export function has_experiment(experiments, wanted) {
  return experiments.some((each) => is_same_experiment(each, wanted));
}

/**
 * Adds the experiment, or takes it away where it is there. A head is off or uniform, never both.
 * @param {Experiment[]} experiments
 * @param {Experiment} wanted
 * @returns {Experiment[]}
 */
export function toggled(experiments, wanted) {
  if (has_experiment(experiments, wanted))
    return experiments.filter((each) => !is_same_experiment(each, wanted));
  const is_replaced = (/** @type {Experiment} */ each) =>
    wanted.kind !== "cut" &&
    each.kind !== "cut" &&
    each.layer === wanted.layer &&
    each.head === wanted.head;
  return [...experiments.filter((each) => !is_replaced(each)), wanted];
}

/**
 * What still means the same for another text: links name tokens, so they go.
 * @param {Experiment[]} experiments
 */
export function for_other_text(experiments) {
  return experiments.filter((each) => each.kind !== "cut");
}

/**
 * As a chip says it: "layer 4 · head 3 off", or "bad → not cut in layer 4 · head 3".
 * @param {Experiment} experiment
 * @param {(tokens: number[]) => string} label_of
 */
export function experiment_name(experiment, label_of) {
  const place = `layer ${experiment.layer + 1} · head ${experiment.head + 1}`;
  if (experiment.kind === "cut")
    return `${label_of(experiment.from)} → ${label_of(experiment.to)} cut in ${place}`;
  return `${place} ${experiment.kind}`;
}

/** @param {Experiment} experiment */
function in_order(experiment) {
  const place = [experiment.kind, experiment.layer, experiment.head];
  return experiment.kind === "cut" ? [...place, experiment.from, experiment.to] : place;
}
