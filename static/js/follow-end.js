const NEAR_END_PX = 160;
const ROOM_PX = 20;
const CHASE_MS = 900; // longer than any smooth scroll of a few lines

/**
 * Keeps the newest words in sight while somebody reads the end of the talk, and leaves whoever has
 * scrolled back alone. Where a composer covers the foot of the window, the end is what lies above it.
 *
 * @param {HTMLElement} root the game
 */
export function followEnd(root) {
  const talk = root.querySelector("#transcript");
  const thinking = root.querySelector("[data-thinking]");
  const composer = root.querySelector("[data-composer]");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const listening = new AbortController();
  let chasingUntil = 0;

  function below() {
    const end = thinking.hidden ? talk.lastElementChild : thinking;
    const floor = !composer || composer.hidden ? innerHeight : composer.getBoundingClientRect().top;
    return (end?.getBoundingClientRect().bottom ?? 0) + ROOM_PX - floor;
  }

  function isFollowing() {
    // In the midst of a smooth scroll the end is not there yet, but it is where we are going.
    return performance.now() < chasingUntil || below() < NEAR_END_PX;
  }

  function toEnd(behavior = calm.matches ? "instant" : "smooth") {
    const distance = below();
    if (distance <= 0) return;
    chasingUntil = performance.now() + CHASE_MS;
    scrollBy({ top: distance, behavior });
  }

  for (const name of ["wheel", "touchmove"]) {
    addEventListener(name, () => (chasingUntil = 0), { passive: true, signal: listening.signal });
  }
  return { isFollowing, toEnd, stop: () => listening.abort() };
}
