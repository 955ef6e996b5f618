import { word } from "./words.js";

/**
 * A form whose turn comes in `data-seconds`: counts down on its button, then sends itself.
 *
 * @param {HTMLFormElement} form
 * @returns {() => void} stops counting
 */
export function startInTurn(form) {
  const button = form.querySelector("button");
  const due = performance.now() + Number(form.dataset.seconds) * 1000;
  button.disabled = true;

  function tick() {
    const left = Math.ceil((due - performance.now()) / 1000);
    if (left > 0) return (button.textContent = word("in {time}", { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` }));
    clearInterval(timer);
    button.textContent = word("any moment");
    form.submit(); // also where a field is called "submit", the button is not needed
  }

  const timer = setInterval(tick, 250);
  tick();
  return () => clearInterval(timer);
}
