import { writeMove } from "./write-move.js";

const FORGET_AFTER_MS = 20_000; // a pause this long is not typing any more
const TELL_EVERY_MS = 2_000; // a friend opposite sees that a line is being written

/**
 * The composer: words, a price, and the moves. Typing is always possible; sending only in turn.
 *
 * @param {HTMLFormElement} form
 * @param {{key: string, seat: string, send: (frame: object) => boolean}} options `key` names the kept draft, `seat` the own side
 */
export function composeMove(form, { key, seat, send }) {
  const fold = form.querySelector("[data-price-fold]");
  const dialog = document.querySelector("[data-walk-dialog]");
  let typed = 0;
  let told = -TELL_EVERY_MS;
  let touched = 0;
  let mine = false;
  let takesBack = false;
  // A price that nobody has answered yet can be replaced by a line.
  const canReplace = () => form.querySelector("[data-withdraw]") !== null;

  const move = writeMove(form, {
    key,
    send,
    buttons: "[data-accept]:not([data-barred]), [data-walk]",
    mine: () => mine,
    maySpeak: () => mine || canReplace() || "free" in form.dataset,
    along: () => ({ typing_s: Math.round(typed / 100) / 10 }),
    onReady() {
      for (const chips of form.querySelectorAll("[data-chips]")) chips.hidden = false;
    },
  });

  move.on(form, "input", () => {
    const now = performance.now();
    if (touched && now - touched < FORGET_AFTER_MS) typed += now - touched;
    touched = now;
    if (!("friend" in form.dataset) || now - told < TELL_EVERY_MS) return;
    told = now;
    send({ type: "writes" });
  });
  move.on(form, "submit", (event) => {
    event.preventDefault();
    const action = event.submitter?.value;
    if (action === "accept") move.give({ type: "accept" });
    else if (action === "walk") askToWalk(event.submitter.dataset.walk);
    else if (action === "withdraw") takeBack();
    else move.speak();
  });
  function askToWalk(words) {
    dialog.querySelector("[data-walk-words]").textContent = words;
    dialog.showModal();
  }

  function takeBack() {
    takesBack = true;
    move.takeBack();
  }

  move.on(dialog, "close", () => dialog.returnValue === "walk" && move.give({ type: "walk" }));
  if (fold?.querySelector("[data-price]").value) fold.open = true;
  move.ready();

  return {
    tell: move.tell,
    hush: move.hush,
    turn(turn) {
      mine = turn === seat;
      if (mine) form.querySelector("[data-error] .is-waiting")?.remove();
      form.hidden = turn === "over";
      move.ready();
    },
    /** The log has an event of this seat; gives whether it was sent from here. */
    taken() {
      if (!move.isPending()) return false;
      // Whoever takes a price back by the button may be writing the right one already.
      if (!takesBack) {
        typed = touched = 0;
        move.clear();
      }
      takesBack = false;
      if (fold) fold.open = false;
      move.settle();
      return true;
    },
    refused() {
      takesBack = false;
      move.settle();
    },
    /** Where there is a keyboard, the first key lands in the words; on a phone it would cover them. */
    greet() {
      const isDesk = matchMedia("(hover: hover) and (pointer: fine)").matches;
      if (isDesk && document.activeElement === document.body) move.text.focus({ preventScroll: true });
    },
    stop: move.stop,
  };
}
