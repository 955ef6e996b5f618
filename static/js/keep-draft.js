/**
 * Keeps what is written in some fields over a reload, for as long as the tab lives.
 *
 * @param {string} key names the draft
 * @param {HTMLInputElement[]} fields
 */
export function keepDraft(key, fields) {
  function keep() {
    try {
      sessionStorage.setItem(key, JSON.stringify(fields.map((field) => field.value)));
    } catch {
      // Without storage the draft lives as long as the page.
    }
  }

  function recall() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(key) ?? "[]");
      fields.forEach((field, i) => (field.value ||= kept[i] ?? ""));
    } catch {
      // A draft of another make is no draft.
    }
  }

  function clear() {
    for (const field of fields) field.value = "";
    keep();
  }

  recall();
  return { keep, clear };
}
