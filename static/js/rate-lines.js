import { word } from "./words.js";

const OFFLINE = word("That did not get through. Press again when the line is back.");

/**
 * Sends thumbs without leaving the page: a press says what shall stand, a second press takes it back.
 *
 * @param {HTMLFormElement} form whose buttons stand beside the lines, each pair in `[data-thumbs]`
 * @returns {() => void} stops listening
 */
export function rateLines(form) {
  const listening = new AbortController();

  async function give(pair, wanted) {
    const say = pair.querySelector("[data-thumbs-say]");
    pair.setAttribute("aria-busy", "true");
    say.textContent = "";
    try {
      const answer = await fetch(form.dataset.api, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value },
        body: JSON.stringify({ seq: Number(pair.dataset.thumbs), thumb: wanted }),
      });
      const told = await answer.json();
      if (answer.ok) show(pair, told.thumb);
      else say.textContent = told.error.detail;
    } catch {
      say.textContent = OFFLINE;
    }
    pair.removeAttribute("aria-busy");
  }

  function show(pair, thumb) {
    for (const button of pair.querySelectorAll("[data-thumb]")) {
      const pressed = button.dataset.thumb === thumb;
      button.setAttribute("aria-pressed", String(pressed));
      button.value = pressed ? "none" : button.dataset.thumb;
    }
  }

  function submit(event) {
    const pair = event.submitter?.closest("[data-thumbs]");
    if (!pair) return;
    event.preventDefault();
    if (!pair.hasAttribute("aria-busy")) give(pair, event.submitter.value);
  }

  form.addEventListener("submit", submit, { signal: listening.signal });
  return () => listening.abort();
}
