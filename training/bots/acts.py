"""What an owner may do with a bot, for the page and the API alike."""

from django.conf import settings
from django.http import HttpRequest

from negotiation.game_page import visitor
from negotiation.limits import request_key, spend
from training import runs
from training.bots import letters, owners, plays
from training.bots.models import Bot, Play
from training.models import Run


def register(request: HttpRequest, name: str, url: str) -> tuple[Bot, str]:
    """Register a bot for whoever asks; give it and its token.

    Raises:
        SessionError: it cannot be registered, or too many were.
    """
    spend("bots", request_key(request))
    return owners.register(name, url, visitor(request), loopback=settings.BOTS["loopback"])


def start(request: HttpRequest, bot: Bot) -> Play:
    """Begin the next play, or go on with one that has stopped.

    Raises:
        BotBusy: it is playing.
        RateLimited: this address has started bots too often.
    """
    spend("bot_plays", request_key(request))
    play = plays.begin_play(bot, settings.BOTS["episodes"])
    if not bot.calls_us:
        letters.post(play.pk)
    return play


def stop(bot: Bot) -> None:
    """Stop the play that is under way; it can be gone on with."""
    play = plays.latest_play(bot)
    if play is None:
        return
    if bot.calls_us:
        # Nobody but the bot works on it, so nobody would hear that it is to stop.
        plays.stop(play, Run.Status.CANCELLED, plays.STOPPED)
    else:
        runs.ask_to_stop(play.run)


def bot_of(request: HttpRequest, bot_id: str) -> Bot:
    """Give a bot to its owner: by the token of an Authorization header, else by the session.

    Raises:
        UnknownBot: it is not there, or not the asker's.
    """
    return owners.owned_bot(bot_id, owner=visitor(request), token=bearer(request))


def is_owner(request: HttpRequest, bot: Bot) -> bool:
    """Tell whether whoever asks owns a bot."""
    return owners.is_owner(bot, owner=visitor(request), token=bearer(request))


def bearer(request: HttpRequest) -> str:
    """Give the token of the Authorization header; "" without one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
