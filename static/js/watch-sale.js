import { connectLog } from "./connect-log.js";
import { showFrames } from "./show-frames.js";

const STATES = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  offline: "Offline",
  refused: "Not shared any more",
};

/**
 * Shows somebody else's game while it is played: what the log tells goes onto the page, nothing goes
 * the other way.
 *
 * @param {HTMLElement} root
 * @returns {() => void} closes the line
 */
export function watchSale(root) {
  const thinking = root.querySelector("[data-thinking]");
  const whisper = root.querySelector("[data-whisper]");
  const announce = root.querySelector("[data-announce]");
  const lamp = root.querySelector("[data-connection]");
  const resting = whisper.textContent;
  if (root.dataset.turn === "over") return () => {};

  const page = showFrames(root, { onPosition });
  const line = connectLog(root, { protocols: ["bazaar.html.v1"], onFrame, onState });

  function onState(state) {
    lamp.hidden = false;
    lamp.dataset.state = state;
    lamp.firstElementChild.textContent = STATES[state];
    if (state === "refused") rest();
  }

  function onFrame(frame) {
    switch (frame.type) {
      case "event":
        if (frame.event.actor !== root.dataset.seat) rest();
        return page.item(frame.html);
      case "panels":
        return page.panels(frame.panels);
      case "thinking":
        return think(frame.text);
    }
  }

  function onPosition(standing) {
    const { turn, words } = standing.dataset;
    root.dataset.turn = turn;
    if (turn === root.dataset.seat || turn === "over") rest();
    if (announce.textContent !== words) announce.textContent = words;
    if (turn !== "over") return;
    line.stop();
    lamp.hidden = true;
    root.querySelector("#sale-outcome h2")?.scrollIntoView({ block: "start" });
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

  page.toEnd("instant");
  return () => {
    line.stop();
    page.stop();
  };
}
