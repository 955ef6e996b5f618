import { word } from "./words.js";

/**
 * Plays a finished haggle back, bubble by bubble, while the chart grows. The whole of it is on the
 * page already: this hides what is later and shows it in time. It begins when it is seen, waits
 * while it is not, and with reduced motion it waits for its button.
 */

const LOOK_MS = 900; // at the opening ask
const READ_MS = 1_100; // for the shortest line
const PER_LETTER_MS = 26;
const LONGEST_MS = 5_500;
const IN_VIEW = 0.35;

/**
 * @param {HTMLElement} root has `[data-talk]` with beats, a chart with `[data-seq]`, and buttons
 * @returns {() => void} stops the clock and forgets the listeners
 */
export function playHaggle(root) {
  const talk = root.querySelector("[data-talk]");
  const beats = [...talk.querySelectorAll(".beat")];
  const marks = [...root.querySelectorAll("svg [data-seq]")];
  const play = root.querySelector("[data-play]");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const last = beats.length - 1;
  const listening = new AbortController();
  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });
  let [at, clock, wanted, seen] = [0, 0, !calm.matches, false];

  function show(index) {
    at = index;
    const seq = Number(beats[at].dataset.seq);
    // Tells belong to the words before them, so the chart goes up to the next item of the talk.
    const until = at < last ? Number(beats[at + 1].dataset.seq) - 1 : Infinity;
    beats.forEach((beat, i) => {
      beat.classList.toggle("is-later", i > at);
      beat.classList.toggle("is-now", i === at);
    });
    for (const mark of marks) {
      mark.classList.toggle("is-later", Number(mark.dataset.seq) > until);
      mark.classList.toggle("is-now", Number(mark.dataset.seq) === seq);
    }
    // Only the talk's own box scrolls; the page stays where its reader put it.
    talk.scrollTo({ top: beats[at].offsetTop + beats[at].offsetHeight - talk.clientHeight + 16, behavior: calm.matches ? "instant" : "smooth" });
  }

  function pause() {
    clearTimeout(clock);
    clock = 0;
  }

  function plan() {
    pause();
    if (!wanted || !seen || document.hidden) return tell();
    if (at === last) wanted = false;
    else clock = setTimeout(() => (show(at + 1), plan()), wait());
    tell();
  }

  const wait = () => (at ? Math.min(READ_MS + PER_LETTER_MS * Number(beats[at].dataset.letters), LONGEST_MS) : LOOK_MS);

  function tell() {
    root.classList.toggle("is-playing", wanted);
    root.classList.toggle("is-under-way", at > 0 && at < last);
    play.textContent = word(wanted ? "Pause" : at === last ? "Play again" : "Play");
  }

  function press() {
    wanted = !wanted;
    if (wanted && at === last) show(0);
    plan();
  }

  function restart() {
    show(0);
    wanted = true;
    plan();
  }

  const watching = new IntersectionObserver(
    ([entry]) => {
      seen = entry.isIntersecting;
      plan();
    },
    { threshold: IN_VIEW },
  );

  on(play, "click", press);
  on(root.querySelector("[data-again]"), "click", restart);
  on(document, "visibilitychange", plan);
  // Whoever scrolls back to read is not pulled on.
  on(talk, "wheel", (event) => event.deltaY < 0 && wanted && ((wanted = false), plan()));
  root.querySelector("[data-controls]").hidden = false;
  // What was noticed is half of the story: here it need not be asked for.
  for (const tells of talk.querySelectorAll("details.tell-list")) tells.open = true;
  show(calm.matches ? last : 0);
  if (calm.matches) talk.scrollTop = 0;
  watching.observe(root);
  return () => (pause(), watching.disconnect(), listening.abort());
}
