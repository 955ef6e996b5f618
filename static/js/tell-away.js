/**
 * The lobby tells when it is closed, so that nobody is seated opposite an empty chair.
 *
 * @param {HTMLElement} root says in `data-away` whom to tell
 * @returns {() => void} stops listening
 */
export function tellAway(root) {
  const listening = new AbortController();

  function tell() {
    const said = new FormData();
    said.set("csrfmiddlewaretoken", JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"]);
    navigator.sendBeacon(root.dataset.away, said);
  }

  // A page that comes back as it was has said that it went: it begins anew.
  function begin(event) {
    if (event.persisted) location.reload();
  }

  root.dataset.ready = "";
  addEventListener("pagehide", tell, { signal: listening.signal });
  addEventListener("pageshow", begin, { signal: listening.signal });
  return () => listening.abort();
}
