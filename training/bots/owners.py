"""Whose bot it is: the session that registered it, or whoever holds its token."""

import hashlib
import secrets

from django.db import IntegrityError, transaction
from django.utils import timezone

from training.bots.calling.addresses import read_address
from training.bots.calling.errors import BadAddress
from training.bots.errors import BadBot, UnknownBot
from training.bots.models import Bot
from training.models import Run
from training.names import NameTaken, checked_name

TOKEN_PREFIX = "bzr_"  # noqa: S105  tells a token from other secrets when one is found somewhere


def register(name: str, url: str, owner: str, *, loopback: bool) -> tuple[Bot, str]:
    """Register a bot.

    Args:
        name: for the board.
        url: where it answers; "" for a client. The scheme says how it is called.
        owner: session key of whoever registers it.
        loopback: addresses on this machine are allowed.

    Returns:
        The bot and its token, which is told this once.

    Raises:
        BadName, NameTaken: the name cannot be used.
        BadBot: the address cannot be called.
    """
    kind, address = _checked_url(url.strip(), loopback=loopback)
    chosen = checked_name(name)
    token = new_token()
    try:
        with transaction.atomic():
            bot = Bot.objects.create(
                name=chosen.text,
                name_key=chosen.key,
                kind=kind,
                url=address,
                owner=owner,
                token_hash=hash_of(token),
            )
    except IntegrityError:
        raise NameTaken from None
    return bot, token


def _checked_url(url: str, *, loopback: bool) -> tuple[str, str]:
    if not url:
        return Bot.Kind.CLIENT, ""
    try:
        address = read_address(url, loopback=loopback)
    except BadAddress as bad:
        raise BadBot(str(bad), "url") from bad
    return (Bot.Kind.SOCKET if address.is_socket else Bot.Kind.HTTP), address.text


def owned_bot(bot_id: str, *, owner: str = "", token: str = "") -> Bot:
    """Give a bot to its owner.

    Raises:
        UnknownBot: there is none, it is withdrawn, or it is somebody else's.
    """
    bot = Bot.objects.filter(pk=bot_id, withdrawn_at=None).first()
    if bot is None or not is_owner(bot, owner=owner, token=token):
        raise UnknownBot
    return bot


def bot_with_token(token: str) -> Bot:
    """Give the bot that a token belongs to.

    Raises:
        UnknownBot: none has this token, or it was replaced or withdrawn.
    """
    bot = Bot.objects.filter(token_hash=hash_of(token), withdrawn_at=None).first()
    if bot is None:
        raise UnknownBot("No bot has this token. Was it replaced, or the bot withdrawn?")
    return bot


def is_owner(bot: Bot, *, owner: str = "", token: str = "") -> bool:
    """Tell whether a session or a token owns a bot."""
    if token:
        return secrets.compare_digest(bot.token_hash, hash_of(token))
    return bool(owner) and secrets.compare_digest(bot.owner.encode(), owner.encode())


def replace_token(bot: Bot) -> str:
    """Give a bot a new token; the old one opens nothing any more."""
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
    bot.url = ""
    bot.save(update_fields=["withdrawn_at", "name_key", "token_hash", "url"])
    for run in Run.objects.filter(play__bot=bot, published_at__isnull=False):
        run.published_at = None
        run.save(update_fields=["published_at"])
    Run.objects.filter(play__bot=bot, status__in=(Run.Status.QUEUED, Run.Status.RUNNING)).update(
        status=Run.Status.CANCELLED, note="The bot was withdrawn."
    )


def new_token() -> str:
    """Draw a token: 256 bits."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """Give what is stored of a token. It is random, so nobody can try likely ones."""
    return hashlib.sha256(token.encode()).hexdigest()
