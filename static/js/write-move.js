import { keepDraft } from "./keep-draft.js";
import { word } from "./words.js";

/**
 * The words and the price of a person's move: kept over a reload, checked, and sent once.
 *
 * @param {HTMLFormElement} form
 * @param {{key: string, buttons: string, needsPrice?: boolean, mine: () => boolean, maySpeak?: () => boolean, send: (frame: object) => boolean | undefined, along?: () => object, onReady?: () => void}} options
 *   `key` names the kept draft; `buttons` selects what can be pressed in turn only, `maySpeak`
 *   says when words can be sent; `needsPrice`: words go with a price alone; `along` gives what goes with words
 */
export function writeMove(form, { key, buttons, needsPrice = false, mine, maySpeak = mine, send, along = () => ({}), onReady }) {
  const price = form.querySelector("[data-price]");
  // Where words are not asked for, all is written into the price.
  const text = form.querySelector("[data-text]") ?? price;
  const home = needsPrice ? price : text;
  const says = form.querySelector("[data-error]");
  const listening = new AbortController();
  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });
  const draft = keepDraft(key, [...new Set([text, price])]);
  const words = () => (text === price ? "" : text.value.trim());
  let pending = false;
  let passes = false;

  function ready() {
    form.setAttribute("aria-busy", String(pending));
    for (const button of form.querySelectorAll(buttons)) button.disabled = !mine() || pending;
    for (const button of form.querySelectorAll("[data-send]")) button.disabled = !maySpeak() || pending;
    for (const button of form.querySelectorAll("[data-withdraw]")) button.disabled = pending;
    onReady?.();
  }

  function tell(problem, { field = home, kind = "problem", choices = [], passing = false } = {}) {
    passes = passing;
    const line = Object.assign(document.createElement("p"), { className: kind, textContent: problem });
    says.replaceChildren(line, ...choices.map(choice));
    // The composer is always in sight; a jump of the page would not be calm.
    field.focus({ preventScroll: true });
    // What is typed now answers the question: "haan" takes the place of the words.
    if (choices.length) text.select();
  }

  function choice({ price: amount, text: label }) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "chip", textContent: label });
    button.addEventListener("click", () => give({ type: "offer", price: amount, text: words(), ...along() }));
    return button;
  }

  function give(frame, may = mine) {
    if (!may() || pending) return;
    if (!send(frame)) return tell(word("You are offline. Your words are kept: send them when the line is back."), { passing: true });
    pending = true;
    says.replaceChildren();
    // A button that is about to be disabled would take the focus with it.
    if (form.contains(document.activeElement)) home.focus({ preventScroll: true });
    ready();
  }

  function speak() {
    const amount = price.value.replace(/[,\s₹$]/g, "");
    if ((amount || home === price) && !(Number(amount) > 0)) return tell(word("The price field needs a number, like 1500."), { field: price });
    if (amount) return give({ type: "offer", price: Number(amount), text: words(), ...along() });
    if (!words()) return tell(word("Say something first, or fill in a price."));
    give({ type: "say", text: words(), ...along() }, maySpeak);
  }

  on(form, "input", draft.keep);
  on(text, "keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    speak();
  });
  on(form, "click", (event) => {
    const chip = event.target.closest("[data-say], [data-fill]");
    if (!chip) return;
    const field = "say" in chip.dataset ? text : price;
    field.value = chip.dataset.say ?? chip.dataset.fill;
    field.focus();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

  return {
    text: home,
    words,
    on,
    tell,
    give,
    speak,
    ready,
    takeBack: () => give({ type: "withdraw" }, () => true),
    clear: draft.clear,
    isPending: () => pending,
    /** What was true for a while only, of the line or of the turn, is taken away. */
    hush() {
      if (passes) says.replaceChildren();
      passes = false;
    },
    /** What was sent has been answered, or never will be. */
    settle() {
      pending = false;
      ready();
    },
    stop: () => listening.abort(),
  };
}
