import { findFault } from "./find-fault.js";

/** Finds every [data-behaviour] and loads the module that serves it, also in what is drawn later; then it `is-ready`. */

const BEHAVIOURS = {
  "toggle-theme": () => import("./toggle-theme.js").then((module) => module.toggleTheme),
  "toggle-sound": () => import("./sound.js").then((module) => module.toggleSound),
  "check-seal": () => import("./check-seal.js").then((module) => module.checkSeal),
  "fold-on-narrow": () => import("./fold-on-narrow.js").then((module) => module.foldOnNarrow),
  "copy-link": () => import("./copy-link.js").then((module) => module.copyLink),
  "rate-lines": () => import("./rate-lines.js").then((module) => module.rateLines),
  "watch-sale": () => import("./watch-sale.js").then((module) => module.watchSale),
  "live-sale": () => import("./live-sale.js").then((module) => module.liveSale),
  "mark-moves": () => import("./mark-moves.js").then((module) => module.markMoves),
  "live-match": () => import("./live-match.js").then((module) => module.liveMatch),
  "await-match": () => import("./await-match.js").then((module) => module.awaitMatch),
  "count-down": () => import("./count-down.js").then((module) => module.countDown),
  "start-in-turn": () => import("./start-in-turn.js").then((module) => module.startInTurn),
  "spare-reader": () => import("./spare-reader.js").then((module) => module.spareReader),
  "drag-chart": () => import("./drag-chart.js").then((module) => module.dragChart),
  "share-moment": () => import("./share-moment.js").then((module) => module.shareMoment),
  "live-market": () => import("./live-market.js").then((module) => module.liveMarket),
  "play-haggle": () => import("./play-haggle.js").then((module) => module.playHaggle),
  "read-curve": () => import("./read-curve.js").then((module) => module.readCurve),
  "print-page": () => import("./print-page.js").then((module) => module.printPage),
  "keep-place": () => import("./keep-place.js").then((module) => module.keepPlace),
  "scrub-replay": () => import("./scrub-replay.js").then((module) => module.scrubReplay),
  "keep-answers": () => import("./keep-answers.js").then((module) => module.keepAnswers),
  "pick-on-line": () => import("./pick-on-line.js").then((module) => module.pickOnLine),
  "solve-puzzle": () => import("./solve-puzzle.js").then((module) => module.solvePuzzle),
  "compose-package": () => import("./compose-package.js").then((module) => module.composePackage),
  "follow-table": () => import("./follow-table.js").then((module) => module.followTable),
  "ask-platform": () => import("./ask-platform.js").then((module) => module.askPlatform),
  "own-zone": () => import("./own-zone.js").then((module) => module.ownZone),
  "tell-away": () => import("./tell-away.js").then((module) => module.tellAway),
};

/** @type {Map<Element, () => void>} */
const running = new Map();

async function start(element) {
  if (running.has(element)) return;
  const load = BEHAVIOURS[element.dataset.behaviour];
  if (!load) return console.error(`No behaviour is called ${element.dataset.behaviour}.`);
  running.set(element, () => {});
  const behaviour = await load();
  running.set(element, behaviour(element));
  element.classList.add("is-ready");
}

function sweep(root = document) {
  for (const [element, stop] of running) {
    if (!element.isConnected) (stop(), running.delete(element));
  }
  for (const element of root.querySelectorAll("[data-behaviour]")) start(element);
}

if ("serviceWorker" in navigator) navigator.serviceWorker.register("/service-worker.js").catch(() => {});

sweep();
// The part one is at stands in the row, also where the row is wider than a phone.
document.querySelector(".beside [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
findFault(document.querySelector("main"));
// Not after the swap: htmx then gives what has a name the attributes that came, and takes those of a script away.
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  sweep();
  if (detail.xhr?.status >= 400) findFault(detail.target);
});
document.addEventListener("page:drawn", () => sweep());
// A button that is drawn anew between press and release hears no click; the next answer comes soon.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  // What is refused comes as the same form with the reason in it.
  if (detail.xhr.status < 500 && detail.target.matches("[data-says-why]")) detail.shouldSwap = true;
  const renews = detail.requestConfig.elt.matches("[hx-trigger^=every]");
  if (renews && detail.target.matches(":active")) detail.shouldSwap = false;
});
