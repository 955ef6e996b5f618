/**
 * Opens a panel where there is room for it beside the talk; on a phone it waits folded.
 *
 * @param {HTMLDetailsElement} panel
 * @param {{query?: string}} [options] where there is room
 * @returns {() => void} stops listening
 */
export function foldOnNarrow(panel, { query = "(width >= 62rem)" } = {}) {
  const roomy = matchMedia(query);
  const fold = () => (panel.open = roomy.matches);
  fold();
  roomy.addEventListener("change", fold);
  return () => roomy.removeEventListener("change", fold);
}
