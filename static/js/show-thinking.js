const WRITES_MS = 4_000; // a keystroke is told of every two seconds

/**
 * Shows that the other side thinks, and the words that it has found so far.
 *
 * @param {HTMLElement} root the sale
 * @param {{isFollowing: () => boolean, toEnd: () => void}} page
 */
export function showThinking(root, page) {
  const thinking = root.querySelector("[data-thinking]");
  const whisper = root.querySelector("[data-whisper]");
  const resting = whisper.textContent;
  let waits = !thinking.hidden;
  let pause = 0;

  return {
    /** @param {string} [words] the part of the coming message that has been made so far */
    think(words) {
      const follow = page.isFollowing();
      thinking.hidden = false;
      thinking.classList.toggle("is-speaking", Boolean(words));
      whisper.textContent = words || resting;
      if (follow) page.toEnd();
    },
    /** The turn is theirs, whatever they have said of it. */
    wait: () => (waits = true) && (thinking.hidden = false),
    /** A friend writes a line, in turn or not. */
    write() {
      const follow = page.isFollowing();
      thinking.hidden = false;
      thinking.classList.add("is-writing");
      whisper.textContent = thinking.dataset.writes || resting;
      clearTimeout(pause);
      pause = setTimeout(() => {
        thinking.hidden = !waits;
        thinking.classList.remove("is-writing");
        whisper.textContent = resting;
      }, WRITES_MS);
      if (follow) page.toEnd();
    },
    rest() {
      waits = false;
      clearTimeout(pause);
      thinking.hidden = true;
      thinking.classList.remove("is-writing");
      thinking.classList.remove("is-speaking");
      whisper.textContent = resting;
    },
  };
}
