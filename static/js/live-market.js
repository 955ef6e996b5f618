import { connectLog } from "./connect-log.js";
import { keepSpot } from "./keep-spot.js";
import { readHtml } from "./read-html.js";
import { showConnection } from "./show-connection.js";

const BURST_MS = 120; // frames of one turn come together
const MOMENT_MS = 1_800;
const TYPING = "input:not([type=range], [type=checkbox]), textarea, select";
const PRESSABLE = "a, button, summary, input, label, [tabindex='0']";

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
    play.setAttribute("aria-pressed", String(clock !== 0));
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
  const neighbour = (by) => stops()[Math.min(Math.max(stops().indexOf(at()) + by, 0), stops().length - 1)];
  const jump = (seq) => (pause(), go(seq));

  function pause() {
    clearInterval(clock);
    clock = 0;
    dress();
  }

  async function play() {
    const tick = () => (at() >= last() ? over && pause() : go(Number(board().dataset.next)));
    clock = setInterval(tick, MOMENT_MS);
    dress();
    if (at() >= last() && over) await go(stops()[0]);
  }

  function onFrame(frame) {
    if (frame.type === "error") announce.textContent = frame.detail;
    if (frame.type !== "event") return;
    const isFollowing = at() >= last() && !clock;
    const ended = frame.event.kind === "ended";
    over ||= ended;
    clearTimeout(soon);
    // The sheet at the end, and the log's own numbers, come with the page.
    soon = setTimeout(() => (ended && isFollowing ? location.reload() : load(isFollowing ? root.dataset.board : `${root.dataset.board}?until=${at()}`)), BURST_MS);
  }

  function onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest(TYPING)) return;
    const target = { ArrowLeft: () => neighbour(-1), ArrowRight: () => neighbour(1), Home: () => stops()[0], End: last }[event.key];
    const space = event.key === " " && !event.target.closest(PRESSABLE);
    if (!target && !space) return;
    event.preventDefault();
    if (space) clock ? pause() : play();
    else jump(target());
  }

  function onSubmit(event) {
    const form = event.target;
    if (!("act" in form.dataset)) return;
    event.preventDefault();
    load(form.action, { method: "POST", body: new FormData(form, event.submitter) });
  }

  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });
  on(root, "click", (event) => {
    const step = event.target.closest("[data-go]");
    if (step) (event.preventDefault(), jump(Number(step.dataset.go)));
    else if (event.target.closest("[data-play]")) clock ? pause() : play();
  });
  on(root, "change", (event) => event.target.matches("[data-slider]") && jump(stops()[Number(event.target.value)]));
  on(root, "submit", onSubmit);
  on(document, "keydown", onKey);
  dress();
  const line = over ? null : connectLog(root, { onFrame, onState: lamp.show });
  return () => (pause(), clearTimeout(soon), listening.abort(), line?.stop());
}
