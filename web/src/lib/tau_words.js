// @ts-check
// How far the attention that words receive agrees with what they do.

/**
 * Kendall's τ in words.
 * @param {number} tau
 */
export function tau_words(tau) {
  if (tau <= -0.2) return "they disagree";
  if (tau < 0.2) return "no agreement to speak of";
  if (tau < 0.5) return "weak agreement";
  return tau < 0.8 ? "fair agreement" : "strong agreement";
}
