/**
 * The clock of a demo: whether it stands still for everybody, and the buttons of whoever started it.
 *
 * @param {HTMLElement | null} clock has `data-paused`, and a form where the visitor has controls
 * @param {{send: (frame: object) => boolean, follow: () => void}} options `send` is false where the
 *   line is cut: then the form is posted; `follow` is told that the reader wants to see what comes
 */
export function controlDemo(clock, { send, follow }) {
  const listening = new AbortController();
  const problem = clock?.querySelector("[data-clock-problem]");

  function onSubmit(event) {
    const { value } = event.submitter;
    if (!send({ type: "pace", pause: value === "step" ? value : value === "true" })) return;
    event.preventDefault();
    problem.hidden = true;
    follow();
  }

  clock?.querySelector("form")?.addEventListener("submit", onSubmit, { signal: listening.signal });

  return {
    /** Takes a frame of the market's line. */
    take(frame) {
      if (frame.type === "standing" && clock) move(String(frame.paused));
      if (frame.type === "error" && problem) Object.assign(problem, { textContent: frame.detail, hidden: false });
    },
    stop: () => listening.abort(),
  };

  /** The button that was pressed gives its place, and the focus, to its counterpart. */
  function move(paused) {
    const isHeld = clock.contains(document.activeElement);
    clock.dataset.paused = paused;
    if (isHeld && !document.activeElement.checkVisibility()) clock.querySelector("button:is(.when-still, .when-moving):not(:focus)").focus();
  }
}
