import { connectLog } from "./connect-log.js";
import { readHtml } from "./read-html.js";

/**
 * Keeps the match on the front page going: what is said is added, the chart is drawn anew. While
 * its reader has paused, what comes waits.
 *
 * @param {HTMLElement} root has `[data-talk]`, `#match-chart` and the socket's path
 * @returns {() => void} closes the line
 */
export function liveHaggle(root) {
  const talk = root.querySelector("[data-talk]");
  const play = root.querySelector("[data-play]");
  const replay = root.querySelector("[data-replay]");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {any[]} */
  const waiting = [];
  let paused = false;

  const line = connectLog(root, { protocols: ["bazaar.html.v1"], onFrame: hear, onState: () => {} });

  function hear(frame) {
    if (paused) waiting.push(frame);
    else take(frame);
  }

  function take(frame) {
    if (frame.type === "snapshot") return frame.events.forEach(take);
    if (frame.type === "panels") return draw(frame.panels["match-chart"]);
    if (frame.type !== "event") return;
    for (const piece of readHtml(frame.html)) if (piece.dataset.into === "match-talk") add(piece);
    if (frame.event.kind === "ended") finish();
  }

  function add(piece) {
    const old = root.querySelector(`#${piece.id}`);
    if (old) return old.replaceWith(piece);
    piece.classList.add("is-new");
    talk.append(piece);
    toEnd();
  }

  function draw(html) {
    if (html) root.querySelector("#match-chart").replaceWith(...readHtml(html));
  }

  function finish() {
    line.stop();
    play.hidden = true;
    replay.hidden = false;
  }

  // Only the talk's own box scrolls; the page stays where its reader put it.
  function toEnd() {
    talk.scrollTo({ top: talk.scrollHeight, behavior: calm.matches ? "instant" : "smooth" });
  }

  function press() {
    paused = !paused;
    play.textContent = paused ? "Go on" : "Pause";
    if (!paused) waiting.splice(0).forEach(take);
  }

  play.addEventListener("click", press);
  play.hidden = false;
  talk.scrollTop = talk.scrollHeight;
  return () => (line.stop(), play.removeEventListener("click", press));
}
