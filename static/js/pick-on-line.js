/**
 * Lets a number be chosen on a line. Nothing is chosen before the line is touched: the number's
 * own field stays empty, and is what is sent.
 *
 * @param {HTMLElement} element holds the line and the field
 */
export function pickOnLine(element) {
  const line = /** @type {HTMLInputElement} */ (element.querySelector("input[type=range]"));
  const field = /** @type {HTMLInputElement} */ (element.querySelector("input[name]"));
  line.setAttribute("aria-labelledby", `l-${field.name}`);
  const label = element.querySelector("label");
  if (label) label.id = `l-${field.name}`;

  function show() {
    const chosen = field.value.trim();
    line.classList.toggle("is-untouched", !chosen);
    if (chosen && Number.isFinite(Number(chosen))) line.value = chosen;
  }
  function choose() {
    field.value = line.value;
    line.classList.remove("is-untouched");
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  line.hidden = false;
  show();
  line.addEventListener("input", choose);
  line.addEventListener("pointerup", choose);
  field.addEventListener("input", show);
  return () => {
    line.removeEventListener("input", choose);
    line.removeEventListener("pointerup", choose);
    field.removeEventListener("input", show);
  };
}
