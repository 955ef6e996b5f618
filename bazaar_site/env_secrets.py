"""Which values of the environment are secret, so that no log, run or page ever shows them."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from pydantic import SecretStr
from pydantic_settings import EnvSettingsSource

from bazaar_site.env import Env

_SECRET_NAME = re.compile(r"(^|_)(TOKEN|KEY|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)


def secret_values(env: Env) -> Iterator[str]:
    """Give every secret that this process was told: ours, and those of libraries it carries.

    A variable is secret by its name (``HF_TOKEN``, ``ANTHROPIC_API_KEY``, ...), an address by the
    password in it.
    """
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
    """Give by name what a training job may be handed; the site's own key stays here."""
    return {
        str(field.validation_alias): setting.get_secret_value()
        for name, field in Env.model_fields.items()
        if name != "secret_key" and isinstance(setting := getattr(env, name), SecretStr)
    }
