"""Sockets are for pages of this very site: the host, the scheme and the port."""

from typing import Any

import pytest

from bazaar_site.routing import is_welcome

HTTPS = ("HTTP_X_FORWARDED_PROTO", "https")


def knock(origin: str | None, host: str = "localhost:8000", **more: str) -> dict[str, Any]:
    headers = [(b"host", host.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    headers += [(name.replace("_", "-").encode(), text.encode()) for name, text in more.items()]
    return {"type": "websocket", "scheme": "ws", "headers": headers}


@pytest.fixture(autouse=True)
def plain_site(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", "bazaar.example"]
    settings.SECURE_PROXY_SSL_HEADER = None
    settings.CSRF_TRUSTED_ORIGINS = []


@pytest.mark.parametrize(
    ("origin", "is_in"),
    [
        (None, True),  # a program
        ("http://localhost:8000", True),
        ("http://LOCALHOST:8000", True),
        ("http://localhost:3000", False),  # another program's page on the same machine
        ("http://localhost", False),
        ("https://localhost:8000", False),
        ("http://127.0.0.1:8000", False),
        ("http://localhost:8000.evil.example", False),
        ("http://localhost:8000@evil.example", False),
        ("http://evil.example", False),
        ("null", False),
        ("", False),
        ("file://", False),
        ("chrome-extension://localhost:8000", False),
        ("http://localhost:99999999", False),
        ("http://[::1", False),
    ],
)
def test_the_scheme_and_the_port_count(origin: str | None, is_in: bool) -> None:
    assert is_welcome(knock(origin)) is is_in


def test_a_name_that_is_not_ours_opens_nothing() -> None:
    assert not is_welcome(knock("http://evil.example:8000", host="evil.example:8000"))
    assert is_welcome(knock("http://[::1]:8000", host="[::1]:8000"))


def test_the_scheme_is_what_the_trusted_proxy_says(settings: Any) -> None:
    behind = {"host": "bazaar.example", "x_forwarded_proto": "https"}
    # Nobody is believed before the operator says so.
    assert not is_welcome(knock("https://bazaar.example", **behind))
    settings.SECURE_PROXY_SSL_HEADER = HTTPS
    assert is_welcome(knock("https://bazaar.example", **behind))
    assert is_welcome(knock("https://bazaar.example:443", **behind))
    assert not is_welcome(knock("http://bazaar.example", **behind))
    assert not is_welcome(knock("https://bazaar.example:8443", **behind))


def test_origins_that_forms_may_come_from_may_open_sockets_too(settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://bazaar.example", "https://*.class.example:444"]
    assert is_welcome(knock("https://bazaar.example", host="bazaar.example"))
    assert not is_welcome(knock("http://bazaar.example:81", host="bazaar.example"))
    assert is_welcome(knock("https://a.class.example:444", host="bazaar.example"))
    assert not is_welcome(knock("https://a.class.example", host="bazaar.example"))
    assert not is_welcome(knock("https://classxexample:444", host="bazaar.example"))
