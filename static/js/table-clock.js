import { word } from "./words.js";

const TICK_MS = 500;
const NEAR_S = 45;
const SPOKEN_S = new Set([45, 30, 10]);

/**
 * What time is left at a table with limits: each side's clock, and how long the game waits for a move.
 *
 * @param {HTMLElement} root may hold `[data-table-clock]`
 */
export function tableClock(root) {
  const place = root.querySelector("[data-table-clock]");
  if (!place) return { show() {}, stop() {} };
  const own = place.dataset.own;
  const due = place.querySelector("[data-due]");
  const clocks = {};
  for (const side of ["seller", "buyer"]) clocks[side] = place.querySelector(`[data-left="${side === own ? "own" : "rival"}"]`);
  let [timer, heard, told] = [0, 0, null];

  function tick() {
    const gone = (performance.now() - heard) / 1000;
    for (const [side, left] of Object.entries(told.left_s ?? {})) {
      const now = Math.max(0, left - (side === told.running ? gone : 0));
      if (clocks[side]) clocks[side].textContent = `${Math.floor(now / 60)}:${String(Math.floor(now % 60)).padStart(2, "0")}`;
    }
    if (told.due_s === null) return;
    const seconds = Math.max(0, Math.ceil(told.due_s - gone));
    due.hidden = seconds > NEAR_S;
    place.classList.toggle("is-short", !due.hidden && told.running === own);
    if (!due.hidden) due.textContent = told.running === own ? word("Your move, within {seconds} s", { seconds }) : word("{seconds} s for the other side", { seconds });
    // Read aloud at a few moments only, not every second.
    place.setAttribute("aria-live", SPOKEN_S.has(seconds) ? "polite" : "off");
  }

  function stop() {
    clearInterval(timer);
    place.hidden = true;
  }

  return {
    /** @param {{running: string, due_s: number | null, left_s?: Record<string, number>}} frame */
    show(frame) {
      clearInterval(timer);
      [heard, told] = [performance.now(), frame];
      place.hidden = false;
      tick();
      timer = setInterval(tick, TICK_MS);
    },
    stop,
  };
}
