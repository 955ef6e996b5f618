import { word } from "./words.js";

const NAMES = { light: "light", dark: "dark" };

/**
 * A button that turns the page to the other theme and remembers it.
 *
 * @param {HTMLElement} button
 * @returns {() => void} stops listening
 */
export function toggleTheme(button) {
  const root = document.documentElement;
  const night = matchMedia("(prefers-color-scheme: dark)");
  const current = () => root.dataset.theme ?? (night.matches ? NAMES.dark : NAMES.light);
  const label = () => button.setAttribute("aria-label", word(current() === NAMES.dark ? "Use the light theme" : "Use the dark theme"));

  function toggle() {
    root.dataset.theme = current() === NAMES.dark ? NAMES.light : NAMES.dark;
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {
      // The choice lasts until the next page.
    }
    label();
  }

  button.hidden = false;
  label();
  button.addEventListener("click", toggle);
  night.addEventListener("change", label);
  return () => {
    button.removeEventListener("click", toggle);
    night.removeEventListener("change", label);
  };
}
