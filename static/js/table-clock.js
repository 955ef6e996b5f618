import { word } from "./words.js";

const TICK_MS = 500;
const NEAR_S = 45;
const SHOWN_S = 300;
const SPOKEN_S = new Set([120, 60, 30, 10]);

const clockTime = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

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
  const end = place.querySelector("[data-end]");
  const clocks = {};
  for (const side of ["seller", "buyer"]) clocks[side] = place.querySelector(`[data-left="${side === own ? "own" : "rival"}"]`);
  let [timer, heard, told, spoken] = [0, 0, null, ""];

  function tick() {
    const gone = (performance.now() - heard) / 1000;
    for (const [side, left] of Object.entries(told.left_s ?? {})) {
      const now = Math.max(0, left - (side === told.running ? gone : 0));
      if (clocks[side]) clocks[side].textContent = clockTime(now);
    }
    const seconds = Math.max(0, Math.ceil(told.due_s - gone));
    // A quarter of an hour for a move is no clock: it is told of when it runs short.
    due.hidden = told.due_s === null || (told.why !== "absent" && seconds > SHOWN_S);
    if (due.hidden) return;
    const isOwn = told.running === own;
    place.classList.toggle("is-short", isOwn && seconds <= NEAR_S);
    // Read aloud as a turn begins or somebody goes, and at a few moments: not every second.
    const now = `${told.running} ${told.why}`;
    due.setAttribute("aria-live", now !== spoken || SPOKEN_S.has(seconds) ? "polite" : "off");
    spoken = now;
    const time = clockTime(seconds);
    if (isOwn) due.textContent = word("Your move, within {time}", { time });
    else if (told.why === "absent") due.textContent = word("The other side is away: {time} to come back", { time });
    else due.textContent = word("{time} for the other side to move", { time });
  }

  function stop() {
    clearInterval(timer);
    place.hidden = true;
  }

  return {
    /** @param {{running: string, why: string, due_s: number | null, left_s?: Record<string, number>}} frame */
    show(frame) {
      clearInterval(timer);
      [heard, told] = [performance.now(), frame];
      place.hidden = false;
      // Whoever waits for somebody who is away need not wait.
      end.hidden = frame.why !== "absent" || frame.running === own;
      tick();
      timer = setInterval(tick, TICK_MS);
    },
    stop,
  };
}
