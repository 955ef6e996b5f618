{% load i18n %}{% get_current_language as language %}// Games need the net: nothing is served from here but a page that says so.
const STORE = "offline-1-{{ language }}";
const KEPT = [{% for address in kept %}"{{ address|escapejs }}"{% if not forloop.last %}, {% endif %}{% endfor %}];

self.addEventListener("install", (event) => {
  // What a page sends as it closes (a lobby: that nobody sits there any more) is lost when it has to
  // come through here: the worker is asked on behalf of a page that is gone.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(KEPT)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => name !== STORE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(old).then(() => self.clients.claim()));
});

const kept = (address) => caches.open(STORE).then((store) => store.match(address));


self.addEventListener("fetch", (event) => {
  const { request } = event;
  // Who comes from a course may sit in a frame, which only the browser itself tells the site.
  if (new URL(request.url).pathname.startsWith("/rooms/lti/")) return;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetch(request).catch(() => kept(KEPT[0])));
  } else if (KEPT.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => kept(request)));
  }
});
