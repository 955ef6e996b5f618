"""The house's signature under what it gives away: who wrote a file, and that it is unchanged.

Ed25519 over canonical bytes; both are documented in ``docs/sealed.md``, and
``examples/check_export.py`` checks a file without this site.
"""

import base64
import functools
import hashlib
import json
import math
from decimal import Decimal
from typing import Annotated, Any, NoReturn

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from django.conf import settings
from msgspec import Meta

from negotiation.handwritten import twice
from negotiation.sentences import sentences

say = sentences(__file__)


REPLAY, STUDY = b"bazaarbatna replay 1\n", b"bazaarbatna study 1\n"
"""What stands before the signed bytes, so that a signature of one kind never fits another."""

ALGORITHM = "Ed25519"

_MOST_EXACT = 10**21  # from here on, and below the next, numbers have an exponent
_LEAST_EXACT = 1e-6


class Unsignable(ValueError):
    """A file has no canonical bytes: a key stands twice, or a number is none."""


class BadSignature(ValueError):
    """A signature does not fit what it stands under."""


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in a file; ``of`` says how the game came about (``Game.Source``)."""

    algorithm: Annotated[str, Meta(pattern="^Ed25519$")]
    key: Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$")]
    public_key: Annotated[str, Meta(pattern=r"^[0-9A-Za-z_-]{43}\Z")]
    of: Annotated[str, Meta(max_length=10, pattern=r"^[a-z-]*$")]
    value: Annotated[str, Meta(pattern=r"^[0-9A-Za-z_-]{86}\Z")]


class PublicKey(msgspec.Struct, frozen=True):
    """A key of this house; one that is not ``in_use`` signed files before."""

    id: str
    public_key: str
    in_use: bool


def public_keys() -> tuple[PublicKey, ...]:
    """Return the keys of this house, the one in use first."""
    own = _public_of(_private_key())
    before = [key for key in settings.SIGNING_KEYS_BEFORE if key != own]
    return tuple(PublicKey(key_id(key), key, key == own) for key in (own, *dict.fromkeys(before)))


def is_ours(public_key: str) -> bool:
    """Whether a public key is one of this house; the whole of it, not its id alone."""
    return any(_to_bytes(one.public_key) == _to_bytes(public_key) for one in public_keys())


def signed(document: dict[str, Any], of: str) -> dict[str, Any]:
    """Return an export with the signature of this house at its end."""
    own = _private_key()
    public = _public_of(own)
    block = {"algorithm": ALGORITHM, "key": key_id(public), "public_key": public, "of": of}
    unsigned = {**document, "signature": block}
    value = own.sign(REPLAY + canonical(unsigned))
    return {**document, "signature": {**block, "value": _to_text(value)}}


def signer_of(document: dict[str, Any]) -> Signature:
    """Return the signature of an export, which fits; raises ``BadSignature``."""
    try:
        found = msgspec.convert(document["signature"], Signature)
    except msgspec.ValidationError as wrong:
        raise BadSignature(say("shape_of_signature")) from wrong
    block = {name: value for name, value in document["signature"].items() if name != "value"}
    check(found, REPLAY + canonical({**document, "signature": block}))
    return found


def check(found: Signature, content: bytes) -> None:
    """Hold a signature against what it stands under; raises ``BadSignature``."""
    if key_id(found.public_key) != found.key:
        raise BadSignature(say("other_key"))
    try:
        public = Ed25519PublicKey.from_public_bytes(_to_bytes(found.public_key))
        public.verify(_to_bytes(found.value), content)
    except (InvalidSignature, ValueError) as wrong:
        raise BadSignature(say("changed_after_signing")) from wrong


def signature_over(content: bytes, of: str) -> Signature:
    """Return the signature of this house over bytes that are no export of a game."""
    own = _private_key()
    public = _public_of(own)
    return Signature(ALGORITHM, key_id(public), public, of, _to_text(own.sign(content)))


def key_id(public_key: str) -> str:
    """Return the name of a public key: the first 16 digits of its SHA-256.

    >>> key_id("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
    '21fe31dfa154a261'
    """
    return hashlib.sha256(_to_bytes(public_key)).hexdigest()[:16]


def public_of(private_key: str) -> str:
    """Return the public key of a private one, both as text; ValueError where it is none."""
    return _public_of(Ed25519PrivateKey.from_private_bytes(_to_bytes(private_key)))


def strictly_read(body: bytes) -> Any:
    """Read JSON that has one meaning for everybody; raises ``Unsignable`` or UnicodeError."""
    try:
        return json.loads(
            body.decode(),
            object_pairs_hook=_once_each,
            parse_float=_finite,
            parse_constant=_no_number,
        )
    except (Unsignable, UnicodeError):
        raise
    except ValueError as wrong:  # no JSON, or a number of thousands of digits
        raise Unsignable(str(wrong)) from wrong


def canonical(value: Any) -> bytes:
    """Return the one way to write a JSON value, RFC 8785; raises ``Unsignable``.

    Written by hand: the library ``rfc8785`` refuses whole numbers from 2**53 on, since other
    languages read them as floats, and a game's seed is one; ours are written digit by digit.

    >>> canonical({"b": [1.0, 0.5, 1e-7], "a": "₹"}).decode()
    '{"a":"₹","b":[1,0.5,1e-7]}'
    """
    parts: list[str] = []
    _write(value, parts)
    try:
        return "".join(parts).encode()
    except UnicodeEncodeError as wrong:
        raise Unsignable(say("half_a_character_stands_alone")) from wrong


def _write(value: Any, parts: list[str]) -> None:
    match value:
        case None | bool() | str():
            parts.append(json.dumps(value, ensure_ascii=False))
        case int():
            parts.append(str(value))
        case float():
            parts.append(_number(value))
        case list() | tuple():
            parts.append("[")
            for place, part in enumerate(value):
                parts.append("," if place else "")
                _write(part, parts)
            parts.append("]")
        case dict():
            parts.append("{")
            for place, name in enumerate(sorted(value, key=_in_utf16)):
                comma = "," if place else ""
                parts.append(f"{comma}{json.dumps(name, ensure_ascii=False)}:")
                _write(value[name], parts)
            parts.append("}")
        case _:
            raise Unsignable(f"{type(value).__name__} is no JSON")


def _in_utf16(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


def _number(value: float) -> str:
    """Write a number as ECMAScript does: the fewest digits that read back as the same."""
    if not math.isfinite(value):
        raise Unsignable(f"{value} is no number of JSON")
    if value == 0:
        return "0"
    if _LEAST_EXACT <= abs(value) < _MOST_EXACT:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    digits, _, exponent = repr(value).partition("e")
    power = int(exponent)
    return f"{digits.removesuffix('.0')}e{'+' if power > 0 else '-'}{abs(power)}"


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if (name := twice(name for name, _ in pairs)) is not None:
        raise Unsignable(say("the_key_name_stands_twice", name=repr(name[:40])))
    return dict(pairs)


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        _no_number(text[:40])
    return value


def _no_number(text: str) -> NoReturn:
    raise Unsignable(f"{text} is no number of JSON")


@functools.cache
def _key_from(text: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(_to_bytes(text))


def _private_key() -> Ed25519PrivateKey:
    return _key_from(settings.SIGNING_KEY)


def _public_of(private: Ed25519PrivateKey) -> str:
    return _to_text(private.public_key().public_bytes_raw())


def _to_text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _to_bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
