"""Bots over HTTP: for their owners' programs, by session or by token."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router, Status
from ninja.security import APIKeyCookie

from negotiation.games.bodies import Body
from training.bots import owners, tasks
from training.bots.models import Bot
from training.bots.owners import UnknownBot
from training.bots.pages import newest_of, plays_of, to_json

SHOWN = 200


class Cookie(APIKeyCookie):
    """The session cookie is the visitor; unsafe requests must carry the CSRF token with it."""

    param_name = settings.SESSION_COOKIE_NAME

    def authenticate(self, request: HttpRequest, key: str | None) -> str | None:
        """Name the visitor."""
        return request.session.session_key


def program(request: HttpRequest) -> str | None:
    """Let in who brings a token, or what no browser sent: a browser's powers are in its cookies.

    Browsers name the page that sends an unsafe request in ``Origin``, so that no page elsewhere can
    register bots at its readers' expense.
    """
    if owners.bearer(request):
        return "token"
    is_browser = settings.SESSION_COOKIE_NAME in request.COOKIES or "Origin" in request.headers
    return None if is_browser else "stranger"


router = Router(auth=[program, Cookie()])


class Registration(Body):
    """A bot: its name for the board."""

    name: str


@router.post("", response={201: dict[str, Any]})
def register(request: HttpRequest, wanted: Registration, response: HttpResponse) -> Any:
    """Register a bot; the token is told this once."""
    bot, token = owners.register_for(request, wanted.name)
    response["Location"] = bot.get_absolute_url()
    response["Cache-Control"] = "no-store"
    return Status(201, {**_told(bot), "token": token, "environment": "/env/bots"})


@router.get("", response=dict[str, Any])
def listing(request: HttpRequest) -> dict[str, Any]:
    """List the bots, each with its newest play."""
    bots = list(Bot.objects.filter(withdrawn_at=None)[:SHOWN])
    newest = newest_of(bots)
    lines = [[newest[bot.pk]] if bot.pk in newest else [] for bot in bots]
    return {"results": list(map(to_json, bots, lines))}


@router.post("results/", response={202: dict[str, Any]})
def take_in(request: HttpRequest) -> Any:
    """Take in results that were made elsewhere: the file that ``bazaarbatna submit`` writes."""
    bot, play = owners.take_in(request)
    tasks.enqueue(play.pk)
    return Status(202, _told(bot))


@router.get("{bot_id}/", response=dict[str, Any])
def one(request: HttpRequest, bot_id: str) -> dict[str, Any]:
    """Describe a bot and its plays."""
    bot = Bot.objects.filter(pk=bot_id, withdrawn_at=None).first()
    if bot is None:
        raise UnknownBot
    return _told(bot)


@router.post("{bot_id}/plays/", response={202: dict[str, Any]})
def start(request: HttpRequest, bot_id: str) -> Any:
    """Begin the next play, or go on with one that has stopped."""
    bot = owners.owned_bot(request, bot_id)
    owners.start(request, bot)
    return Status(202, _told(bot))


@router.delete("{bot_id}/plays/current/", response={202: dict[str, Any]})
def stop(request: HttpRequest, bot_id: str) -> Any:
    """Stop the play that is under way."""
    bot = owners.owned_bot(request, bot_id)
    owners.stop(bot)
    return Status(202, _told(bot))


@router.post("{bot_id}/token/", response=dict[str, str])
def new_token(request: HttpRequest, bot_id: str, response: HttpResponse) -> dict[str, str]:
    """Replace the token; the old one opens nothing any more."""
    response["Cache-Control"] = "no-store"
    return {"token": owners.replace_token(owners.owned_bot(request, bot_id))}


@router.delete("{bot_id}/", response={204: None})
def withdraw(request: HttpRequest, bot_id: str) -> Any:
    """Take a bot and its results off the site."""
    owners.withdraw(owners.owned_bot(request, bot_id))
    return Status(204, None)


def _told(bot: Bot) -> dict[str, Any]:
    return to_json(bot, [line for _, line in plays_of([bot])[bot.pk]])
