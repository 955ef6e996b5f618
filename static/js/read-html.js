/**
 * Gives the elements of a piece of HTML from the server's own templates.
 *
 * @param {string} [html]
 * @returns {HTMLElement[]}
 */
export function readHtml(html = "") {
  const template = document.createElement("template");
  template.innerHTML = html;
  return [...template.content.children];
}
