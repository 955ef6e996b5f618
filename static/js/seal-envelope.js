import { keepDraft } from "./keep-draft.js";
import { runClock } from "./run-clock.js";

/**
 * The envelope of a person in a seat: words, a price, a sign to the others, and the moves.
 *
 * @param {HTMLFormElement} form
 * @param {{key: string, deadline: string | undefined, send: (frame: object) => boolean | undefined}} options `key` names the kept draft
 */
export function sealEnvelope(form, { key, deadline, send }) {
  const text = form.querySelector("[data-text]");
  const price = form.querySelector("[data-price]");
  const says = form.querySelector("[data-error]");
  const dialog = document.querySelector("[data-walk-dialog]");
  const listening = new AbortController();
  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });
  const draft = keepDraft(key, [text, price]);
  const clock = runClock(form.querySelector("[data-clock]"));
  let pending = false;
  let round = panel().dataset.round;

  function panel() {
    return form.querySelector("#match-seat");
  }

  const mine = () => panel().dataset.turn === "yours";
  const signal = () => form.querySelector("[name=signal]:checked")?.value || null;

  function ready() {
    form.setAttribute("aria-busy", String(pending));
    for (const button of form.querySelectorAll("[data-send], [data-move]:not([title])")) button.disabled = !mine() || pending;
    for (const chips of form.querySelectorAll("[data-chips]")) chips.hidden = !mine();
    if (!mine()) clock.stop();
  }

  function tell(words, field = text, choices = []) {
    says.replaceChildren(Object.assign(document.createElement("p"), { className: "problem", textContent: words }), ...choices);
    field.focus();
  }

  function give(frame) {
    if (!mine() || pending) return;
    if (!send({ ...frame, signal: signal() })) return tell("You are offline. Your words are kept; seal them when the line is back.");
    pending = true;
    says.replaceChildren();
    if (form.contains(document.activeElement)) text.focus({ preventScroll: true });
    ready();
  }

  function speak() {
    const words = text.value.trim();
    const amount = price.value.replace(/[,\s₹$]/g, "");
    if (amount && !(Number(amount) > 0)) return tell("The price field needs a number, like 1500.", price);
    if (amount) return give({ type: "offer", price: Number(amount), text: words });
    if (!words) return tell("Say something first, or fill in a price.");
    give({ type: "say", text: words });
  }

  function choice({ price: amount, text: label }) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "chip", textContent: label });
    button.addEventListener("click", () => give({ type: "offer", price: amount, text: text.value.trim() }));
    return button;
  }

  on(form, "submit", (event) => {
    event.preventDefault();
    const action = event.submitter?.value;
    if (action === "walk") dialog.showModal();
    else if (action === "accept" || action === "hold") give({ type: action, text: text.value.trim() });
    else speak();
  });
  on(dialog, "close", () => dialog.returnValue === "walk" && give({ type: "walk", text: text.value.trim() }));
  on(form, "input", draft.keep);
  // The button that had the focus was drawn anew: stay where the next envelope is written.
  on(form.parentElement, "focus:lost", () => !form.hidden && text.focus({ preventScroll: true }));
  on(text, "keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    speak();
  });
  on(form, "click", (event) => {
    const chip = event.target.closest("[data-fill]");
    if (!chip) return;
    price.value = chip.dataset.fill;
    price.focus();
    draft.keep();
  });
  ready();
  if (mine()) clock.start(deadline);

  return {
    /** The panel was drawn anew. */
    turned() {
      const sealed = panel().dataset.turn !== "yours";
      if (pending && sealed) draft.clear();
      if (sealed || panel().dataset.round !== round) pending = false;
      round = panel().dataset.round;
      ready();
    },
    awaited: (frame) => (frame.you ? clock.start(frame.deadline) : clock.stop()),
    refused(frame) {
      pending = false;
      ready();
      if (frame) tell(frame.detail, text, (frame.candidates ?? []).map(choice));
    },
    stop: () => (clock.stop(), listening.abort()),
  };
}
