import { composeMove } from "./compose-move.js";
import { connectLog } from "./connect-log.js";
import { showFrames } from "./show-frames.js";

const STATES = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  offline: "Offline",
  refused: "Not your game",
};

/**
 * Keeps a game live: what the log tells goes onto the page, what the person does goes to the game.
 *
 * @param {HTMLElement} root
 * @returns {() => void} closes the line
 */
export function liveSale(root) {
  const thinking = root.querySelector("[data-thinking]");
  const announce = root.querySelector("[data-announce]");
  const whisper = root.querySelector("[data-whisper]");
  const resting = whisper.textContent;
  const lamp = root.querySelector("[data-connection]");
  const { seat } = root.dataset;
  if (root.dataset.turn === "over") return () => {};

  const page = showFrames(root, { onPosition });
  const composer = composeMove(root.querySelector("[data-composer]"), {
    key: `draft.${root.dataset.game}`,
    seat,
    send: (frame) => line.send(frame),
  });
  const line = connectLog(root, { protocols: ["bazaar.html.v1"], onFrame, onState });

  function onState(state) {
    lamp.hidden = false;
    lamp.dataset.state = state;
    lamp.firstElementChild.textContent = STATES[state];
    if (state !== "live") composer.refused();
  }

  function onPosition(standing) {
    const { turn, words } = standing.dataset;
    root.dataset.turn = turn;
    composer.turn(turn);
    if (turn === seat || turn === "over") rest();
    else thinking.hidden = false;
    if (announce.textContent !== words) announce.textContent = words;
    if (turn === "over") finish();
  }

  function finish() {
    line.stop();
    lamp.hidden = true;
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
        return think(frame.text);
      case "guests":
        return countGuests(frame.count);
      case "note":
        return composer.tell(frame.detail, undefined, "note");
      case "error":
        return onError(frame);
    }
  }

  /** @param {string} [words] the part of the coming message that has been made so far */
  function think(words) {
    const follow = page.isFollowing();
    thinking.hidden = false;
    thinking.classList.toggle("is-speaking", Boolean(words));
    whisper.textContent = words || resting;
    if (follow) page.toEnd();
  }

  function rest() {
    thinking.hidden = true;
    thinking.classList.remove("is-speaking");
    whisper.textContent = resting;
  }

  function countGuests(count) {
    for (const place of root.querySelectorAll("[data-guest-count]")) place.textContent = count ? `${count} watching` : "";
  }

  /** Gives whether the turn was taken on this page, whose reader then wants to see it. */
  function hearTurn(actor) {
    if (actor === seat) return composer.taken();
    if (actor) rest();
    return false;
  }

  function onError(frame) {
    composer.refused();
    const choices = (frame.candidates ?? []).map(({ price, text }) => composer.choice(price, text));
    composer.tell(frame.detail, undefined, frame.code === "no-price" ? "note" : "problem", choices);
  }

  onPosition(root.querySelector("#sale-standing"));
  announce.textContent = "";
  page.toEnd("instant");
  return () => {
    line.stop();
    composer.stop();
    page.stop();
  };
}
