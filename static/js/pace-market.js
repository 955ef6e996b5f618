const MOMENT_MS = 1_800;

/**
 * The pace of one reader of a market: which moment they want to see, and how it goes on from there.
 *
 * @param {{board: () => HTMLElement, isOver: () => boolean, draw: () => void, dress: () => void}} options
 *   `board` is what is shown now, `draw` shows what is wanted, `dress` is told when playing starts or stops
 */
export function paceMarket({ board, isOver, draw, dress }) {
  const at = () => Number(board().dataset.seq);
  const last = () => Number(board().dataset.last);
  const stops = () => board().dataset.stops.split(" ").map(Number);
  let isPlaying = !isOver() && at() >= last();
  let wanted = isPlaying ? null : at(); // null follows the newest moment
  let clock = 0;

  function go(seq) {
    wanted = isPlaying && seq >= last() ? null : seq;
    draw();
  }

  function pause() {
    isPlaying = false;
    wanted ??= at();
    clearInterval(clock);
    dress();
  }

  function play() {
    isPlaying = true;
    clearInterval(clock);
    clock = setInterval(() => {
      if (at() < last()) go(Number(board().dataset.next));
      else if (isOver()) pause();
    }, MOMENT_MS);
    dress();
    if (at() >= last() && (isOver() || wanted !== null)) go(isOver() ? stops()[0] : last());
  }

  /** Counts from what was asked for, not from what is shown: a quick finger is ahead of the page. */
  function step(name) {
    const end = stops().length - 1;
    const here = stops().indexOf(wanted ?? at());
    show({ first: 0, previous: Math.max(here - 1, 0), next: Math.min(here + 1, end), last: end }[name]);
  }

  function show(index) {
    pause();
    go(stops()[index]);
  }

  if (isPlaying) play();
  return {
    step,
    show,
    // What was under way when a reader pauses must not move them on.
    toggle: () => (isPlaying ? (pause(), draw()) : play()),
    /** The reader has acted, and wants to see what came of it. */
    follow: () => (wanted = null),
    wanted: () => wanted,
    isPlaying: () => isPlaying,
    stop: () => clearInterval(clock),
  };
}
