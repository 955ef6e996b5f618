/** Closes the frame, or the window, in which a course's platform shows a page of ours. */

export function askPlatform(element) {
  const close = () => {
    const around = window.parent === window ? window.opener : window.parent;
    around?.postMessage({ subject: "org.imsglobal.lti.close" }, element.dataset.origin);
  };
  element.addEventListener("click", close);
  return () => element.removeEventListener("click", close);
}
