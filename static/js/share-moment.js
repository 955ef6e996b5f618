/**
 * Keeps the "link to this moment" at the step that the scrubber shows.
 *
 * @param {HTMLElement} root holds `[data-moment]`, a field whose attribute is the replay's address
 * @returns {() => void} stops listening
 */
export function shareMoment(root) {
  const field = root.querySelector("[data-moment]");
  const listening = new AbortController();
  const show = (seq) => (field.value = `${field.dataset.moment}?seq=${seq}`);
  const follow = (event) => show(event.detail.seq);
  // Who was quicker than this module has moved already: the step that stands there tells where to.
  const here = root.ownerDocument.querySelector("[data-behaviour=scrub-replay] [data-words]:not([hidden])");
  if (here) show(here.dataset.seq);
  root.ownerDocument.addEventListener("step", follow, { signal: listening.signal });
  return () => listening.abort();
}
