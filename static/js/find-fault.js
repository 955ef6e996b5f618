const FAULTS = ["[aria-invalid=true]", ".problem[role=alert], .own-problem[role=alert]"];

/**
 * Leads the reader of a form that came back to its first fault: the field, else the sentence.
 *
 * @param {ParentNode} part what came back
 */
export function findFault(part) {
  const fault = FAULTS.map((signs) => part.querySelector(signs)).find(Boolean);
  if (!fault) return;
  for (let fold = fault.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) fold.open = true;
  if (!fault.matches("input, select, textarea")) fault.tabIndex = -1;
  fault.focus({ preventScroll: true });
  fault.scrollIntoView({ block: "center" });
}
