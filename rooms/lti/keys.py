"""The key pair that course platforms know this site by; the public half is told to everybody."""

import functools
import json
from typing import Any

from django.conf import settings

from negotiation.secret_values import keep_secret


@functools.cache
def private_key() -> str:
    """Return the private key as PEM; the first call of a new site makes it."""
    key: str = settings.FIND_LTI_KEY(settings.DATA_DIR)
    keep_secret((key, *key.splitlines()))
    return key


@functools.cache
def public_key() -> str:
    """Return the public key as PEM."""
    from cryptography.hazmat.primitives import serialization as form

    key = form.load_pem_private_key(private_key().encode(), password=None).public_key()
    return key.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo).decode()


def key_set() -> dict[str, Any]:
    """Return the public key as platforms ask for it (JWKS); its name is its RFC 7638 thumbprint."""
    from jwcrypto.jwk import JWK

    known = JWK.from_pem(public_key().encode())
    return {"keys": [{**json.loads(known.export_public()), "alg": "RS256", "use": "sig"}]}
