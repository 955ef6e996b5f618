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
  // Who was quicker than this module has moved already: the address tells where to.
  const moved = root.ownerDocument.location.hash.slice(1);
  if (/^\d+$/.test(moved)) show(moved);
  root.ownerDocument.addEventListener("step", follow, { signal: listening.signal });
  return () => listening.abort();
}
