const FORGET_AFTER_MS = 20_000; // a pause this long is not typing any more

/**
 * The composer: words, a price, and the moves. Typing is always possible; sending only in turn.
 *
 * @param {HTMLFormElement} form
 * @param {{key: string, seat: string, send: (frame: object) => boolean}} options `key` names the kept draft, `seat` the own side
 */
export function composeMove(form, { key, seat, send }) {
  const text = form.querySelector("[data-text]");
  const price = form.querySelector("[data-price]");
  const says = form.querySelector("[data-error]");
  const dialog = document.querySelector("[data-walk-dialog]");
  const listening = new AbortController();
  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });
  let typed = 0;
  let touched = 0;
  let mine = false;
  let pending = false;

  function tick() {
    const now = performance.now();
    if (touched && now - touched < FORGET_AFTER_MS) typed += now - touched;
    touched = now;
    keep();
  }

  function keep() {
    try {
      sessionStorage.setItem(key, JSON.stringify([text.value, price.value]));
    } catch {
      // Without storage the draft lives as long as the page.
    }
  }

  function recall() {
    try {
      const [words, amount] = JSON.parse(sessionStorage.getItem(key) ?? '["",""]');
      text.value ||= words;
      price.value ||= amount;
    } catch {
      // A draft of another make is no draft.
    }
  }

  function ready() {
    form.setAttribute("aria-busy", String(pending));
    for (const button of form.querySelectorAll("[data-send], [data-accept]:not([data-barred]), [data-walk]")) button.disabled = !mine || pending;
    for (const chips of form.querySelectorAll("[data-chips]")) chips.hidden = false;
  }

  function give(frame) {
    if (!mine || pending) return;
    if (!send(frame)) return tell("You are offline. Your words are kept; send them when the line is back.");
    pending = true;
    says.replaceChildren();
    // A button that is about to be disabled would take the focus with it.
    if (form.contains(document.activeElement)) text.focus({ preventScroll: true });
    ready();
  }

  function speak() {
    const words = text.value.trim();
    const amount = price.value.replace(/[,\s₹$]/g, "");
    const typing_s = Math.round(typed / 100) / 10;
    if (amount) {
      if (!(Number(amount) > 0)) return tell("The price field needs a number, like 1500.", price);
      return give({ type: "offer", price: Number(amount), text: words, typing_s });
    }
    if (!words) return tell("Say something first, or fill in a price.", text);
    give({ type: "say", text: words, typing_s });
  }

  function tell(words, field = text, kind = "problem", choices = []) {
    const line = Object.assign(document.createElement("p"), { className: kind, textContent: words });
    says.replaceChildren(line, ...choices);
    field.focus();
  }

  function choice(amount, label) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "chip", textContent: label });
    button.addEventListener("click", () => give({ type: "offer", price: amount, text: text.value.trim(), typing_s: Math.round(typed / 100) / 10 }));
    return button;
  }

  on(form, "submit", (event) => {
    event.preventDefault();
    const action = event.submitter?.value;
    if (action === "accept") give({ type: "accept" });
    else if (action === "walk") dialog.showModal();
    else speak();
  });
  on(dialog, "close", () => dialog.returnValue === "walk" && give({ type: "walk" }));
  on(form, "input", tick);
  on(text, "keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    speak();
  });
  on(form, "click", (event) => {
    const chip = event.target.closest("[data-say]");
    if (!chip) return;
    text.value = chip.dataset.say;
    text.focus();
    tick();
  });
  recall();
  ready();

  return {
    tell,
    choice,
    turn(turn) {
      mine = turn === seat;
      form.hidden = turn === "over";
      ready();
    },
    /** The log has an event of this seat; gives whether it was sent from here. */
    taken() {
      if (!pending) return false;
      pending = false;
      typed = touched = 0;
      text.value = price.value = "";
      keep();
      ready();
      return true;
    },
    refused() {
      pending = false;
      ready();
    },
    stop: () => listening.abort(),
  };
}
