import { word } from "./words.js";

/** Milliseconds that a moment is shown at least, by pace and kind; "live" waits for nothing. */
const PAUSES_MS = {
  steady: { placed: 500, round: 3200, offer: 2600, accept: 2600, ended: 0, opened: 1500 },
  slow: { placed: 1100, round: 7000, offer: 5500, accept: 5000, ended: 0, opened: 3000 },
};

function behindBy(rounds) {
  if (rounds === 1) return word("1 round behind");
  return rounds > 1 ? word("{rounds} rounds behind", { rounds }) : word("A few moments behind");
}

/**
 * The pace of one viewer: where they are in the match, and how it goes on from there.
 *
 * @param {HTMLElement} panel the controls
 * @param {{key: string, moments: () => HTMLElement[], show: (index: number) => void}} options `key` names what is kept
 */
export function paceMatch(panel, { key, moments, show }) {
  const behind = panel.querySelector("[data-behind]");
  const words = panel.querySelector("[data-behind-words]");
  const listening = new AbortController();
  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });
  const kept = recall();
  let pace = kept.pace;
  let clock = 0;
  let at = moments().length - 1;
  let wanted = kept.seq; // a page may come a moment older than what this viewer has seen

  function recall() {
    try {
      const found = JSON.parse(localStorage.getItem(key) ?? "{}");
      return { pace: found.pace in PAUSES_MS || found.pace === "paused" ? found.pace : "live", seq: Number(found.seq) };
    } catch {
      return { pace: "live", seq: NaN };
    }
  }

  function keep() {
    try {
      if (pace === "live") localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify({ pace, seq: Number(moments()[at].dataset.seq) }));
    } catch {
      // A browser that keeps nothing follows live after a reload.
    }
  }

  const last = () => moments().length - 1;

  function reach(seq) {
    const found = moments().findLastIndex((moment) => Number(moment.dataset.seq) <= seq);
    return found < 0 ? last() : found;
  }

  function go(index) {
    at = Math.max(0, Math.min(last(), index));
    show(at);
    tellDistance();
    keep();
  }

  function tellDistance() {
    const all = moments();
    const rounds = Number(all[last()].dataset.round) - Number(all[at].dataset.round);
    behind.hidden = at >= last();
    words.textContent = behindBy(rounds);
  }

  function plan() {
    clearTimeout(clock);
    clock = 0;
    if (at >= last() || !(pace in PAUSES_MS)) return;
    clock = setTimeout(() => (go(at + 1), plan()), PAUSES_MS[pace][moments()[at].dataset.beat] ?? 0);
  }

  function choose(name) {
    pace = name;
    wanted = NaN;
    panel.querySelector(`[value=${name}]`).checked = true;
    if (name === "live") go(last());
    keep();
    plan();
  }

  function step(by) {
    choose("paused");
    go(at + by);
  }

  function restart() {
    choose("paused");
    go(0);
    choose("steady");
  }

  on(panel, "change", (event) => choose(event.target.value));
  on(panel, "click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.step) step(Number(button.dataset.step));
    else if (button) "restart" in button.dataset ? restart() : choose("live");
  });

  panel.hidden = false;
  if (pace !== "live") {
    panel.querySelector(`[value=${pace}]`).checked = true;
    go(reach(wanted));
    plan();
  }

  return {
    /** New moments have come; gives whether this viewer is shown them at once. */
    news() {
      if (pace === "live") return (go(last()), true);
      go(wanted > Number(moments()[at].dataset.seq) ? reach(wanted) : at);
      if (!clock) plan();
      return false;
    },
    step,
    restart,
    catchUp: () => choose("live"),
    toggle: () => choose(pace === "paused" ? "steady" : "paused"),
    stop: () => (clearTimeout(clock), listening.abort()),
  };
}
