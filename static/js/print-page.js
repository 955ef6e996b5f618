/**
 * A button that prints the page; without a script it stays away.
 *
 * @param {HTMLButtonElement} button
 * @returns {() => void} stops listening
 */
export function printPage(button) {
  const print = () => window.print();
  button.addEventListener("click", print);
  button.hidden = false;
  return () => button.removeEventListener("click", print);
}
