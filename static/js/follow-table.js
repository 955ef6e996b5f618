import { connectLog } from "./connect-log.js";

/**
 * A table of two people draws itself anew as soon as the other one has moved.
 *
 * @param {HTMLElement} element has `data-socket`, `data-seq`, and asks htmx for the page upon `news`
 * @returns {() => void} hangs up
 */
export function followTable(element) {
  const line = connectLog(element, {
    onFrame: (frame) => frame.type === "event" && element.dispatchEvent(new Event("news")),
    onState: (state) => (element.dataset.line = state),
  });
  return () => line.stop();
}
