"""Everything the environment can set, typed, with safe defaults.

A wrong value stops the start with a message that names every bad variable.
"""

import ipaddress
from pathlib import Path
from typing import Literal

import limits
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]

ROOT = Path(__file__).resolve().parent.parent


class Env(BaseSettings):
    """Settings of the site that an operator may change."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)

    debug: bool = Field(default=False, validation_alias="BAZAAR_DEBUG")
    """Show Django's error pages. Never on a public site."""

    secret_key: SecretStr | None = Field(default=None, validation_alias="BAZAAR_SECRET_KEY")
    """Signs sessions. Without it a key is made once and kept in the data folder."""

    data_dir: Path = Field(default=ROOT / "var", validation_alias="BAZAAR_DATA_DIR")
    """Folder of the SQLite file and of the generated secret key."""

    allowed_hosts: str = Field(
        default="127.0.0.1,localhost,[::1]", validation_alias="BAZAAR_ALLOWED_HOSTS"
    )
    """Host names the site answers to, separated by commas."""

    https: bool = Field(default=False, validation_alias="BAZAAR_HTTPS")
    """The site is served over HTTPS: secure cookies, HSTS, redirects."""

    database_url: str | None = Field(default=None, validation_alias="DATABASE_URL")
    """PostgreSQL as postgres://user:password@host:port/name. Without it: SQLite."""

    redis_url: str | None = Field(default=None, validation_alias="REDIS_URL")
    """Redis for the channel layer and rate limits. Without it: this process's memory."""

    trusted_proxies: str = Field(default="", validation_alias="TRUSTED_PROXIES")
    """Addresses or networks, separated by commas, whose X-Forwarded-For is believed."""

    buyer_pause_s: float = Field(default=0.6, ge=0, le=10, validation_alias="BAZAAR_BUYER_PAUSE_S")
    """Seconds the buyer takes before it answers, so that people can follow. 0 for benchmarks."""

    limit_games: str = Field(default="120/hour", validation_alias="BAZAAR_LIMIT_GAMES")
    """Games that one address may start, as count/window."""

    limit_messages: str = Field(default="5/5seconds", validation_alias="BAZAAR_LIMIT_MESSAGES")
    """Words and moves that one visitor may send: one a second, five at once."""

    limit_frames: str = Field(default="60/10seconds", validation_alias="BAZAAR_LIMIT_FRAMES")
    """Socket messages of any kind that one visitor may send."""

    limit_sockets: str = Field(default="240/minute", validation_alias="BAZAAR_LIMIT_SOCKETS")
    """Live connections that one address may open."""

    log_level: LogLevel = Field(default="INFO", validation_alias="BAZAAR_LOG_LEVEL")
    """Least severe level that is logged: DEBUG, INFO, WARNING or ERROR."""

    log_json: bool = Field(default=False, validation_alias="BAZAAR_LOG_JSON")
    """Log one JSON object per line instead of text for people."""

    @field_validator("limit_games", "limit_messages", "limit_frames", "limit_sockets")
    @classmethod
    def _is_a_limit(cls, value: str) -> str:
        try:
            limits.parse(value)
        except ValueError as wrong:
            raise ValueError(
                "write a limit as count/window, like 5/5seconds or 120/hour"
            ) from wrong
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, value: str) -> str:
        for name in filter(None, (name.strip() for name in value.split(","))):
            try:
                ipaddress.ip_network(name, strict=False)
            except ValueError as wrong:
                raise ValueError(f"{name!r} is no address or network, like 10.0.0.0/8") from wrong
        return value


env = Env()


def settings_table() -> str:
    """Write the table of all variables for the docs, in Markdown."""
    rows = ["| variable | default | what it does |", "|---|---|---|"]
    for name, field in Env.model_fields.items():
        default = "`var/`" if name == "data_dir" else f"`{field.default}`"
        rows.append(f"| `{field.validation_alias}` | {default} | {field.description} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(settings_table())  # noqa: T201  a command prints
