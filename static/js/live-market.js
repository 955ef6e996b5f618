import { connectLog } from "./connect-log.js";
import { keepSpot } from "./keep-spot.js";
import { readHtml } from "./read-html.js";
import { showConnection } from "./show-connection.js";
import { stepKeys } from "./step-keys.js";

const BURST_MS = 120; // frames of one turn come together
const MOMENT_MS = 1_800;

/**
 * Keeps the board of a GPU market fresh, lets a reader stop, step and play it at their own pace,
 * and sends a player's actions without leaving the page.
 *
 * @param {HTMLElement} root has `data-socket`, `data-seq` and `data-board`, where boards come from
 * @returns {() => void} closes the line
 */
export function liveMarket(root) {
  const listening = new AbortController();
  const announce = root.querySelector("[data-announce]");
  const lamp = showConnection(root, "No such market");
  let over = "over" in root.dataset;
  let isPlaying = !over; // at the newest moment it waits for news, before it catches up with them
  let asked = 0;
  let clock = 0;
  let soon = 0;

  const board = () => root.querySelector("#market-board");
  const at = () => Number(board().dataset.seq);
  const last = () => Number(board().dataset.last);
  const stops = () => board().dataset.stops.split(" ").map(Number);

  function show(html) {
    const [fresh] = readHtml(html);
    if (fresh?.id !== "market-board") return location.reload();
    const restore = keepSpot(board());
    board().replaceWith(fresh);
    dress();
    restore(fresh);
    const { words } = fresh.dataset;
    if (announce.textContent !== words) announce.textContent = words;
    root.dispatchEvent(new CustomEvent("page:drawn", { bubbles: true }));
  }

  /** What needs scripts stays hidden until they run. */
  function dress() {
    const play = board().querySelector("[data-play]");
    play.hidden = board().querySelector("[data-slider]").hidden = false;
    play.setAttribute("aria-pressed", String(isPlaying));
  }

  async function load(url, options) {
    const ticket = ++asked;
    board().setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(url, { signal: listening.signal, ...options, headers: { "X-Part": "board", ...options?.headers } });
      const html = await answer.text();
      if (ticket === asked) show(html);
    } catch (error) {
      if (error.name !== "AbortError" && ticket === asked) board().removeAttribute("aria-busy");
    }
  }

  const go = (seq) => load(seq >= last() ? root.dataset.board : `${root.dataset.board}?until=${seq}`);
  const jump = (seq) => (pause(), go(seq));

  function pause() {
    isPlaying = false;
    clearInterval(clock);
    dress();
  }

  function play() {
    isPlaying = true;
    clearInterval(clock);
    clock = setInterval(() => {
      if (at() < last()) go(Number(board().dataset.next));
      else if (over) pause();
    }, MOMENT_MS);
    dress();
    if (over && at() >= last()) go(stops()[0]);
  }

  function onFrame(frame) {
    if (frame.type === "error") announce.textContent = frame.detail;
    if (frame.type !== "event") return;
    const isFollowing = isPlaying && at() >= last();
    const ended = frame.event.kind === "ended";
    over ||= ended;
    clearTimeout(soon);
    // The sheet at the end, and the log's own numbers, come with the page.
    soon = setTimeout(() => (ended && isFollowing ? location.reload() : load(isFollowing ? root.dataset.board : `${root.dataset.board}?until=${at()}`)), BURST_MS);
  }

  function onSubmit(event) {
    const form = event.target;
    if (!("act" in form.dataset)) return;
    event.preventDefault();
    if (board().ariaBusy === "true") return; // a second click is no second action
    load(form.action, { method: "POST", body: new FormData(form, event.submitter) });
  }

  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });
  on(root, "click", (event) => {
    const step = event.target.closest("[data-go]");
    if (step) (event.preventDefault(), jump(Number(step.dataset.go)));
    else if (event.target.closest("[data-play]")) isPlaying ? pause() : play();
  });
  on(root, "change", (event) => event.target.matches("[data-slider]") && jump(stops()[Number(event.target.value)]));
  on(root, "submit", onSubmit);
  stepKeys({ signal: listening.signal, onStep: (step) => jump(Number(board().dataset[step])), onToggle: () => (isPlaying ? pause() : play()) });
  if (isPlaying) play();
  dress();
  const line = over ? null : connectLog(root, { onFrame, onState: lamp.show });
  return () => (clearInterval(clock), clearTimeout(soon), listening.abort(), line?.stop());
}
