import { runClock } from "./run-clock.js";
import { writeMove } from "./write-move.js";

/**
 * The envelope of a person in a seat: words, a price, a sign to the others, and the moves.
 *
 * @param {HTMLFormElement} form
 * @param {{key: string, deadline: string | undefined, send: (frame: object) => boolean | undefined}} options `key` names the kept draft
 */
export function sealEnvelope(form, { key, deadline, send }) {
  const dialog = document.querySelector("[data-walk-dialog]");
  const clock = runClock(form.querySelector("[data-clock]"));
  const panel = () => form.querySelector("#match-seat");
  const mine = () => panel().dataset.turn === "yours";
  const signal = () => form.querySelector("[name=signal]:checked")?.value || null;
  let round = panel().dataset.round;

  const move = writeMove(form, {
    key,
    mine,
    needsPrice: true,
    buttons: "[data-move]:not([title])",
    send: (frame) => send({ ...frame, signal: signal() }),
    onReady() {
      for (const chips of form.querySelectorAll("[data-chips]")) chips.hidden = !mine();
      if (!mine()) clock.stop();
    },
  });

  move.on(form, "submit", (event) => {
    event.preventDefault();
    const action = event.submitter?.value;
    if (action === "walk") dialog.showModal();
    else if (action === "accept" || action === "hold") move.give({ type: action, text: move.words() });
    else move.speak();
  });
  move.on(dialog, "close", () => dialog.returnValue === "walk" && move.give({ type: "walk", text: move.words() }));
  // The button that had the focus was drawn anew: stay where the next envelope is written.
  move.on(form.parentElement, "focus:lost", () => !form.hidden && move.text.focus({ preventScroll: true }));
  move.ready();
  if (mine()) clock.start(deadline);

  return {
    /** The panel was drawn anew. */
    turned() {
      // Where all others were in already, the next round is here before this one was seen sealed.
      const sealed = !mine() || panel().dataset.round !== round;
      if (move.isPending() && sealed) move.clear();
      if (sealed) move.settle();
      else move.ready();
      // A call holds for one round.
      if (panel().dataset.round !== round) form.querySelector('[name=signal][value=""]').checked = true;
      round = panel().dataset.round;
    },
    awaited: (frame) => (frame.you ? clock.start(frame.deadline) : clock.stop()),
    refused(frame) {
      move.settle();
      if (frame) move.tell(frame.detail, { choices: frame.candidates ?? [] });
    },
    stop: () => (clock.stop(), move.stop()),
  };
}
