"""What the hostile week is made of: methods, frames, malformed requests, bodies, addresses."""

import json
from pathlib import Path
from typing import Any

from tests.support.people import Visitor

HERE = Path(__file__).resolve().parent.parent

METHODS = (
    "GET",
    "POST",
    "POST",
    "POST",
    "HEAD",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "FOO",
)

ADMIN = (
    "admin/",
    "admin/login/",
    "admin/negotiation/game/",
    "admin/negotiation/listing/1/change/",
    "admin/jsi18n/",
    "admin/autocomplete/",
    "admin/r/1/1/",
    "static/css/tokens.css",
    "static/../manage.py",
    "api/openapi.json",
)

FRAMES: tuple[dict[str, Any], ...] = (
    {"type": "say", "text": "170 dunga", "seen": 1, "seconds": 2.5},
    {"type": "offer", "price": 170, "text": "last"},
    {"type": "accept"},
    {"type": "walk", "text": "bye"},
    {"type": "sync", "after": 0},
    {"type": "ping"},
    {"type": "move", "move": "rock"},
    {"type": "act", "action": {"action": "wait"}, "round": 1},
    {"type": "consider", "action": {"action": "wait"}},
    {"type": "pace", "pause": True, "pace": 1.0},
    {"type": "bid", "price": 120},
    {"type": "hold"},
    {"type": "reset", "data": {"task": "single_deal", "seed": 7}},
    {"type": "step", "data": {"action": "offer", "price": 30, "message": "x"}},
    {"type": "state"},
    {"type": "mcp", "data": {"jsonrpc": "2.0", "method": "tools/list", "id": 1}},
    {"HEADERS": {"HX-Request": "true"}, "type": "say", "text": "100", "csrfmiddlewaretoken": "x"},
)


def _raw(method: str, path: str, *headers: str, body: bytes = b"") -> bytes:
    lines = (f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", "")
    return "\r\n".join(lines).encode("latin-1") + body


CHUNKED = "Transfer-Encoding: chunked"
CLOSE = "Connection: close"
UPGRADE = ("Upgrade: websocket", "Connection: Upgrade")

RAW_REQUESTS: tuple[bytes, ...] = (
    b"\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64,
    _raw("GET", "/\x00"),
    _raw("GET", "/%00%ff%zz", CLOSE),
    _raw("GET", "/\xe0\xa4\x95"),
    _raw("GET", "http://evil.example/", CLOSE),
    _raw("GET", "//evil.example/%2e%2e/", CLOSE),
    _raw("GET", "/" + "a" * 20_000),
    _raw("GET", "/", "Host: evil.example", CLOSE),
    _raw("GET", "/", "X: \x00"),
    _raw("GET", "/", "X Y: 1"),
    _raw("GET", "/", "Cookie: sessionid=\xff\xfe; =; ;;", CLOSE),
    _raw("GET", "/", "X: " + "a" * 20_000),
    _raw("GET", "/", *["X: a"] * 900),
    _raw("POST", "/api/sell/", "Content-Length: -1", body=b"{}"),
    _raw("POST", "/api/sell/", "Content-Length: 1e3", body=b"{}"),
    _raw("POST", "/api/sell/", "Content-Length: 2", "Content-Length: 3", body=b"{}x"),
    _raw("POST", "/api/sell/", "Content-Length: 2", CHUNKED, body=b"0\r\n\r\n"),
    _raw("POST", "/api/sell/", "Transfer-Encoding: gzip", body=b"{}"),
    _raw("POST", "/api/sell/", CHUNKED, body=b"zz\r\n{}\r\n0\r\n\r\n"),
    _raw("POST", "/api/sell/", CHUNKED, body=b"ffffffffffffffff\r\n"),
    _raw("POST", "/api/sell/", "Content-Length: 99999999999999999999"),
    _raw("POST", "/env/bazaar/step", CHUNKED, body=b"2\r\n{}\r\n0\r\nX: y\r\n\r\n"),
    _raw("GET", "/ws/sell/x/", *UPGRADE),
    _raw("GET", "/ws/sell/x/", *UPGRADE, "Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 99"),
)


KNOWN_BODIES: tuple[dict[str, Any], ...] = (
    {"listing": 1, "title": "Lamp", "asking_price": 2000, "reservation_price": 1200},
    {"listing": 1, "lineup": ["person", "sauda:rules"], "persona": "", "seed": 3},
    {"task": "single_trade", "seed": 3, "policy": "you", "lab": 0, "pace_s": 0},
    {"action": {"action": "wait"}, "round": 1},
    {"pause": "step", "pace": 1.0},
    {"seq": 1, "action": "offer", "price": 120},
    {"seq": 3, "action": {"action": "wait"}},
    {"seat": "first", "public": True},
    {"name": "Mallory", "text": "hello"},
    {"action": "offer", "price": 30, "message": "x", "session_id": "run-1"},
    {"task": "single_deal", "seed": 7, "variant": "fixed", "episode_id": "run-1"},
    {"type": "say", "move": "offer", "price": "170", "text": "170 dunga", "seq": "1"},
    {"nickname": "Mallory", "code": "ABCDEF", "door": "x", "username": "a", "password": "b"},
    {"choice": "a", "language": "hi", "next": "//evil.example", "thumb": "up", "page": "1"},
    {"text": '{"format": "bazaarbatna/replay"}', "q": "lamp", "sort": "price", "index": 0},
)


def pages() -> list[str]:
    """Every address of the site, with its placeholders."""
    rows = (HERE / "pins" / "addresses.txt").read_text().splitlines()
    names = [row.partition("  ")[0] for row in rows if row and not row.startswith("socket")]
    schema = json.loads((HERE / "pins" / "openapi.json").read_text())
    return [*names, *(path.lstrip("/") for path in schema["paths"]), *ADMIN]


def places_of(person: Visitor, listing: int, seed: int) -> dict[str, str]:
    """Open one game of each kind and return their ids."""
    wanted: dict[str, tuple[str, dict[str, Any]]] = {
        "sell": ("/api/sell/", {"listing": listing}),
        "buy": ("/api/buy/", {"listing": listing}),
        "games": ("/api/games/rps/", {}),
        "market": ("/api/market/", {"task": "single_trade", "seed": seed, "policy": "you"}),
        "arena": (
            "/api/arena/",
            {"listing": listing, "lineup": ["person", "sauda:rules"], "seed": seed},
        ),
    }
    opened = {}
    for name, (path, body) in wanted.items():
        answer = person.post(path, body)
        assert answer.status_code == 201, (path, answer.text)
        opened[name] = str(answer.json()["id"])
    return opened
