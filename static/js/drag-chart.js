const FAR_PX = 4; // less is a click or a tremble
const MARKS = "svg [data-seq]:not(text)";

/**
 * Scrubs by pressing or dragging on the chart: the slider follows the finger, and all else follows it.
 *
 * Up and down still scrolls the page (`touch-action: pan-y`); keys and readers have the slider.
 *
 * @param {HTMLElement} root the chart, inside the part of the page that `scrub-replay` serves
 * @returns {() => void} stops listening
 */
export function dragChart(root) {
  const replay = root.closest("[data-behaviour=scrub-replay]");
  const slider = replay?.querySelector("[data-slider]");
  const listening = new AbortController();
  const on = (name, handler) => root.addEventListener(name, handler, { signal: listening.signal });
  let from = null;

  /** Give the number of the event whose mark ends nearest to a place, from left to right. */
  function nearest(x) {
    let [found, distance] = [1, Infinity];
    for (const mark of root.querySelectorAll(MARKS)) {
      const away = Math.abs(mark.getBoundingClientRect().right - x);
      if (away < distance) [found, distance] = [Number(mark.dataset.seq), away];
    }
    return found;
  }

  function stand(x) {
    const seq = nearest(x);
    const steps = [...replay.querySelectorAll("[data-words]")];
    const index = steps.findLastIndex((step) => Number(step.dataset.seq) <= seq);
    if (index < 0 || slider.value === String(index)) return;
    slider.value = String(index);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function press(event) {
    if (!event.isPrimary || event.button !== 0 || event.target.closest("a, button")) return;
    from = event.clientX;
    root.setPointerCapture(event.pointerId);
    if (event.pointerType === "mouse") stand(event.clientX);
  }

  function move(event) {
    if (from === null || Math.abs(event.clientX - from) < FAR_PX) return;
    stand(event.clientX);
  }

  function lift(event) {
    if (from !== null) stand(event.clientX);
    from = null;
  }

  if (!slider) return () => {};
  on("pointerdown", press);
  on("pointermove", move);
  on("pointerup", lift);
  on("pointercancel", () => (from = null));
  root.classList.add("is-draggable");
  return () => listening.abort();
}
