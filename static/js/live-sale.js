import { composeMove } from "./compose-move.js";
import { connectLog } from "./connect-log.js";
import { showConnection } from "./show-connection.js";
import { showFrames } from "./show-frames.js";
import { showThinking } from "./show-thinking.js";
import { tableClock } from "./table-clock.js";
import { word } from "./words.js";
import { chime } from "./sound.js";

/**
 * Keeps a game live: what the log tells goes onto the page, what the person does goes to the game.
 *
 * @param {HTMLElement} root
 * @returns {() => void} closes the line
 */
export function liveSale(root) {
  const announce = root.querySelector("[data-announce]");
  const lamp = showConnection(root, word("Not your game"));
  const { seat } = root.dataset;
  if (root.dataset.turn === "over") return () => {};

  const page = showFrames(root, { onPosition });
  const thinking = showThinking(root, page);
  const clock = tableClock(root);
  const composer = composeMove(root.querySelector("[data-composer]"), {
    key: `draft.${root.dataset.game}`,
    seat,
    send: (frame) => line.send(frame),
  });
  const line = connectLog(root, { protocols: ["bazaar.html.v1"], onFrame, onState });

  function onState(state) {
    // The seat is somebody else's now: the room tells why.
    if (state === "refused" && root.querySelector("[data-table-clock]")) return comeBack();
    lamp.show(state);
    if (state === "live") composer.hush();
    else composer.refused();
  }

  /** The house may keep the seat of whoever was away: it is given back to who looks here again. */
  function comeBack() {
    if (document.hidden) return document.addEventListener("visibilitychange", comeBack, { once: true });
    location.replace(root.dataset.back || location.href);
  }

  function onPosition(standing) {
    const { turn, words } = standing.dataset;
    if (turn !== root.dataset.turn) root.dispatchEvent(new Event("turned"));
    root.dataset.turn = turn;
    composer.turn(turn);
    if (turn === seat || turn === "over") thinking.rest();
    else thinking.wait();
    if (announce.textContent !== words) announce.textContent = words;
    if (turn === "over") finish();
  }

  function finish() {
    line.stop();
    clock.stop();
    lamp.hide();
    chime(document.querySelector("#sale-outcome .is-deal, #sale-outcome .is-plain") ? "deal" : "walk");
    const headline = document.querySelector("#sale-outcome h2");
    headline?.focus({ preventScroll: true });
    headline?.scrollIntoView({ block: "start" });
  }

  function onFrame(frame) {
    switch (frame.type) {
      case "event":
        return page.item(frame.html, { follow: frame.event.kind !== "tells" && hearTurn(frame.event.actor) });
      case "panels":
        return page.panels(frame.panels);
      case "thinking":
        return thinking.think(frame.text);
      case "writes":
        return thinking.write();
      case "clock":
        return clock.show(frame);
      case "guests":
        return countGuests(frame.count);
      case "note":
        return onNote(frame);
      case "error":
        return onError(frame);
    }
  }

  /** Small talk needs no remark: it stands in the talk, and is answered there. */
  function onNote(frame) {
    if (frame.code !== "no-price") composer.tell(frame.detail, { kind: "note", choices: frame.candidates ?? [] });
  }

  function countGuests(count) {
    for (const place of root.querySelectorAll("[data-guest-count]")) place.textContent = count ? word("{count} watching", { count }) : "";
  }

  /** Gives whether the turn was taken on this page, whose reader then wants to see it. */
  function hearTurn(actor) {
    if (actor && actor !== seat) chime("turn");
    if (actor === seat) return composer.taken();
    if (actor) thinking.rest();
    return false;
  }

  function onError(frame) {
    composer.refused();
    composer.tell(frame.detail, { kind: frame.code === "not-your-turn" ? "problem is-waiting" : "problem", choices: frame.candidates ?? [] });
  }

  onPosition(root.querySelector("#sale-standing"));
  announce.textContent = "";
  page.toEnd("instant");
  composer.greet();
  return () => {
    line.stop();
    clock.stop();
    composer.stop();
    page.stop();
  };
}
