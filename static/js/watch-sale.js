import { connectLog } from "./connect-log.js";
import { showConnection } from "./show-connection.js";
import { showFrames } from "./show-frames.js";
import { showThinking } from "./show-thinking.js";
import { word } from "./words.js";

/**
 * Shows somebody else's game while it is played: what the log tells goes onto the page, nothing goes
 * the other way.
 *
 * @param {HTMLElement} root
 * @returns {() => void} closes the line
 */
export function watchSale(root) {
  const announce = root.querySelector("[data-announce]");
  const lamp = showConnection(root, word("Not shared any more"));
  if (root.dataset.turn === "over") return () => {};

  const page = showFrames(root, { onPosition });
  const thinking = showThinking(root, page);
  const line = connectLog(root, { protocols: ["bazaar.html.v1"], onFrame, onState });

  function onState(state) {
    lamp.show(state);
    if (state === "refused") thinking.rest();
  }

  function onFrame(frame) {
    switch (frame.type) {
      case "event":
        if (frame.event.actor !== root.dataset.seat) thinking.rest();
        return page.item(frame.html);
      case "panels":
        return page.panels(frame.panels);
      case "thinking":
        return thinking.think(frame.text);
    }
  }

  function onPosition(standing) {
    const { turn, words } = standing.dataset;
    root.dataset.turn = turn;
    if (turn === root.dataset.seat || turn === "over") thinking.rest();
    if (announce.textContent !== words) announce.textContent = words;
    if (turn !== "over") return;
    line.stop();
    lamp.hide();
    root.querySelector("#sale-outcome h2")?.scrollIntoView({ block: "start" });
  }

  page.toEnd("instant");
  return () => {
    line.stop();
    page.stop();
  };
}
