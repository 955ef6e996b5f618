/** What stood in a form that is drawn anew because the other side has moved, by where it goes. */
const kept = new Map();

/**
 * The rows of a package: sliders beside the figures, own points of each row, the running total.
 *
 * @param {HTMLFormElement} form
 */
export function composePackage(form) {
  const listening = new AbortController();
  const where = form.getAttribute("action"); // the property is the buttons' of that name
  const total = form.querySelector("[data-total]");
  const rows = [...form.querySelectorAll("[data-row]")].map((row) => ({
    points: JSON.parse(row.dataset.points),
    slider: row.querySelector("[data-slider]"),
    figure: row.querySelector("[data-figure]"),
    worth: row.querySelector("[data-worth]"),
    value: () => row.querySelector("[data-figure]")?.value ?? row.querySelector(":checked")?.value ?? "",
  }));
  const written = (number) => number.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });

  function draw() {
    let sum = 0;
    for (const { points, worth, value } of rows) {
      const own = points[value()] ?? 0;
      sum += own;
      if (worth) worth.textContent = written(own);
    }
    total.textContent = written(sum);
  }

  for (const { slider, figure } of rows) {
    if (!slider) continue;
    slider.hidden = false;
    slider.addEventListener("input", () => (figure.value = slider.value), { signal: listening.signal });
    figure.addEventListener("input", () => figure.value && (slider.value = figure.value), { signal: listening.signal });
  }
  let touched = kept.has(where);
  for (const [name, value] of kept.get(where) ?? []) {
    const field = form.elements[name];
    if (field && name !== "seen" && name !== "csrfmiddlewaretoken") field.value = value;
  }
  kept.delete(where);
  for (const { slider, figure } of rows) if (slider && figure.value) slider.value = figure.value;
  form.addEventListener("input", () => ((touched = true), draw()), { signal: listening.signal });
  draw();
  return () => {
    if (touched) kept.set(where, [...new FormData(form)]);
    listening.abort();
  };
}
