/** What a page in another language says for the few texts that scripts write: English text to its own. */
const said = new Map(
  [...(document.querySelector("#script-words")?.content.children ?? [])].map((one) => [one.dataset.text, one.textContent]),
);

/**
 * A text in the page's language, with its holes filled: `word("{rounds} rounds behind", { rounds: 3 })`.
 *
 * @param {string} text in English; templates/_script_words.html has them all
 * @param {Record<string, string | number>} values
 */
export function word(text, values = {}) {
  return (said.get(text) ?? text).replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);
}
