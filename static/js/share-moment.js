/**
 * Keeps the "link to this moment" at the step that the scrubber shows.
 *
 * @param {HTMLElement} root holds `[data-moment]`, a field whose attribute is the replay's address
 * @returns {() => void} stops listening
 */
export function shareMoment(root) {
  const field = root.querySelector("[data-moment]");
  const listening = new AbortController();
  const follow = (event) => (field.value = `${field.dataset.moment}?seq=${event.detail.seq}`);
  root.ownerDocument.addEventListener("step", follow, { signal: listening.signal });
  return () => listening.abort();
}
