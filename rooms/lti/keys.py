"""The keys that course platforms know this site by; the public halves are told to everybody.

They are read anew each time: another one signs in every process at once.
"""

import functools
from typing import Any

from django.conf import settings

from negotiation.secret_values import keep_secret


def private_keys() -> tuple[str, ...]:
    """Return the private keys as PEM, first the one that signs; a new site makes it here."""
    keys: tuple[str, ...] = settings.FIND_LTI_KEYS(settings.DATA_DIR)
    return keys


@functools.lru_cache(maxsize=4)
def public_of(key: str) -> str:
    """Return the public half of a key as PEM; the private one is written nowhere from now on."""
    from cryptography.hazmat.primitives import serialization as form

    keep_secret((key, *key.splitlines()))
    public = form.load_pem_private_key(key.encode(), password=None).public_key()
    return public.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo).decode()


def key_set() -> dict[str, Any]:
    """Return the public keys as platforms ask for them (JWKS), named by RFC 7638 thumbprints."""
    from pylti1p3.registration import Registration

    return {"keys": [Registration.get_jwk(public_of(key)) for key in private_keys()]}
