/**
 * Draws what nobody presses: a button that is replaced between press and release hears no click.
 *
 * @param {Element} element
 * @param {() => void} draw runs at once, or as soon as the finger is up
 */
export function unpressed(element, draw) {
  if (element.matches(":active")) requestAnimationFrame(() => unpressed(element, draw));
  else draw();
}
