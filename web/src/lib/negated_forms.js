// @ts-check
// A sentence without a negation word, with one: offered as buttons, never asked for by itself.

const AUXILIARY =
  /\b(is|are|was|were|am|will|would|can|could|should|must|may|might|has|have|had|does|do|did)\b/i;

/**
 * At most two forms; none where the sentence is too long for a button.
 * @param {string} text
 */
export function negated_forms(text) {
  const sentence = text.trim();
  if (sentence === "" || sentence.length > 120) return [];
  const match = AUXILIARY.exec(sentence);
  const forms = [];
  if (match !== null) {
    const end = match.index + match[0].length;
    forms.push(`${sentence.slice(0, end)} not${sentence.slice(end)}`);
    forms.push(`${sentence.slice(0, end)} never${sentence.slice(end)}`);
    return forms;
  }
  return [`Not ${lowered(sentence)}`, `Hardly ${lowered(sentence)}`];
}

/**
 * The first letter small, unless the word looks like a name or an abbreviation.
 * @param {string} sentence
 */
function lowered(sentence) {
  const is_plain_word = /^(A\b|\p{Lu}\p{Ll})/u.test(sentence);
  return is_plain_word ? sentence[0].toLowerCase() + sentence.slice(1) : sentence;
}
