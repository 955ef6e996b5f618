import { connectLog } from "./connect-log.js";
import { controlDemo } from "./control-demo.js";
import { keepSpot } from "./keep-spot.js";
import { paceMarket } from "./pace-market.js";
import { readHtml } from "./read-html.js";
import { showConnection } from "./show-connection.js";
import { stepKeys } from "./step-keys.js";
import { unpressed } from "./unpressed.js";
import { word } from "./words.js";

const BURST_MS = 120; // frames of one turn come together

/**
 * Keeps the board of a market fresh, lets a reader stop, step and play it, sends a player's actions.
 *
 * @param {HTMLElement} root has `data-socket`, `data-seq` and `data-board`, where boards come from
 * @returns {() => void} closes the line
 */
export function liveMarket(root) {
  const listening = new AbortController();
  const announce = root.querySelector("[data-announce]");
  const lamp = showConnection(root, word("No such market"));
  let over = "over" in root.dataset;
  let isSending = false;
  let asked = 0;
  let soon = 0;
  let isBehind = false;
  let newest = 0;

  const board = () => root.querySelector("#market-board");

  function show(html, acted) {
    const [fresh] = readHtml(html);
    if (fresh?.id !== "market-board") return location.reload();
    const restore = keepSpot(board(), { acted });
    board().replaceWith(fresh);
    dress();
    restore(fresh);
    // At once: a smooth way up would be cut off by the next drawing.
    if (acted && !fresh.querySelector("[data-problem]") && fresh.getBoundingClientRect().top < 0) fresh.scrollIntoView({ behavior: "instant" });
    else if (acted) fresh.querySelector(".answers")?.scrollIntoView({ block: "nearest" });
    const { words } = fresh.dataset;
    if (announce.textContent !== words) announce.textContent = words;
    root.dispatchEvent(new CustomEvent("page:drawn", { bubbles: true }));
  }

  /** What needs scripts stays hidden until they run. */
  function dress() {
    const play = board().querySelector("[data-play]");
    play.hidden = board().querySelector("[data-slider]").hidden = false;
    play.setAttribute("aria-pressed", String(pace?.isPlaying() ?? !over));
  }

  async function load(url, options) {
    const ticket = ++asked; // whatever is under way comes too late
    board().setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(url, { signal: listening.signal, headers: { "X-Part": "board" }, ...options });
      const html = await answer.text();
      unpressed(board(), () => ticket === asked && show(html, options?.method === "POST"));
    } catch (error) {
      if (error.name !== "AbortError" && ticket === asked) board().removeAttribute("aria-busy");
    }
  }

  function draw() {
    const wanted = pace?.wanted() ?? null;
    return load(wanted === null ? root.dataset.board : `${root.dataset.board}?until=${wanted}`);
  }

  function onFrame(frame) {
    clock.take(frame);
    if (frame.type !== "event") return;
    newest = frame.seq;
    over ||= frame.event.kind === "ended";
    // The page comes anew: a tick meanwhile must not take its old board for the end.
    if (over && pace.wanted() === null) pace.stop();
    catchUp();
  }

  /** Draws a while after the first frame that is not shown yet: a quick market never falls silent. */
  function catchUp() {
    if (soon) return void (isBehind = true);
    soon = setTimeout(async () => {
      isBehind = false;
      // The sheet at the end, and the log's own numbers, come with the page, and are read from its head.
      if (over && pace.wanted() === null) return ((history.scrollRestoration = "manual"), location.reload());
      // The answer to an own action may have shown it already, with what was wrong with the next.
      if (!isSending && Number(board().dataset.last) < newest) await draw();
      soon = 0;
      if (isBehind) catchUp();
    }, BURST_MS);
  }

  async function onSubmit(event) {
    const form = event.target;
    if (!("act" in form.dataset)) return;
    event.preventDefault();
    if (isSending) return; // a second click is no second action
    isSending = true;
    pace.follow();
    // Not form.action: that is one of its fields.
    await load(form.getAttribute("action"), { method: "POST", body: new FormData(form, event.submitter) });
    isSending = false;
    catchUp();
  }

  let pace = null;
  pace = paceMarket({ board, isOver: () => over, draw, dress });
  dress();
  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });
  on(root, "click", (event) => {
    const link = event.target.closest("[data-step]");
    if (link) (event.preventDefault(), pace.step(link.dataset.step));
    else if (event.target.closest("[data-play]")) pace.toggle();
  });
  on(root, "change", (event) => event.target.matches("[data-slider]") && pace.show(Number(event.target.value)));
  on(root, "submit", onSubmit);
  stepKeys({ signal: listening.signal, onStep: pace.step, onToggle: pace.toggle });
  const clock = controlDemo(root.querySelector("[data-clock]"), { send: (frame) => line?.send(frame) ?? false, follow: () => pace.follow() });
  const line = over ? null : connectLog(root, { onFrame, onState: lamp.show });
  return () => (pace.stop(), clock.stop(), clearTimeout(soon), listening.abort(), line?.stop());
}
