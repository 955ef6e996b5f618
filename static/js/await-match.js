import { connectLog } from "./connect-log.js";

/**
 * The page of a match that has not begun: turns into the match by itself, and follows the chairs.
 *
 * @param {HTMLElement} root
 * @returns {() => void} closes the line
 */
export function awaitMatch(root) {
  let chairs = "";

  function onFrame(frame) {
    if (frame.type === "event" || frame.type === "snapshot") return location.reload();
    if (frame.type !== "waiting") return;
    const now = JSON.stringify([frame.seats, frame.starts_at]);
    // Somebody sat down, or the start was moved: the server draws the table.
    if (chairs && now !== chairs) location.reload();
    chairs = now;
  }

  const line = connectLog(root, { protocols: ["bazaar.html.v1"], onFrame, onState: () => {} });
  return () => line.stop();
}
