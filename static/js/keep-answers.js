/**
 * Keeps what is filled in on a form over a reload, for as long as the tab lives.
 *
 * @param {HTMLFormElement} form with ``data-key``, which names the draft
 */
export function keepAnswers(form) {
  const key = `answers-${form.dataset.key}`;
  const fields = [...form.elements].filter((field) => field.name && field.type !== "hidden");

  function keep() {
    try {
      const kept = [...new FormData(form)].filter(([name]) => fields.some((one) => one.name === name));
      sessionStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // Without storage the answers live as long as the page.
    }
  }

  function recall() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(key) ?? "[]");
      if (fields.some((field) => (field.type === "radio" || field.type === "checkbox" ? field.checked : field.value))) return;
      for (const [name, value] of kept) {
        for (const field of fields.filter((one) => one.name === name)) {
          if (field.type === "radio" || field.type === "checkbox") field.checked ||= field.value === value;
          else field.value = value;
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }
      }
    } catch {
      // A draft of another make is no draft.
    }
  }

  // What was sent comes back with the page where it is refused; the next person in this tab starts anew.
  function forget() {
    sessionStorage.removeItem(key);
  }

  recall();
  keep(); // also what was filled in while this script was on its way
  form.addEventListener("submit", forget);
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  return () => {
    form.removeEventListener("submit", forget);
    form.removeEventListener("input", keep);
    form.removeEventListener("change", keep);
  };
}
