import { word } from "./words.js";

const HEX = 16;

/**
 * Checks in the browser that the opened values are those that were sealed before the first move.
 *
 * @param {HTMLElement} element has `data-text` (what was committed to) and `data-commitment`, a
 *   button and an output
 * @returns {() => void} stops listening
 */
export function checkSeal(element) {
  const button = element.querySelector("button");
  const output = element.querySelector("output");

  async function check() {
    const bytes = new TextEncoder().encode(element.dataset.text);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    const found = [...new Uint8Array(digest)].map((byte) => byte.toString(HEX).padStart(2, "0")).join("");
    const kept = found === element.dataset.commitment;
    output.className = kept ? "deal" : "walk";
    output.textContent = kept ? word("Kept: your browser computed the same fingerprint.") : word("Broken: your browser computed {found}.", { found });
  }

  // Browsers offer crypto.subtle on https and localhost only; the command works everywhere.
  if (!globalThis.crypto?.subtle) return () => {};
  button.hidden = false;
  button.addEventListener("click", check);
  return () => button.removeEventListener("click", check);
}
