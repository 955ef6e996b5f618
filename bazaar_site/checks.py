"""What an operator should know before the site meets the public; each start looks through it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from django.core import checks

from bazaar_site.env import Env, is_public
from bazaar_site.env import env as this_site
from bazaar_site.env_secrets import others_may_enter
from bazaar_site.env_values import items
from bazaarbatna.word_tables import read_table

AS_GOOD_AS_NONE_USD = 1_000

LEAST_KEY_LENGTH, LEAST_KEY_LETTERS = 50, 5
"""Characters of the secret key, and different ones among them: what Django asks for too."""


class Problem(msgspec.Struct, frozen=True):
    """One thing that can be wrong, what will happen, and the hint what to do."""

    id: str
    is_there: Callable[[Env], bool]
    what: str
    hint: str


class _Words(msgspec.Struct, frozen=True):
    what: str
    hint: str


def _buys_with_nobody(env: Env) -> bool:
    from negotiation.policies import UnknownPolicy, policy

    try:
        return policy(env.sauda_policy).side != "buyer"
    except UnknownPolicy:
        return True


def _spends_freely(env: Env) -> bool:
    if not env.sauda_hf_url or "hf" not in items(env.sauda_backends):
        return False
    is_free = env.sauda_hf_usd_per_million_in == 0 and env.sauda_hf_usd_per_million_out == 0
    return is_free or env.sauda_gate_daily_usd >= AS_GOOD_AS_NONE_USD


def _is_guessable(env: Env) -> bool:
    key = env.secret_key.get_secret_value() if env.secret_key else None
    return key is not None and (len(key) < LEAST_KEY_LENGTH or len(set(key)) < LEAST_KEY_LETTERS)


TESTS: dict[str, Callable[[Env], bool]] = {
    "bazaar.W001": _spends_freely,
    "bazaar.W002": lambda env: env.secret_key is None,
    "bazaar.W003": lambda env: env.web_processes > 1 and not env.redis_url,
    "bazaar.W004": lambda env: env.debug,
    "bazaar.W005": lambda env: "*" in items(env.allowed_hosts),
    "bazaar.W006": lambda env: not env.https,
    "bazaar.W007": lambda env: env.https and not items(env.trusted_proxies),
    "bazaar.W009": lambda env: bool(env.framed_by) and not env.https,
    "bazaar.W010": _is_guessable,
    "bazaar.W011": _buys_with_nobody,
    "bazaar.W012": lambda env: env.signing_key is None,
    "bazaar.W013": lambda env: others_may_enter(env.data_dir),
}
"""Whether each problem is there, by its id."""

_WORDS = read_table(Path(__file__).with_suffix(".toml"), dict[str, _Words])
PROBLEMS = tuple(
    Problem(id_, test, _WORDS[id_].what, _WORDS[id_].hint) for id_, test in TESTS.items()
)


EVERYWHERE = frozenset({"bazaar.W001", "bazaar.W003", "bazaar.W009", "bazaar.W011", "bazaar.W013"})
"""Problems of a private site too."""


def problems(env: Env) -> list[Problem]:
    """Return what is wrong with these settings."""
    public = is_public(env)
    return [row for row in PROBLEMS if (public or row.id in EVERYWHERE) and row.is_there(env)]


def look_over_settings(**_: Any) -> list[checks.CheckMessage]:
    """Warn of each problem (a Django system check)."""
    return [checks.Warning(row.what, hint=row.hint, id=row.id) for row in problems(this_site)]
