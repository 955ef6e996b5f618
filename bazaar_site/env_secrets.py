"""Which values of the environment are secret, so that none is shown, and the key of sessions."""

import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr
from pydantic_settings import EnvSettingsSource

from bazaar_site.env import Env

_SECRET_NAME = re.compile(r"(^|_)(TOKEN|KEY|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)

OF_THE_SITE = ("secret_key", "metrics_token")


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


def secret_key(given: SecretStr | None, data_dir: Path) -> str:
    """Return the key that signs sessions: the given one, else one made once and kept in a file."""
    if given is not None:
        return given.get_secret_value()
    data_dir.mkdir(parents=True, exist_ok=True)
    path = data_dir / "secret_key"
    try:
        # O_EXCL: of two processes that start together only one writes the key.
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    key = secrets.token_urlsafe(50)
    with os.fdopen(descriptor, "w") as file:
        file.write(key)
    return key
