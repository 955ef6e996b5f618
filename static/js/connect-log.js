import { unpressed } from "./unpressed.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const PING_EVERY_MS = 15_000;
const PATIENCE_MS = 8_000;
const NOT_YOURS = 4404;

/**
 * A line to a game's event log that heals itself: it asks for what it missed after every
 * reconnection and whenever the tab comes back, and drops what it has already shown. While
 * something in the element is pressed, what comes waits.
 *
 * @param {HTMLElement} element has `data-socket` (path) and `data-seq` (last event on the page)
 * @param {{protocols?: string[], onFrame: (frame: any) => void, onState: (state: string) => void}} options
 */
export function connectLog(element, { protocols = [], onFrame, onState }) {
  const url = new URL(element.dataset.socket, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  const listening = new AbortController();
  const heard = [];
  const held = [];
  let seq = Number(element.dataset.seq);
  let socket = null;
  let failures = 0;
  let retry = 0;
  let ping = 0;
  let doubt = 0;
  let stopped = false;

  function open() {
    clearTimeout(retry);
    if (stopped || socket) return;
    onState(failures ? "reconnecting" : "connecting");
    socket = new WebSocket(url, protocols);
    socket.addEventListener("open", greet);
    socket.addEventListener("message", hear);
    socket.addEventListener("close", lose);
  }

  function greet() {
    failures = 0;
    onState("live");
    sync();
    for (const words of held.splice(0)) socket.send(words);
    clearInterval(ping);
    ping = setInterval(() => send({ type: "ping", here: !document.hidden }), PING_EVERY_MS);
  }

  function hear(message) {
    clearTimeout(doubt);
    doubt = 0;
    heard.push(JSON.parse(message.data));
    if (heard.length === 1) unpressed(element, tell);
  }

  function tell() {
    for (const frame of heard.splice(0)) {
      if (stopped) return;
      if (frame.type === "event") {
        if (frame.seq <= seq) continue; // another path has shown it already
        seq = frame.seq;
      }
      onFrame(frame);
    }
  }

  function lose(event) {
    socket = null;
    held.length = 0;
    clearInterval(ping);
    clearTimeout(doubt);
    doubt = 0;
    if (stopped) return;
    if (event.code === NOT_YOURS) return onState("refused");
    failures += 1;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
    onState(navigator.onLine ? "reconnecting" : "offline");
    // Jitter: a restarted server must not meet all its visitors in the same instant.
    retry = setTimeout(open, wait * (0.5 + Math.random()));
  }

  function send(frame) {
    // `seen` tells a second click from a new move, and a move that waited from one that still fits.
    const words = JSON.stringify({ seen: seq, ...frame });
    if (socket?.readyState === WebSocket.CONNECTING) return Boolean(held.push(words));
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(words);
    // A line that stays silent is dead, whatever the browser thinks.
    doubt ||= setTimeout(hangUp, PATIENCE_MS);
    return true;
  }

  function hangUp() {
    const dead = socket;
    if (!dead) return;
    dead.removeEventListener("close", lose);
    dead.close();
    lose({ code: 1006 });
  }

  const sync = () => send({ type: "sync", after: seq });
  const wake = () => (socket ? sync() : open());
  const on = (target, name, handler) => target.addEventListener(name, handler, { signal: listening.signal });

  on(document, "visibilitychange", () => {
    if (document.hidden) return;
    wake();
    send({ type: "ping", here: true });
  });
  on(window, "pageshow", (event) => event.persisted && wake());
  on(window, "online", wake);
  on(window, "offline", hangUp);
  open();

  return {
    send,
    stop() {
      stopped = true;
      listening.abort();
      [retry, doubt].forEach(clearTimeout);
      clearInterval(ping);
      socket?.close();
    },
  };
}
