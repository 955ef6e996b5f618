/** Short notes for what happens in a game: nothing sounds before somebody has asked for it. */
const NOTES = { turn: [587], deal: [523, 659, 784], walk: [392, 330] };
const NOTE_S = 0.14;
let player;

export const isOn = () => {
  try {
    return localStorage.getItem("sound") === "on";
  } catch {
    return false;
  }
};

/**
 * Plays what goes with a moment, where sound is on.
 *
 * @param {keyof NOTES} moment
 */
export function chime(moment) {
  if (!isOn()) return;
  player ??= new AudioContext();
  NOTES[moment].forEach((pitch, index) => {
    const begin = player.currentTime + index * NOTE_S;
    const tone = new OscillatorNode(player, { type: "triangle", frequency: pitch });
    const loudness = new GainNode(player, { gain: 0 });
    loudness.gain.setValueAtTime(0.12, begin);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + 2 * NOTE_S);
    tone.connect(loudness).connect(player.destination);
    tone.start(begin);
    tone.stop(begin + 2 * NOTE_S);
  });
}

/**
 * A button that turns sound on or off and remembers it.
 *
 * @param {HTMLElement} button
 * @returns {() => void} stops listening
 */
export function toggleSound(button) {
  const show = () => button.setAttribute("aria-pressed", String(isOn()));

  function toggle() {
    try {
      localStorage.setItem("sound", isOn() ? "off" : "on");
    } catch {
      // A browser that keeps nothing stays silent.
    }
    show();
    chime("turn");
  }

  button.hidden = false;
  show();
  button.addEventListener("click", toggle);
  return () => button.removeEventListener("click", toggle);
}
