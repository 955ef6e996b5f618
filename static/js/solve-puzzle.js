import { word } from "./words.js";

const TICK_MS = 250;

/**
 * A puzzle by keyboard, and its minute: digits choose a move, Enter or N leads on after the answer.
 *
 * @param {HTMLElement} element
 * @returns {() => void} stops listening and counting
 */
export function solvePuzzle(element) {
  const listening = new AbortController();
  document.addEventListener("keydown", (event) => press(element, event), { signal: listening.signal });
  element.querySelector("form.puzzle-moves")?.addEventListener(
    "submit",
    (event) => settle(element, event.submitter),
    { signal: listening.signal },
  );
  // A page that comes back from the history is as it was left: with its moves pressed.
  window.addEventListener("pageshow", () => reopen(element), { signal: listening.signal });
  const stop = element.dataset.left ? runClock(element) : () => {};
  return () => (listening.abort(), stop());
}

function press(element, event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
  if (event.target.closest("input, select, textarea")) return;
  const move = element.querySelector(`button[data-key="${CSS.escape(event.key)}"]`);
  if (move) move.click();
  const isOn = event.key.toLowerCase() === "n" || (event.key === "Enter" && !event.target.closest("a, button, summary"));
  if (isOn) element.querySelector("[data-next]")?.click();
}

/** One answer is enough: a second press must not overtake the first. */
function settle(element, chosen) {
  chosen?.classList.add("is-pressed");
  setTimeout(() => element.querySelectorAll("button[data-key]").forEach((button) => (button.disabled = true)));
}

function reopen(element) {
  for (const button of element.querySelectorAll("button[data-key]")) {
    button.disabled = false;
    button.classList.remove("is-pressed");
  }
}

function runClock(element) {
  const [words, late] = [element.querySelector("[data-clock]"), element.querySelector("[data-late]")];
  const [clock, hand] = [element.querySelector(".puzzle-clock"), element.querySelector(".puzzle-clock-hand")];
  const all = Number(element.dataset.seconds);
  const due = performance.now() + 1000 * Number(element.dataset.left);

  function tick() {
    const left = Math.max(0, (due - performance.now()) / 1000);
    hand.setAttribute("stroke-dashoffset", String(100 - (100 * left) / all));
    clock.classList.toggle("is-short", left > 0 && left <= 10);
    if (left > 0) return void (words.textContent = word("{seconds} s", { seconds: Math.ceil(left) }));
    words.textContent = word("Take your time now");
    clock.classList.add("is-late");
    late.hidden = false;
    clearInterval(timer);
  }

  const timer = Number(element.dataset.left) > 0 ? setInterval(tick, TICK_MS) : 0;
  if (timer) tick();
  else hand.setAttribute("stroke-dashoffset", "100");
  return () => clearInterval(timer);
}
