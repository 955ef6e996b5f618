"""Whose pages may act here: those of this very site, its scheme and port included."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain

DEFAULT_PORTS = {"http": 80, "https": 443}

Origin = tuple[str, str, int]
"""Scheme, host and port."""


def is_welcome(said: str | None, host: str, *, is_secure: bool) -> bool:
    """Whether whoever knocks comes from a page of this site, or from no page.

    ``said`` is the Origin that came along; ``host`` the name that the site was asked under, where
    one that it does not have welcomes nobody. Forms' trusted origins are trusted here, too.
    """
    if said is None:
        return True
    origin = read_origin(said)
    return origin is not None and (origin == _own(host, is_secure) or _is_trusted(origin))


def read_origin(text: str) -> Origin | None:
    """Read an origin.

    >>> read_origin("https://Bazaar.example:443")
    ('https', 'bazaar.example', 443)
    >>> read_origin("null")
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, DEFAULT_PORTS[parts.scheme] if port is None else port


def _own(host: str, is_secure: bool) -> Origin | None:
    domain, _ = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        return None
    return read_origin(f"{'https' if is_secure else 'http'}://{host}")


def _is_trusted(origin: Origin) -> bool:
    scheme, host, port = origin
    for said in settings.CSRF_TRUSTED_ORIGINS:
        trusted = read_origin(said.replace("*.", "", 1))
        if trusted is None or (trusted[0], trusted[2]) != (scheme, port):
            continue
        pattern = f".{trusted[1]}" if "*." in said else trusted[1]
        if is_same_domain(host, pattern):
            return True
    return False
