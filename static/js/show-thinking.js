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
    wait: () => (thinking.hidden = false),
    rest() {
      thinking.hidden = true;
      thinking.classList.remove("is-speaking");
      whisper.textContent = resting;
    },
  };
}
