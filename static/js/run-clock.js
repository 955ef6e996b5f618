import { word } from "./words.js";

const TICK_MS = 250;
const SHORT_S = 10;
const SPOKEN_S = new Set([30, 10, 5]);

/**
 * Counts down to the moment when an envelope is due.
 *
 * @param {HTMLElement} element has `[data-clock-words]` and `[data-clock-meter]`
 */
export function runClock(element) {
  const words = element.querySelector("[data-clock-words]");
  const meter = element.querySelector("[data-clock-meter]");
  let [timer, due, whole] = [0, 0, 1];

  function tick() {
    const left = Math.max(0, (due - Date.now()) / 1000);
    const seconds = Math.ceil(left);
    element.classList.toggle("is-short", seconds <= SHORT_S);
    meter.value = left / whole;
    words.textContent = seconds ? word("{seconds} s to seal your envelope", { seconds }) : word("Time is up: you hold");
    // Read aloud at a few moments only, not every second.
    element.setAttribute("aria-live", SPOKEN_S.has(seconds) ? "polite" : "off");
  }

  function stop() {
    clearInterval(timer);
    element.hidden = true;
  }

  return {
    /** @param {string | undefined | null} deadline ISO date */
    start(deadline) {
      stop();
      due = Date.parse(deadline ?? "");
      if (Number.isNaN(due)) return;
      whole = Math.max((due - Date.now()) / 1000, 1);
      element.hidden = false;
      tick();
      timer = setInterval(tick, TICK_MS);
    },
    stop,
  };
}
