import { readHtml } from "./read-html.js";

/**
 * The pieces of a match on the page: puts new ones where they belong, and shows the page as it
 * stood at one moment. Everything is on the page; what is later than the moment is hidden.
 *
 * @param {HTMLElement} root the match
 */
export function showMatch(root) {
  const talk = root.querySelector("#match-talk");

  const moments = () => [...root.querySelectorAll("#match-moments > [data-beat]")];

  /** @param {string} html several elements, each of which names its list */
  function add(html) {
    for (const piece of readHtml(html)) {
      const list = root.querySelector(`#${piece.dataset.into}`);
      const old = root.querySelector(`#${piece.id}`);
      // What is new waits for `show`: a slower viewer is not there yet.
      if (list !== talk) piece.hidden = true;
      else piece.classList.add("is-later");
      if (old) old.replaceWith(piece);
      else list.append(piece);
      if (!old && list === talk) piece.classList.add("is-new");
    }
  }

  /** @param {Record<string, string>} panels HTML of one element by its id */
  function redraw(panels) {
    for (const [id, html] of Object.entries(panels)) {
      const old = root.querySelector(`#${id}`);
      // A drawing that is the same stays: it may hold the focus or an open table.
      if (!old || old.dataset.drawn === html) continue;
      const [fresh] = readHtml(html);
      fresh.dataset.drawn = html;
      const inside = old.contains(document.activeElement);
      old.replaceWith(fresh);
      window.htmx?.process(fresh);
      if (inside) root.dispatchEvent(new CustomEvent("focus:lost"));
    }
    root.dispatchEvent(new CustomEvent("page:drawn", { bubbles: true }));
  }

  /**
   * Shows the match as it stood at a moment.
   *
   * @param {number} index of the moment; the last one shows everything
   * @returns {HTMLElement} the moment
   */
  function show(index) {
    const all = moments();
    const next = all[index + 1];
    const until = next ? Number(next.dataset.seq) - 1 : Infinity;
    all.forEach((moment, i) => (moment.hidden = i !== index));
    for (const piece of root.querySelectorAll("[data-seq]:not([data-beat], .match-tell)")) {
      if (piece !== root) piece.classList.toggle("is-later", Number(piece.dataset.seq) > until);
    }
    const tells = [...root.querySelectorAll("#match-tells > .match-tell")];
    const told = tells.findLast((tell) => Number(tell.dataset.seq) <= until);
    for (const tell of tells) tell.hidden = tell !== told;
    return all[index];
  }

  /** Only the talk's own box scrolls; the page stays where the reader put it. */
  function follow() {
    talk.scrollTop = talk.scrollHeight;
  }

  return { add, redraw, show, follow, moments };
}
