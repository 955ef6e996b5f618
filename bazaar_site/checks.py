"""What an operator should know before the site meets the public; each start looks through it."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.core import checks

from bazaar_site.env import Env, is_public
from bazaar_site.env import env as this_site
from bazaar_site.env_secrets import others_may_enter
from bazaar_site.env_values import items

AS_GOOD_AS_NONE_USD = 1_000

LEAST_KEY_LENGTH, LEAST_KEY_LETTERS = 50, 5
"""Characters of the secret key, and different ones among them: what Django asks for too."""


class Problem(msgspec.Struct, frozen=True):
    """One thing that can be wrong, what will happen, and the hint what to do."""

    id: str
    is_there: Callable[[Env], bool]
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


PROBLEMS = (
    Problem(
        "bazaar.W001",
        _spends_freely,
        "The metered endpoint has no spend cap that holds.",
        "Say what it costs in SAUDA_HF_USD_PER_MILLION_IN and _OUT: calls that count as free never "
        "reach a ceiling. Set SAUDA_GATE_DAILY_USD to what a day may cost.",
    ),
    Problem(
        "bazaar.W002",
        lambda env: env.secret_key is None,
        "The key that signs sessions is one that this machine made for itself.",
        "Set BAZAAR_SECRET_KEY, or put it into a file of that name in BAZAAR_SECRETS_DIR: another "
        "process elsewhere, or this one without its data folder, knows no visitor any more.",
    ),
    Problem(
        "bazaar.W003",
        lambda env: env.web_processes > 1 and not env.redis_url,
        "Several web processes share no channel layer.",
        "Set REDIS_URL, or BAZAAR_WEB_PROCESSES=1: processes tell each other of moves through it.",
    ),
    Problem(
        "bazaar.W004",
        lambda env: env.debug,
        "Visitors see Django's error pages, with settings and code.",
        "Leave BAZAAR_DEBUG away.",
    ),
    Problem(
        "bazaar.W005",
        lambda env: "*" in items(env.allowed_hosts),
        "The site answers to any name, also to one that somebody else made up.",
        "Write its real names into BAZAAR_ALLOWED_HOSTS.",
    ),
    Problem(
        "bazaar.W006",
        lambda env: not env.https,
        "Session cookies travel unencrypted.",
        "Put the site behind something that ends TLS, and set BAZAAR_HTTPS=true.",
    ),
    Problem(
        "bazaar.W007",
        lambda env: env.https and not items(env.trusted_proxies),
        "All visitors count as one: the address of the proxy in front.",
        "Write the address or network of the proxy into TRUSTED_PROXIES, so that limits count each "
        "visitor by X-Forwarded-For.",
    ),
    Problem(
        "bazaar.W009",
        lambda env: bool(env.framed_by) and not env.https,
        "In the frame of another site, browsers refuse this site's cookies.",
        "BAZAAR_FRAMED_BY needs BAZAAR_HTTPS=true.",
    ),
    Problem(
        "bazaar.W010",
        _is_guessable,
        "The key that signs sessions can be guessed.",
        f"Give BAZAAR_SECRET_KEY at least {LEAST_KEY_LENGTH} random characters.",
    ),
    Problem(
        "bazaar.W011",
        _buys_with_nobody,
        "Nobody buys from visitors: there is no policy of the name in SAUDA_POLICY.",
        "Leave SAUDA_POLICY away, or name one of those that manage.py evaluate --policies takes.",
    ),
    Problem(
        "bazaar.W012",
        lambda env: env.signing_key is None,
        "The key under what people take home is one that this machine made for itself.",
        "Set BAZAAR_SIGNING_KEY to what the file signing_key in the data folder holds: without "
        "that folder the site knows its own files no more.",
    ),
    Problem(
        "bazaar.W013",
        lambda env: others_may_enter(env.data_dir),
        "Other accounts of this machine can look into the data folder: sessions, sealed values and "
        "what people said lie in it.",
        "Let BAZAAR_DATA_DIR belong to the account that runs the site, which then closes it; or "
        "close it yourself: chmod 700.",
    ),
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
