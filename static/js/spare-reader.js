/**
 * A part of the page that renews itself: not while its reader has the focus in it, nor unseen.
 *
 * @param {HTMLElement} element polls by htmx
 * @returns {() => void} stops listening
 */
export function spareReader(element) {
  function ask(event) {
    if (document.hidden || (event.detail.elt === element && element.contains(document.activeElement))) event.preventDefault();
  }

  element.addEventListener("htmx:beforeRequest", ask);
  return () => element.removeEventListener("htmx:beforeRequest", ask);
}
