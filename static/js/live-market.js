import { connectLog } from "./connect-log.js";
import { keepSpot } from "./keep-spot.js";
import { readHtml } from "./read-html.js";
import { showConnection } from "./show-connection.js";
import { stepKeys } from "./step-keys.js";

const BURST_MS = 120; // frames of one turn come together
const MOMENT_MS = 1_800;

/**
 * Keeps the board of a market fresh, lets a reader stop, step and play it, sends a player's actions.
 *
 * @param {HTMLElement} root has `data-socket`, `data-seq` and `data-board`, where boards come from
 * @returns {() => void} closes the line
 */
export function liveMarket(root) {
  const listening = new AbortController();
  const announce = root.querySelector("[data-announce]");
  const lamp = showConnection(root, "No such market");
  let over = "over" in root.dataset;
  let isSending = false;
  let asked = 0;
  let clock = 0;
  let soon = 0;

  const board = () => root.querySelector("#market-board");
  const at = () => Number(board().dataset.seq);
  const last = () => Number(board().dataset.last);
  const stops = () => board().dataset.stops.split(" ").map(Number);
  const url = () => (wanted === null ? root.dataset.board : `${root.dataset.board}?until=${wanted}`);

  let isPlaying = !over && at() >= last();
  let wanted = isPlaying ? null : at(); // null follows the newest moment

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
    } finally {
      if (options) isSending = false;
    }
  }

  function go(seq) {
    wanted = isPlaying && seq >= last() ? null : seq;
    load(url());
  }

  function pause() {
    isPlaying = false;
    wanted ??= at();
    asked += 1; // what is under way comes too late
    clearInterval(clock);
    board().removeAttribute("aria-busy");
    dress();
  }

  const jump = (seq) => (pause(), go(seq));

  /** Counts from what was asked for, not from what is shown: a quick finger is ahead of the page. */
  function step(name) {
    const all = stops();
    const here = all.indexOf(wanted ?? at());
    const end = all.length - 1;
    jump(all[{ first: 0, previous: Math.max(here - 1, 0), next: Math.min(here + 1, end), last: end }[name]]);
  }

  function play() {
    isPlaying = true;
    clearInterval(clock);
    clock = setInterval(() => {
      if (at() < last()) go(Number(board().dataset.next));
      else if (over) pause();
    }, MOMENT_MS);
    dress();
    if (at() >= last()) go(over ? stops()[0] : last());
  }

  const toggle = () => (isPlaying ? pause() : play());

  function onFrame(frame) {
    if (frame.type !== "event") return;
    over ||= frame.event.kind === "ended";
    clearTimeout(soon);
    // The sheet at the end, and the log's own numbers, come with the page.
    soon = setTimeout(() => (over && wanted === null ? location.reload() : load(url())), BURST_MS);
  }

  function onSubmit(event) {
    const form = event.target;
    if (!("act" in form.dataset)) return;
    event.preventDefault();
    if (isSending) return; // a second click is no second action
    isSending = true;
    wanted = null;
    load(form.action, { method: "POST", body: new FormData(form, event.submitter) });
  }

  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });
  on(root, "click", (event) => {
    const link = event.target.closest("[data-step]");
    if (link) (event.preventDefault(), step(link.dataset.step));
    else if (event.target.closest("[data-play]")) toggle();
  });
  on(root, "change", (event) => event.target.matches("[data-slider]") && jump(stops()[Number(event.target.value)]));
  on(root, "submit", onSubmit);
  stepKeys({ signal: listening.signal, onStep: step, onToggle: toggle });
  if (isPlaying) play();
  else dress();
  const line = over ? null : connectLog(root, { onFrame, onState: lamp.show });
  return () => (clearInterval(clock), clearTimeout(soon), listening.abort(), line?.stop());
}
