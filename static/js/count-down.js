import { word } from "./words.js";

const TICK_MS = 1000;
const DAY_S = 86_400;

/**
 * A moment in the near future, as the time that is left until then: nobody has to reckon with zones.
 *
 * @param {HTMLTimeElement} element
 * @returns {() => void} stops counting
 */
export function countDown(element) {
  const due = Date.parse(element.dateTime);
  const said = element.textContent;

  function tick() {
    const left = Math.round((due - Date.now()) / 1000);
    if (left > DAY_S) element.textContent = said;
    else if (left > 3600) element.textContent = word("in {hours} h {minutes} min", { hours: Math.floor(left / 3600), minutes: Math.floor((left % 3600) / 60) });
    else if (left > 0) element.textContent = word("in {time}", { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` });
    else element.textContent = word("any moment");
  }

  tick();
  const timer = setInterval(tick, TICK_MS);
  return () => clearInterval(timer);
}
