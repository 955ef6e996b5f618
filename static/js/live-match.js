import { connectLog } from "./connect-log.js";
import { paceMatch } from "./pace-match.js";
import { sealEnvelope } from "./seal-envelope.js";
import { showConnection } from "./show-connection.js";
import { showMatch } from "./show-match.js";
import { word } from "./words.js";

const TYPING = "input:not([type=radio]), textarea, select, [contenteditable]";
const PRESSABLE = "a, button, summary, input, label, [tabindex='0']";

/**
 * Keeps a match live for whoever looks on or plays.
 *
 * @param {HTMLElement} root
 * @returns {() => void} closes the line
 */
export function liveMatch(root) {
  const announce = root.querySelector("[data-announce]");
  const lamp = showConnection(root, word("No such match"));
  const controls = root.querySelector("[data-pace]");
  const form = root.querySelector("[data-composer]");
  const listening = new AbortController();
  const page = showMatch(root);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const key = `pace.${root.dataset.game}`;
  let over = "over" in root.dataset;
  let soon = 0;

  const pace = controls && paceMatch(controls, { key, moments: page.moments, show });
  const seat = form && sealEnvelope(form, { key: `draft.${root.dataset.game}`, deadline: root.dataset.deadline, send: (frame) => line?.send(frame) });
  const line = over ? null : connectLog(root, { protocols: ["bazaar.html.v1"], onFrame, onState });

  function show(index) {
    const { words } = page.show(index).dataset;
    if (announce.textContent !== words) announce.textContent = words;
    page.follow();
  }

  function news() {
    clearTimeout(soon);
    if (!pace) show(page.moments().length - 1);
    else pace.news();
    seat?.turned();
  }

  function onState(state) {
    lamp.show(state);
    if (state !== "live") seat?.refused();
  }

  function onFrame(frame) {
    switch (frame.type) {
      case "event":
        return take(frame);
      case "snapshot":
        frame.events.forEach(take);
        return;
      case "panels":
        page.redraw(frame.panels);
        news();
        return over && showSheet();
      case "awaiting":
        return seat?.awaited(frame);
      case "error":
        return seat?.refused(frame);
    }
  }

  function take(frame) {
    page.add(frame.html);
    // Several events come at once; they are shown together, as soon as the last of them is here.
    clearTimeout(soon);
    soon = setTimeout(news);
    if (frame.event.kind !== "ended") return;
    over = true;
    finish();
  }

  function finish() {
    // The panels of the end come after it; then there is nothing more to hear.
    lamp.hide();
    if (!form) return;
    form.hidden = true;
    root.dataset.over = "";
  }

  /** Whoever played, or stands at the top of the page, is shown the sheet as it comes. */
  function showSheet() {
    const headline = root.querySelector("#outcome-title");
    if (!headline || headline.closest(".is-later") || (pace && scrollY > innerHeight)) return;
    if (form) headline.focus({ preventScroll: true });
    headline.scrollIntoView({ block: "center", behavior: calm.matches ? "instant" : "smooth" });
  }

  function onKey(event) {
    if (!pace || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest(TYPING)) return;
    if (event.target.closest("[data-pace] fieldset") && event.key.startsWith("Arrow")) return;
    if (event.key === "ArrowLeft") pace.step(-1);
    else if (event.key === "ArrowRight") pace.step(1);
    else if (event.key === "Home") pace.restart();
    else if (event.key === "End") pace.catchUp();
    else if (event.key === " " && !event.target.closest(PRESSABLE)) pace.toggle();
    else return;
    event.preventDefault();
  }

  document.addEventListener("keydown", onKey, { signal: listening.signal });
  announce.textContent = "";
  page.follow();
  return () => {
    clearTimeout(soon);
    line?.stop();
    pace?.stop();
    seat?.stop();
    listening.abort();
  };
}
