import { followEnd } from "./follow-end.js";
import { readHtml } from "./read-html.js";

function replaceKeepingFocus(old, fresh) {
  const inside = old.contains(document.activeElement) ? document.activeElement : null;
  const { name, value } = inside ?? {};
  old.replaceWith(fresh);
  if (!inside) return;
  const twin = name && fresh.querySelector(`[name="${name}"][value="${value}"]:not(:disabled)`);
  (twin ?? document.querySelector("[data-text]"))?.focus();
}

/**
 * Puts what the server sends into the page: transcript items and panels.
 *
 * @param {HTMLElement} root the sale
 * @param {{onPosition: (standing: HTMLElement) => void}} options told whenever the position changed
 */
export function showFrames(root, { onPosition }) {
  const transcript = root.querySelector("#transcript");
  const { isFollowing, toEnd, stop } = followEnd(root);
  const drawn = new Map();

  function item(html, { follow = false } = {}) {
    if (!html) return;
    const [fresh] = readHtml(html);
    const old = fresh.id && root.querySelector(`#${fresh.id}`);
    const goes = follow || isFollowing();
    if (old) {
      old.replaceWith(fresh);
    } else {
      fresh.classList.add("is-new");
      transcript.append(fresh);
    }
    if (goes) toEnd();
  }

  function panels(fresh) {
    const follow = isFollowing();
    for (const [id, html] of Object.entries(fresh)) {
      const old = document.getElementById(id);
      // What stays the same stays: it may hold the focus.
      if (!old || drawn.get(id) === html) continue;
      drawn.set(id, html);
      const [panel] = readHtml(html);
      replaceKeepingFocus(old, panel);
      window.htmx?.process(panel);
    }
    root.dispatchEvent(new CustomEvent("page:drawn", { bubbles: true }));
    const standing = root.querySelector("#sale-standing");
    if (standing) onPosition(standing);
    // Buttons that came or went have moved the composer's upper edge.
    if (follow && standing?.dataset.turn !== "over") toEnd();
  }

  return { item, panels, isFollowing, toEnd, stop };
}
