/**
 * Moves a replay page to one step: the server has rendered all of them, this hides and shows.
 *
 * The slider, the links, the keys and the playing clock all end in `go(index)`, which tells of
 * itself by a `step` event.
 */

import { word } from "./words.js";

const URL_PAUSE_MS = 250; // browsers refuse more than a few address changes per second
const TYPING = "input:not([type=radio]), textarea, select, [contenteditable]";
const PRESSABLE = "a, button, summary, input, label";

/**
 * @param {HTMLElement} root the page part with the steps
 * @param {{now?: Window}} [options] another window, for tests
 * @returns {() => void} stops the clock and forgets the listeners
 */
export function scrubReplay(root, { now = window } = {}) {
  const find = (selector) => root.querySelector(selector);
  const all = (selector) => [...root.querySelectorAll(selector)];
  const slider = find("[data-slider]");
  const place = find("[data-place]");
  const play = find("[data-play]");
  const steps = all("[data-words]");
  const last = steps.length - 1;
  const listening = new AbortController();
  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });
  let [at, clock, addressing] = [Number(slider.value), 0, 0];

  function go(index, { address = true } = {}) {
    at = Math.max(0, Math.min(last, index));
    const { words, seq, lastSeq } = steps[at].dataset;
    // What is said of the whole game waits until its end has been seen.
    if (at === last) root.classList.remove("is-unended");
    steps.forEach((step, i) => (step.hidden = i !== at));
    for (const item of all("[data-step]")) {
      const step = Number(item.dataset.step);
      item.hidden = step > at;
      item.classList.toggle("is-now", step === at);
    }
    for (const mark of all("svg [data-seq], .lanes [data-seq], .bids-table [data-seq]")) {
      const number = Number(mark.dataset.seq);
      mark.classList.toggle("is-later", number > Number(lastSeq));
      mark.classList.toggle("is-now", number >= Number(seq) && number <= Number(lastSeq));
    }
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", words);
    // The slider speaks for itself while it has the focus.
    place.setAttribute("aria-live", root.ownerDocument.activeElement === slider ? "off" : "polite");
    place.textContent = `${word("{step} of {steps}", { step: at + 1, steps: steps.length })} · ${words}`;
    link("first", 0);
    link("previous", at - 1);
    link("next", at + 1);
    link("last", last);
    showNewest();
    if (address) rememberAddress(seq);
    root.dispatchEvent(new CustomEvent("step", { bubbles: true, detail: { seq: Number(seq), lastSeq: Number(lastSeq) } }));
  }

  function link(name, index) {
    const anchor = find(`[data-go=${name}]`);
    const target = Math.max(0, Math.min(last, index));
    anchor.dataset.index = String(target);
    anchor.setAttribute("aria-disabled", String(target === at));
  }

  function showNewest() {
    const talk = find("[data-transcript]");
    const current = all("[data-step].is-now").pop() ?? all("[data-step]:not([hidden])").pop();
    // Only the transcript's own box scrolls; the page stays where the reader put it.
    if (current) talk.scrollTop = current.offsetTop + current.offsetHeight - talk.clientHeight;
  }

  function rememberAddress(seq) {
    now.clearTimeout(addressing);
    addressing = now.setTimeout(() => now.history.replaceState(null, "", `${now.location.pathname}#${seq}`), URL_PAUSE_MS);
  }

  function goToAddress() {
    const seq = Number(now.location.hash.slice(1));
    if (seq >= 1) go(steps.findLastIndex((step) => Number(step.dataset.seq) <= seq), { address: false });
  }

  function pause() {
    now.clearTimeout(clock);
    clock = 0;
    play.setAttribute("aria-pressed", "false");
  }

  function start() {
    play.setAttribute("aria-pressed", "true");
    if (at === last) go(0);
    const tick = () => {
      go(at + 1);
      if (at === last) pause();
      else clock = now.setTimeout(tick, pace());
    };
    clock = now.setTimeout(tick, pace());
  }

  const pace = () => Number(find("[data-speed]:checked").dataset.speed);
  const jump = (index) => (pause(), go(index));

  function onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest(TYPING)) return;
    if (event.target.closest("[data-speeds]") && event.key.startsWith("Arrow")) return;
    const target = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    const space = event.key === " " && !event.target.closest(PRESSABLE);
    if (target === undefined && !space) return;
    event.preventDefault();
    if (space) clock ? pause() : start();
    else jump(target);
  }

  on(slider, "input", () => jump(Number(slider.value)));
  on(play, "click", () => (clock ? pause() : start()));
  for (const anchor of all("[data-go]")) on(anchor, "click", (event) => (event.preventDefault(), jump(Number(anchor.dataset.index))));
  on(now.document, "keydown", onKey);
  on(now, "hashchange", goToAddress);
  on(now.document, "visibilitychange", () => now.document.hidden && pause());
  for (const part of all("[data-live-only]")) part.hidden = false;
  go(at, { address: false });
  goToAddress();
  return () => (pause(), now.clearTimeout(addressing), listening.abort());
}
