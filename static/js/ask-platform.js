/** Speaks with the platform around a frame: closes it, or has it keep, and give back, what cookies cannot (LTI platform storage). */

const ANSWER_WITHIN_MS = 4_000;

/** @param {HTMLElement} element */
export function askPlatform(element) {
  const { does, origin, target, key, value } = element.dataset;
  if (does === "keep") put().finally(() => location.replace(element.href));
  if (does === "give") get().then((found) => found && post(found), () => {});
  if (does !== "close") return () => {};
  const close = () => around().postMessage({ subject: "org.imsglobal.lti.close" }, origin);
  element.addEventListener("click", close);
  return () => element.removeEventListener("click", close);

  function put() {
    return ask({ subject: "lti.put_data", key, value });
  }

  function get() {
    return ask({ subject: "lti.get_data", key });
  }

  function post(found) {
    element.elements.stored.value = found;
    element.submit();
  }

  function around() {
    const outer = window.parent === window ? window.opener : window.parent;
    return !target || target === "_parent" ? outer : (outer.frames[target] ?? outer);
  }

  /** Resolves with what the platform answers; rejects where it refuses or says nothing. */
  function ask(message) {
    const message_id = crypto.getRandomValues(new Uint32Array(2)).join("-");
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("no answer")), ANSWER_WITHIN_MS);
      window.addEventListener("message", function hear({ origin: from, data }) {
        if (from !== origin || data?.message_id !== message_id) return;
        window.removeEventListener("message", hear);
        clearTimeout(late);
        data.error ? reject(new Error("refused")) : resolve(data.value);
      });
      around().postMessage({ ...message, message_id }, origin);
    });
  }
}
