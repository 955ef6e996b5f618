/**
 * The lobby tells when it is closed, so that nobody is seated opposite an empty chair, and with
 * each question whether anybody looks at it: a page out of sight may ask once a minute only.
 *
 * @param {HTMLElement} root says in `data-away` whom to tell
 * @returns {() => void} stops listening
 */
export function tellAway(root) {
  const listening = new AbortController();
  const { signal } = listening;

  function tell() {
    const said = new FormData();
    said.set("csrfmiddlewaretoken", JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"]);
    navigator.sendBeacon(root.dataset.away, said);
  }

  // A page that comes back as it was has said that it went: it begins anew.
  function begin(event) {
    if (event.persisted) location.reload();
  }

  function addSight(event) {
    if (document.hidden && event.detail.verb === "get") event.detail.parameters.hidden = "1";
  }

  root.dataset.ready = "";
  addEventListener("pagehide", tell, { signal });
  addEventListener("pageshow", begin, { signal });
  document.addEventListener("htmx:configRequest", addSight, { signal });
  return () => listening.abort();
}
