import { word } from "./words.js";

const STATES = { connecting: "Connecting", live: "Live", reconnecting: "Reconnecting", offline: "Offline" };

/**
 * Shows how the line to the log is doing.
 *
 * @param {HTMLElement} root
 * @param {string} refused what is said when the log may not be read
 */
export function showConnection(root, refused) {
  const lamp = root.querySelector("[data-connection]");

  return {
    show(state) {
      lamp.hidden = false;
      lamp.dataset.state = state;
      lamp.firstElementChild.textContent = state in STATES ? word(STATES[state]) : refused;
    },
    /** The log is over: there is nothing more to hear. */
    hide: () => (lamp.hidden = true),
  };
}
