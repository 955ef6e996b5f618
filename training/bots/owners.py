"""Whose bot it is, and what an owner may do with it, for the page and the API alike.

A bot belongs to the session that registered it, and to whoever holds its token.
"""

import hashlib
import secrets

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from bazaarbatna.offline import BadSubmission, read
from negotiation.errors import SessionError
from negotiation.games.visitors import visitor
from negotiation.limits import request_key, spend
from negotiation.names import NameTaken, checked_name
from negotiation.sentences import sentences
from training.bots import plays
from training.bots.models import Bot, Play
from training.models import Run

say = sentences(__file__)

TOKEN_PREFIX = "bzr_"  # noqa: S105  tells a token from other secrets when one is found somewhere


class BadResults(SessionError):
    """A file of results that cannot be counted; the sentence names the line."""

    code = "bad-results"
    status = 422


class UnknownBot(SessionError):
    """There is no such bot, or it is not yours."""

    code = "unknown-bot"
    status = 404


def register_for(request: HttpRequest, name: str) -> tuple[Bot, str]:
    """Register a bot for whoever asks; SessionError when they ask too often or may not."""
    spend("bots", request_key(request))
    return register(name, visitor(request))


def register(name: str, owner: str) -> tuple[Bot, str]:
    """Register a bot for the session ``owner``; return it and its token, told this once.

    Raises:
        BadName, NameTaken: the name cannot be used.
    """
    chosen = checked_name(name)
    token = new_token()
    try:
        with transaction.atomic():
            bot = Bot.objects.create(
                name=chosen.text, name_key=chosen.key, owner=owner, token_hash=hash_of(token)
            )
    except IntegrityError:
        raise NameTaken from None
    return bot, token


def owned_bot(request: HttpRequest, bot_id: str) -> Bot:
    """Return a bot to its owner; UnknownBot to everybody else, or when it is withdrawn."""
    bot = Bot.objects.filter(pk=bot_id, withdrawn_at=None).first()
    if bot is None or not is_owner(request, bot):
        raise UnknownBot
    return bot


def is_owner(request: HttpRequest, bot: Bot) -> bool:
    """Whether who asks owns a bot: by the token of a header, else by the session."""
    if token := bearer(request):
        return secrets.compare_digest(bot.token_hash, hash_of(token))
    owner = visitor(request)
    return bool(owner) and secrets.compare_digest(bot.owner.encode(), owner.encode())


def bearer(request: HttpRequest) -> str:
    """Return the token of the Authorization header; "" without one."""
    return token_in(request.headers.get("Authorization", ""))


def token_in(header: str) -> str:
    """Read the token of a header like ``Bearer bzr_...``; "" without one."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def bot_with_token(token: str) -> Bot:
    """Return the bot that a token belongs to; UnknownBot for one replaced or withdrawn."""
    bot = Bot.objects.filter(token_hash=hash_of(token), withdrawn_at=None).first()
    if bot is None:
        raise UnknownBot(say("no_bot_has_this_token_was"))
    return bot


def start(request: HttpRequest, bot: Bot) -> Play:
    """Begin the next play, or go on with one that has stopped; BotBusy, RateLimited."""
    spend("bot_plays", request_key(request))
    return plays.begin_play(bot, settings.BOT_EPISODES)


def take_in(request: HttpRequest) -> tuple[Bot, Play]:
    """Count a file of games that a bot played elsewhere, all of which are played again here.

    Raises:
        UnknownBot, BadResults, BotBusy, RateLimited: it does not count.
    """
    token = bearer(request)
    bot = bot_with_token(token)
    spend("bot_plays", request_key(request))
    try:
        handed_in = read(request.body, token)
    except BadSubmission as wrong:
        raise BadResults(str(wrong)) from None
    return bot, plays.begin_offline(bot, handed_in)


def stop(bot: Bot) -> None:
    """Stop the play that is under way; it can be gone on with."""
    if (play := plays.latest_play(bot)) is not None:
        plays.stop(play, Run.Status.CANCELLED, plays.STOPPED)


def replace_token(bot: Bot) -> str:
    """Return a bot a new token; the old one opens nothing any more."""
    token = new_token()
    bot.token_hash = hash_of(token)
    bot.save(update_fields=["token_hash"])
    return token


@transaction.atomic
def withdraw(bot: Bot) -> None:
    """Take a bot and its results off the site; its name is free and its token dead."""
    # The same lock as for publishing a result: one comes after the other.
    Bot.objects.select_for_update().get(pk=bot.pk)
    bot.withdrawn_at = timezone.now()
    bot.name_key = f"-{bot.pk}"
    bot.token_hash = hash_of(new_token())
    bot.save(update_fields=["withdrawn_at", "name_key", "token_hash"])
    for run in Run.objects.filter(play__bot=bot, published_at__isnull=False):
        run.published_at = None
        run.save(update_fields=["published_at"])
    Run.objects.filter(play__bot=bot, status__in=(Run.Status.QUEUED, Run.Status.RUNNING)).update(
        status=Run.Status.CANCELLED, note=say.text("the_bot_was_withdrawn")
    )


def new_token() -> str:
    """Draw a token: 256 bits."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """Return what is stored of a token. It is random, so nobody can try likely ones."""
    return hashlib.sha256(token.encode()).hexdigest()
