/**
 * Remembers what a reader had open and where the focus was, before a part is drawn anew.
 *
 * @param {HTMLElement} part
 * @param {{ acted: boolean }} how the reader has acted: the form that did it closes
 * @returns {(fresh: HTMLElement) => void} opens the same again in the new part
 */
export function keepSpot(part, { acted }) {
  const open = [...part.querySelectorAll(acted ? "details[open]:not([name])" : "details[open]")].map(nameOf);
  const shut = [...part.querySelectorAll("details:not([open])")].map(nameOf);
  const held = part.contains(document.activeElement) ? signsOf(document.activeElement) : null;

  return (fresh) => {
    for (const details of fresh.querySelectorAll("details")) {
      if (open.includes(nameOf(details))) details.open = true;
      // A hint that was put away stays away, as long as it says the same.
      else if (details.classList.contains("lesson") && shut.includes(nameOf(details))) details.open = false;
    }
    const problem = fresh.querySelector("[data-problem]");
    if (problem) return problem.focus();
    if (!held) return;
    const twin = [...fresh.querySelectorAll("a, button, input, select, textarea, summary, [tabindex]")].find((element) => signsOf(element) === held);
    const play = fresh.querySelector("[data-play]");
    (twin ?? (play?.checkVisibility() ? play : fresh.querySelector("[data-spot]")))?.focus({ preventScroll: true });
  };
}

const nameOf = (details) => details.querySelector("summary").textContent;
const signsOf = (element) => [element.tagName, element.id, element.name, element.getAttribute("aria-label"), element.type === "button" ? "" : element.textContent.trim()].join("|");
