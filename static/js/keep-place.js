/** How far each box was scrolled, by its id: one that is drawn anew opens there again. */
const places = new Map();

/**
 * Keeps a box that is drawn anew every few seconds where somebody reads it.
 *
 * @param {HTMLElement} box with an id
 * @returns {() => void} stops listening
 */
export function keepPlace(box) {
  const keep = () => places.set(box.id, box.scrollTop);
  if (places.has(box.id)) box.scrollTop = places.get(box.id);
  box.addEventListener("scroll", keep, { passive: true });
  return () => box.removeEventListener("scroll", keep);
}
