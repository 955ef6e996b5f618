"""Kinds of values that a variable may have; a wrong one is told what would be right."""

import base64
import binascii
import ipaddress
import re
from typing import Annotated, Literal

import limits
from pydantic import AfterValidator, Field, SecretStr

BACKENDS = ("hf", "ollama", "local", "rules")
"""What may stand in SAUDA_BACKENDS."""

Wait = Annotated[float, Field(gt=0, le=120)]

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]

_ORIGIN = re.compile(r"https://[a-z0-9.*-]+(:\d+)?", re.IGNORECASE)


def items(value: str) -> list[str]:
    """Split a list with commas.

    >>> items("a.example, b.example,")
    ['a.example', 'b.example']
    """
    return [item for item in (part.strip() for part in value.split(",")) if item]


def _is_a_limit(value: str) -> str:
    try:
        limits.parse(value)
    except ValueError as wrong:
        raise ValueError("write a limit as count/window, like 5/5seconds or 120/hour") from wrong
    return value


def _are_backends(value: str) -> str:
    for name in items(value):
        if name not in BACKENDS:
            raise ValueError(f"{name!r} is no backend; write any of {', '.join(BACKENDS)}")
    return ",".join(items(value))


def _is_an_address(value: str) -> str:
    if value and not value.startswith(("http://", "https://")):
        raise ValueError("write an address like http://localhost:11434, or nothing")
    return value.rstrip("/")


def _are_networks(value: str) -> str:
    for name in items(value):
        try:
            ipaddress.ip_network(name, strict=False)
        except ValueError as wrong:
            raise ValueError(f"{name!r} is no address or network, like 10.0.0.0/8") from wrong
    return value


def _are_origins(value: str) -> str:
    for name in items(value):
        if not _ORIGIN.fullmatch(name):
            raise ValueError(f"{name!r} is no origin, like https://pages.example")
    return value


KEY_BYTES = 32


def is_a_key(text: str) -> bool:
    """Whether a text is a key of Ed25519: 32 bytes in base64url.

    >>> is_a_key("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"), is_a_key("short")
    (True, False)
    """
    try:
        return len(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))) == KEY_BYTES
    except (binascii.Error, ValueError):
        return False


def _signs(value: SecretStr) -> SecretStr:
    if not is_a_key(value.get_secret_value()):
        raise ValueError("write 32 bytes in base64url, as manage.py signing_key --make prints them")
    return value


def _are_keys(value: str) -> str:
    for name in items(value):
        if not is_a_key(name):
            raise ValueError(f"{name!r} is no public key: 32 bytes in base64url")
    return value


def _signs_for_courses(value: SecretStr) -> SecretStr:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(value.get_secret_value().encode(), password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, RSAPrivateKey) or key.key_size < LEAST_RSA_BITS:
        raise ValueError("write a private RSA key of 2048 bits or more, as PEM")
    return value


LEAST_RSA_BITS = 2048

CourseKey = Annotated[SecretStr, AfterValidator(_signs_for_courses)]

SigningKey = Annotated[SecretStr, AfterValidator(_signs)]

PublicKeys = Annotated[str, AfterValidator(_are_keys)]

Limit = Annotated[str, AfterValidator(_is_a_limit)]

Backends = Annotated[str, AfterValidator(_are_backends)]

HttpAddress = Annotated[str, AfterValidator(_is_an_address)]

Networks = Annotated[str, AfterValidator(_are_networks)]

Origins = Annotated[str, AfterValidator(_are_origins)]
