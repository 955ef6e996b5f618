"""Bots that strangers might bring: real servers on this machine, honest ones and others."""

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

Answerer = Callable[[dict[str, Any]], object]
"""What was asked, decoded, to what is answered: JSON, bytes as they are, or a Fault."""

Fault = Callable[[BaseHTTPRequestHandler], None]


def halfway(asked: dict[str, Any]) -> dict[str, Any]:
    """A decent bot: a little more each round, and never more than the seller asks."""
    if "hello" in asked:
        return asked
    ask, budget = asked["standing_ask"], asked["budget"]
    bid = round(min(budget, asked["opening_ask"] * (0.4 + 0.06 * asked["round"])), 2)
    if asked["may_accept"] and ask <= bid * 1.05:
        return {"action": "accept"}
    return {"action": "offer", "price": bid, "message": f"{bid} is fair."}


class HttpBot:
    """A bot behind HTTP; ``asked`` are all questions so far, greetings too."""

    def __init__(self, answerer: Answerer = halfway, tls: ssl.SSLContext | None = None) -> None:
        self.answerer = answerer
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        bot = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                asked = json.loads(body)
                bot.asked.append(asked)
                bot.paths.append(self.path)
                answer = bot.answerer(asked)
                if callable(answer):
                    self.close_connection = True
                    answer(self)
                    return
                said = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                reply(self, said)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_: Any) -> None:
                """Whoever asked has hung up."""

        self._server = Server(("127.0.0.1", 0), Handler)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/move"

    @property
    def moves_asked(self) -> list[dict[str, Any]]:
        return [one for one in self.asked if "hello" not in one]

    def __enter__(self) -> "HttpBot":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def reply(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


@contextmanager
def socket_bot(answerer: Answerer = halfway) -> Iterator[str]:
    """A bot behind a WebSocket; gives its address."""

    def talk(line: ServerConnection) -> None:
        try:
            for text in line:
                answer = answerer(json.loads(text))
                if answer is None:
                    line.close()
                    return
                line.send(answer if isinstance(answer, bytes) else json.dumps(answer))
        except ConnectionClosed:
            return

    with serve(talk, "127.0.0.1", 0, compression=None, max_size=1 << 20) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}/move"
        finally:
            server.shutdown()
            thread.join()


def nobody_at() -> str:
    """An address where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/move"
