"""The pages of the bots: the list with its form, a bot, and what its owner may do."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from negotiation.errors import SessionError
from training.bots import owners, tasks
from training.bots.models import Bot, Play
from training.bots.owners import UnknownBot
from training.bots.pages import newest_of, plays_of, result_of
from training.bots.results import kept_moves
from training.bots.verification import RULE
from training.evaluation.published import pack

STOP_POLLING = 286  # The status that ends htmx's asking
SHOWN = 100


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bots(request: HttpRequest) -> HttpResponse:
    """List the bots; register one."""
    if request.method != "POST":
        return _list(request)
    name = request.POST.get("name", "")
    try:
        bot, token = owners.register_for(request, name)
    except SessionError as wrong:
        problem = {"field": wrong.more.get("field", ""), "detail": wrong.detail}
        return _list(request, {"name": name}, problem, wrong.status)
    return _with_token(request, bot, token, is_new=True)


@never_cache
@require_safe
def bot(request: HttpRequest, bot_id: str) -> HttpResponse:
    """Show a bot: its plays, its result, and to its owner what can be done."""
    return render(request, "bots/bot.html", _context(request, _bot(bot_id)))


@never_cache
@require_safe
def standing(request: HttpRequest, bot_id: str) -> HttpResponse:
    """Show how far the newest play is; asks again until it is over, then shows all of it."""
    context = _context(request, _bot(bot_id))
    line = context["line"]
    is_over = line is None or not line.at_work
    status = STOP_POLLING if is_over else 200
    response = render(request, "bots/_standing.html", context, status=status)
    if is_over and getattr(request, "htmx", False):
        response["HX-Refresh"] = "true"
    return response


@require_POST
def start(request: HttpRequest, bot_id: str) -> HttpResponse:
    """Begin the next play."""
    return _act(request, bot_id, lambda bot: owners.start(request, bot))


@require_POST
def stop(request: HttpRequest, bot_id: str) -> HttpResponse:
    """Stop the play that is under way."""
    return _act(request, bot_id, owners.stop)


@require_POST
def new_token(request: HttpRequest, bot_id: str) -> HttpResponse:
    """Replace the token and show the new one."""
    bot = _own(request, bot_id)
    return _with_token(request, bot, owners.replace_token(bot), is_new=False)


@require_POST
def withdraw(request: HttpRequest, bot_id: str) -> HttpResponse:
    """Take a bot off the site."""
    owners.withdraw(_own(request, bot_id))
    return redirect("bots")


@require_safe
def bargains(request: HttpRequest, bot_id: str, run_id: str) -> HttpResponse:
    """Send all bargains of a play, packed; not before its seeds are opened."""
    play = _opened(bot_id, run_id)
    if not play.rows:
        raise Http404
    return _download(bytes(play.rows), f"{run_id}.episodes.jsonl.gz")


@require_safe
def moves(request: HttpRequest, bot_id: str, run_id: str) -> HttpResponse:
    """Send all answers of a bot in a play, packed: enough to play every game again."""
    return _download(pack(kept_moves(_opened(bot_id, run_id))), f"{run_id}.moves.jsonl.gz")


def _opened(bot_id: str, run_id: str) -> Play:
    return get_object_or_404(
        Play.objects.select_related("bot"),
        pk=run_id,
        bot=bot_id,
        bot__withdrawn_at=None,
        opened_at__isnull=False,
    )


def _download(packed: bytes, name: str) -> HttpResponse:
    response = HttpResponse(packed, content_type="application/gzip")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _act(request: HttpRequest, bot_id: str, act: Callable[[Bot], object]) -> HttpResponse:
    bot = _own(request, bot_id)
    try:
        act(bot)
    except SessionError as wrong:
        context = {**_context(request, bot), "problem": wrong.detail}
        return render(request, "bots/bot.html", context, status=wrong.status)
    return redirect("bot", bot.pk)


def _list(
    request: HttpRequest,
    draft: dict[str, str] | None = None,
    problem: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    shown = list(Bot.objects.filter(withdrawn_at=None)[:SHOWN])
    newest = newest_of(shown)
    rows = [
        {
            "bot": one,
            "line": newest.get(one.pk),
            "is_own": owners.is_owner(request, one),
        }
        for one in shown
    ]
    context = {
        "rows": rows,
        "draft": draft or {},
        "problem": problem,
        "episodes": settings.BOT_EPISODES,
        "rule": RULE,
    }
    return render(request, "bots/bots.html", context, status=status)


def _with_token(request: HttpRequest, bot: Bot, token: str, *, is_new: bool) -> HttpResponse:
    context = {"bot": bot, "token": token, "is_new": is_new, "host": _host(request)}
    return render(request, "bots/token.html", context)


def _context(request: HttpRequest, bot: Bot) -> dict[str, Any]:
    lines = plays_of([bot])[bot.pk]
    play, line = lines[0] if lines else (None, None)
    if play is not None:
        tasks.remind(play)
    shown = next((one for one, _ in lines if one.card), None)
    return {
        "bot": bot,
        "line": line,
        "lines": [one for _, one in lines],
        "result": result_of(shown) if shown else None,
        "result_line": next((one for p, one in lines if p is shown), None),
        "is_own": owners.is_owner(request, bot),
        "rule": RULE,
        "host": _host(request),
    }


def _host(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def _bot(bot_id: str) -> Bot:
    return get_object_or_404(Bot, pk=bot_id, withdrawn_at=None)


def _own(request: HttpRequest, bot_id: str) -> Bot:
    try:
        return owners.owned_bot(request, bot_id)
    except UnknownBot:
        raise Http404 from None
