import { word } from "./words.js";

const SAID_MS = 2_000;

/**
 * A button that copies the link beside it; where the browser refuses, the link is selected instead.
 * Where the device has a sheet for sharing, a button `[data-share]` opens it. Words with a
 * `data-path` are followed by that page's address.
 *
 * @param {HTMLElement} root holds `[data-link]`, `[data-copy]` and `[data-copied]`
 * @returns {() => void} stops listening
 */
export function copyLink(root) {
  const link = root.querySelector("[data-link]");
  const button = root.querySelector("[data-copy]");
  const said = root.querySelector("[data-copied]");
  const label = button.textContent;
  if (link.dataset.path) link.value += ` ${new URL(link.dataset.path, location.href)}`;
  const listening = new AbortController();
  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });
  let resting = 0;

  async function copy() {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      return tell(word("Selected: now copy it"));
    }
    tell(word("Copied"));
  }

  function tell(words) {
    button.textContent = said.textContent = words;
    clearTimeout(resting);
    resting = setTimeout(() => ((button.textContent = label), (said.textContent = "")), SAID_MS);
  }

  const share = root.querySelector("[data-share]");
  if (share && navigator.share) {
    // Who closes the sheet again has not met a fault.
    on(share, "click", () => navigator.share({ text: link.value }).catch(() => {}));
    share.hidden = false;
  }
  on(button, "click", copy);
  on(link, "focus", () => link.select());
  button.hidden = false;
  return () => (clearTimeout(resting), listening.abort());
}
