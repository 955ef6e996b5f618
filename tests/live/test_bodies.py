"""Mallory sends more than anybody needs, slowly or without end: nothing is kept of it."""

import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from bazaar_site.doorway import bodies
from tests.support.people import Visitor
from tests.support.servers import Site

MB = 1_000_000


@contextlib.contextmanager
def line_to(site: Site) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", site.port), timeout=30) as line:
        yield line


def head(path: str, *headers: str, method: str = "POST") -> bytes:
    lines = (f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *headers, "", "")
    return "\r\n".join(lines).encode()


def chunk(size: int) -> bytes:
    return f"{size:x}\r\n".encode() + b"x" * size + b"\r\n"


def heard(line: socket.socket) -> bytes:
    """What the server says until it hangs up or the answer is whole."""
    got = b""
    with contextlib.suppress(ConnectionError):
        while piece := line.recv(65_536):
            got += piece
            start, found, body = got.partition(b"\r\n\r\n")
            length = start.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]
            if found and length.isdigit() and len(body) >= int(length):
                break
    return got


def send_until_refused(line: socket.socket, piece: bytes, most: int) -> int:
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < most:
            line.sendall(piece)
            sent += len(piece)
    return sent


def temporary_bytes(site: Site) -> int:
    """Bytes of files without a name that the server process holds open."""
    assert site.process is not None
    held = 0
    for entry in Path(f"/proc/{site.process.pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if str(entry.readlink()).endswith("(deleted)"):
                held += entry.stat().st_size
    return held


@pytest.mark.parametrize("path", ["/api/sell/", "/sell/new/", "/admin/login/", "/env/bazaar/step"])
def test_a_length_that_is_too_long_is_refused_before_it_comes(site: Site, path: str) -> None:
    with line_to(site) as line:
        line.sendall(head(path, "Content-Length: 400000000", "Expect: 100-continue"))
        answer = heard(line)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"Traceback" not in answer
    if path.startswith(("/api/", "/env/")):
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "too-long"


def test_a_person_is_told_in_words(site: Site) -> None:
    asked = ("Content-Length: 400000000", "Accept-Language: hi", "Content-Type: image/jpeg")
    with line_to(site) as line:
        line.sendall(head("/sell/new/", *asked))
        page = heard(line).decode()
    assert '<html lang="hi">' in page
    assert "8 MB" in page


def test_a_body_without_a_length_is_cut_off_where_it_grows_too_long(site: Site) -> None:
    with line_to(site) as line:
        line.sendall(head("/api/sell/", "Transfer-Encoding: chunked"))
        sent = send_until_refused(line, chunk(100_000), 60 * MB)
        held = temporary_bytes(site)
        answer = heard(line)
    assert b" 413 " in answer.split(b"\r\n")[0] or not answer
    # More may have been sent than is kept: what comes after the limit is thrown away.
    assert sent >= bodies.MOST
    assert held <= bodies.MOST


def test_a_refusal_is_heard_by_who_stops_at_the_limit(site: Site) -> None:
    with line_to(site) as line:
        line.sendall(head("/api/replays/import/", "Transfer-Encoding: chunked"))
        send_until_refused(line, chunk(100_000), bodies.MOST + 100_000)
        assert heard(line).startswith(b"HTTP/1.1 413 ")


def test_what_fits_is_taken_with_and_without_a_length(site: Site, asha: Visitor) -> None:
    big = b'{"seed": 3' + b" " * 15_000 + b"}"
    told = asha.http.post("/env/bazaar/reset", content=big)
    assert told.status_code == 200
    in_pieces = asha.http.post("/env/bazaar/reset", content=iter([big[:7_000], big[7_000:]]))
    assert in_pieces.status_code == 200
    # Clients of HTTP/2 offer it in plain HTTP/1.1: that is no handshake of a socket.
    offer = {"Upgrade": "h2c", "Connection": "Upgrade, HTTP2-Settings", "HTTP2-Settings": ""}
    assert asha.http.post("/env/bazaar/reset", content=big, headers=offer).status_code == 200
    # Longer than the address takes, shorter than the door does: its own refusal is heard.
    long = asha.http.post("/env/bazaar/reset", content=b" " * 500_000)
    assert (long.status_code, long.json()["error"]["code"]) == (413, "VALIDATION_ERROR")


def test_a_handshake_brings_no_body(site: Site) -> None:
    with line_to(site) as line:
        upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Content-Length: 1000000")
        line.sendall(head("/ws/sell/x/", *upgrade, method="GET"))
        assert heard(line).startswith(b"HTTP/1.1 413 ")


class Channel:
    """What a request asks of its channel, with a clock of its own."""

    def __init__(self, path: bytes) -> None:
        self._path = path
        self.written = b""
        self.is_cut = False
        self.now = 0.0
        self.calls: list[Call] = []
        self.transport = self
        self.factory = self
        self.server = self

    def protocol_connected(self, protocol: object) -> None: ...
    def protocol_disconnected(self, protocol: object) -> None: ...
    def getPeer(self) -> None: ...
    def getHost(self) -> None: ...

    def write(self, data: bytes) -> None:
        self.written += data

    def abortConnection(self) -> None:
        self.is_cut = True

    def loseConnection(self) -> None:
        self.is_cut = True

    def callLater(self, seconds: float, work: object) -> "Call":
        call = Call(self.now + seconds, work)
        self.calls.append(call)
        return call

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        for call in [one for one in self.calls if one.is_due(self.now)]:
            call.run()


class Call:
    def __init__(self, at: float, work: object) -> None:
        self.at, self.work, self.is_over = at, work, False

    def active(self) -> bool:
        return not self.is_over

    def cancel(self) -> None:
        self.is_over = True

    def is_due(self, now: float) -> bool:
        return not self.is_over and self.at <= now

    def run(self) -> None:
        self.is_over = True
        assert callable(self.work)
        self.work()


def a_request(channel: Channel) -> bodies.BoundedRequest:
    return bodies.BoundedRequest(channel)


def test_headers_and_bodies_that_come_too_slowly_are_cut_off() -> None:
    silent = Channel(b"/api/sell/")
    a_request(silent)
    silent.pass_time(bodies.HEADERS_S - 1)
    assert not silent.is_cut
    silent.pass_time(2)
    assert silent.is_cut
    slow = Channel(b"/api/sell/")
    request = a_request(slow)
    request.gotLength(1_000)
    for _ in range(50):
        request.handleContentChunk(b"x")
        slow.pass_time(1)
    assert slow.written.startswith(b"HTTP/1.1 408 ")
    slow.pass_time(bodies.LINGER_S)
    assert slow.is_cut
    # A photo over a slow line has the time it needs.
    assert bodies.patience_for("/sell/new/") > 480


def test_all_bodies_together_have_a_total(monkeypatch: pytest.MonkeyPatch) -> None:
    held = bodies.Held(1_000_000)
    monkeypatch.setattr(bodies, "HELD", held)
    first, second, small = (Channel(b"/sell/new/") for _ in range(3))
    one, two, three = map(a_request, (first, second, small))
    for request in (one, two, three):
        request.gotLength(None)
    one.handleContentChunk(b"x" * 900_000)
    two.handleContentChunk(b"x" * 900_000)
    three.handleContentChunk(b"x" * 1_000)
    assert second.written.startswith(b"HTTP/1.1 503 ")
    assert b"Retry-After" in second.written
    assert not small.written  # a move is taken all the same
    assert held.bytes == 901_000
    for request in (one, two, three, one):
        request.connectionLost(None)
    assert held.bytes == 0
