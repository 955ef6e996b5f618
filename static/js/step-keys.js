const TYPING = "input:not([type=range], [type=checkbox]), textarea, select";
const PRESSABLE = "a, button, summary, input, label, [tabindex='0']";
const STEPS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

/**
 * Lets the keyboard step through a market: arrows, Home and End, and the space bar to play or pause.
 *
 * @param {{signal: AbortSignal, onStep: (step: "previous" | "next" | "first" | "last") => void, onToggle: () => void}} options
 */
export function stepKeys({ signal, onStep, onToggle }) {
  function hear(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest(TYPING)) return;
    const step = STEPS[event.key];
    const space = event.key === " " && !event.target.closest(PRESSABLE);
    if (!step && !space) return;
    event.preventDefault();
    if (space) onToggle();
    else onStep(step);
  }
  document.addEventListener("keydown", hear, { signal });
}
