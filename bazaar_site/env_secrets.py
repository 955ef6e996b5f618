"""Which values of the environment are secret, so that none is shown, and the site's own keys."""

import base64
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr
from pydantic_settings import EnvSettingsSource

from bazaar_site.env import Env
from bazaar_site.env_values import KEY_BYTES, LEAST_RSA_BITS, items

WRITTEN_WITHIN_S = 2.0
"""Seconds after which a file that another process has just made holds its key."""

_SECRET_NAME = re.compile(r"(^|_)(TOKEN|KEY|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)

OF_THE_SITE = ("secret_key", "signing_key", "lti_key", "lti_key_before", "metrics_token")


def secret_values(env: Env) -> Iterator[str]:
    """Return every secret this process was told, by a variable's name or in an address."""
    for name, value in EnvSettingsSource(Env).env_vars.items():
        if value and _SECRET_NAME.search(name):
            yield value
    for field in Env.model_fields:
        setting = getattr(env, field)
        if isinstance(setting, SecretStr):
            yield setting.get_secret_value()
    for address in (env.database_url, env.redis_url):
        if address and (password := urlsplit(address).password):
            yield password


def job_secrets(env: Env) -> dict[str, str]:
    """Return by name what a training job may be handed; the site's own stay here."""
    return {
        str(field.validation_alias): setting.get_secret_value()
        for name, field in Env.model_fields.items()
        if name not in OF_THE_SITE and isinstance(setting := getattr(env, name), SecretStr)
    }


def keep_private(folder: Path) -> None:
    """Make the data folder, and let its owner alone look into it.

    One that belongs to somebody else stays as it is; ``bazaar.W013`` warns of it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid == os.geteuid() and others_may_enter(folder):
        folder.chmod(0o700)


def others_may_enter(folder: Path) -> bool:
    """Whether other accounts of this machine can look into a folder, or write there."""
    return folder.exists() and bool(stat.S_IMODE(folder.stat().st_mode) & 0o077)


def secret_key(given: SecretStr | None, data_dir: Path) -> str:
    """Return the key that signs sessions: the given one, else one made once and kept in a file."""
    return _kept(given, data_dir / "secret_key", lambda: secrets.token_urlsafe(50))


def signing_key(given: SecretStr | None, data_dir: Path) -> str:
    """Return the private key under exports, in the same way."""
    return _kept(given, signing_file(data_dir), make_signing_key)


def signing_file(data_dir: Path) -> Path:
    """Return where a site keeps the private key that it has made for itself."""
    return data_dir / "signing_key"


def signed_before_file(data_dir: Path) -> Path:
    """Return where a site keeps the public keys that it does not sign with any more."""
    return data_dir / "signing_keys_before"


def signed_before(given: str, data_dir: Path) -> tuple[str, ...]:
    """Return the public keys that were in use before."""
    file = signed_before_file(data_dir)
    kept = file.read_text().split() if file.exists() else []
    return (*items(given), *kept)


def make_signing_key() -> str:
    """Return a new private key: 32 bytes of chance."""
    return base64.urlsafe_b64encode(secrets.token_bytes(KEY_BYTES)).decode().rstrip("=")


def lti_keys(
    given: SecretStr | None, before: SecretStr | None, data_dir: Path, *, anew: bool = False
) -> tuple[str, ...]:
    """Return the private keys that course platforms know this site by, as PEM: the first signs.

    ``anew``: another one signs from now on, where the key does not stand in the environment.
    """
    key = _kept(given, file := data_dir / "lti_key", _make_lti_key)
    old = file.with_name("lti_key_before")
    if anew and given is None:
        replace_key(old, key)
        replace_key(file, key := _make_lti_key())
    if before is not None:
        return key, before.get_secret_value()
    return (key, old.read_text()) if given is None and old.exists() else (key,)


def _make_lti_key() -> str:
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

    key = generate_private_key(public_exponent=65_537, key_size=LEAST_RSA_BITS)
    pem = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    return pem.decode().strip()


def replace_key(file: Path, key: str) -> None:
    """Put another key into a file: whoever reads it finds the one or the other."""
    coming = file.with_name(f"{file.name}.new")
    with os.fdopen(os.open(coming, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w") as new:
        new.write(key)
    coming.replace(file)


def _kept(given: SecretStr | None, path: Path, make: Callable[[], str]) -> str:
    if given is not None:
        return given.get_secret_value()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        # O_EXCL: of two processes that start together only one writes the key.
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return _read_soon(path)
    key = make()
    with os.fdopen(descriptor, "w") as file:
        file.write(key)
    return key


def _read_soon(path: Path) -> str:
    deadline = time.monotonic() + WRITTEN_WITHIN_S
    while not (key := path.read_text().strip()) and time.monotonic() < deadline:
        time.sleep(0.01)
    if not key:
        raise RuntimeError(f"{path} is empty: delete it, and a new key is made.")
    return key
