/**
 * Links of graded moves lead to their step without loading the page again.
 *
 * @param {HTMLElement} root holds links with `data-to-seq`
 * @returns {() => void} stops listening
 */
export function markMoves(root) {
  const listening = new AbortController();
  const links = [...root.querySelectorAll("[data-to-seq]")];

  function goThere(event) {
    const link = event.target.closest("[data-to-seq]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // Not by following "#5": the browser would scroll the page to the transcript.
    history.replaceState(null, "", `${location.pathname}#${link.dataset.toSeq}`);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }

  function show(first, last = first) {
    for (const link of links) {
      const seq = Number(link.dataset.toSeq);
      if (seq >= first && seq <= last) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    }
  }

  const now = document.querySelector(".step:not([hidden])");
  if (now) show(Number(now.dataset.seq), Number(now.dataset.lastSeq));
  root.addEventListener("click", goThere, { signal: listening.signal });
  document.addEventListener("step", (event) => show(event.detail.seq, event.detail.lastSeq), { signal: listening.signal });
  return () => listening.abort();
}
