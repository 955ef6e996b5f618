const KEYS = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

/** What somebody reads now: a curve that is drawn anew while they do goes on there. */
const reading = { curve: "", place: -1 };

/** Curves whose numbers lie open. */
const opened = new Set();

/**
 * Reads a curve at a step, by pointer or by arrow keys; the value stands beside the curve's name.
 *
 * @param {HTMLElement} figure
 * @returns {() => void} stops listening
 */
export function readCurve(figure) {
  const svg = figure.querySelector("svg");
  const output = figure.querySelector("output");
  const numbers = figure.querySelector("details");
  const cross = svg.querySelector(".curve-cross");
  const points = [...svg.querySelectorAll("circle")];
  const words = points.map((point) => point.firstElementChild.textContent);
  const last = output.textContent;
  const listening = new AbortController();
  let now = -1;

  function show(place) {
    points[now]?.classList.remove("is-now");
    now = Math.min(Math.max(place, 0), points.length - 1);
    points[now].classList.add("is-now");
    cross.setAttribute("transform", `translate(${points[now].getAttribute("cx")} 0)`);
    figure.classList.add("is-reading");
    output.textContent = words[now];
    svg.setAttribute("aria-valuenow", String(now));
    svg.setAttribute("aria-valuetext", words[now]);
    Object.assign(reading, { curve: figure.id, place: now });
  }

  function rest() {
    if (document.activeElement === svg) return;
    points[now]?.classList.remove("is-now");
    now = -1;
    figure.classList.remove("is-reading");
    output.textContent = last;
    if (reading.curve === figure.id) reading.curve = "";
  }

  function nearest(clientX) {
    const at = new DOMPoint(clientX, 0).matrixTransform(svg.getScreenCTM().inverse()).x;
    const far = points.map((point) => Math.abs(point.cx.baseVal.value - at));
    return far.indexOf(Math.min(...far));
  }

  function press(event) {
    const by = KEYS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    show((now < 0 ? points.length - 1 : now) + by);
  }

  // With a script it is a control, and says the value of the step it stands at.
  const about = { role: "slider", "aria-valuemin": "0", "aria-valuemax": String(points.length - 1) };
  for (const [name, value] of Object.entries(about)) svg.setAttribute(name, value);
  svg.setAttribute("aria-valuenow", String(points.length - 1));
  svg.setAttribute("aria-valuetext", words.at(-1));
  const { signal } = listening;
  svg.addEventListener("pointermove", (event) => show(nearest(event.clientX)), { signal });
  svg.addEventListener("pointerdown", (event) => show(nearest(event.clientX)), { signal });
  svg.addEventListener("pointerleave", rest, { signal });
  svg.addEventListener("keydown", press, { signal });
  svg.addEventListener("focus", () => now < 0 && show(points.length - 1), { signal });
  svg.addEventListener("blur", rest, { signal });
  numbers.open ||= opened.has(figure.id);
  numbers.addEventListener("toggle", () => opened[numbers.open ? "add" : "delete"](figure.id), { signal });
  if (reading.curve === figure.id) show(reading.place);
  return () => listening.abort();
}
