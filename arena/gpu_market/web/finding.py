"""Which matches are on or over, and how each is listed."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from arena.gpu_market.web import matches
from arena.gpu_market.web.forms import FIRST_POLICY, FIRST_SEED, FIRST_TASK
from arena.gpu_market.web.orders import Order
from arena.gpu_market.web.watching import Seen, view_of
from arena.models import MarketMatch
from negotiation.errors import UnknownGame

SHOWN = 12


def live() -> list[MarketMatch]:
    """List public matches that are on, the newest first; paused and abandoned ones stay out."""
    since = timezone.now() - timedelta(hours=settings.MARKET_LEFT_HOURS)
    on = _public().filter(is_over=False, is_paused=False, game__created_at__gte=since)
    return list(on.order_by("-game__created_at")[:SHOWN])


def ended() -> list[MarketMatch]:
    """List public matches that have ended, the newest first; no what-ifs, nothing abandoned."""
    over = _public().filter(is_over=True, is_abandoned=False, game__parent=None)
    return list(over.order_by("-game__ended_at")[:SHOWN])


def places(match: MarketMatch) -> dict[str, Any]:
    """Name a match's addresses."""
    return {"id": match.pk, "ws": f"/ws/market/{match.pk}/", "url": f"/market/{match.pk}/"}


def card(match: MarketMatch) -> dict[str, Any]:
    """Show a match in a list. The seed decides all that is hidden: it opens with the end."""
    game = match.game
    told: dict[str, Any] = {
        **places(match),
        "task": match.task,
        "seats": match.seats,
        "phase": "ended" if match.is_over else "live",
        "demo": match.is_demo,
        "public": match.is_public,
        "paused": match.is_paused,
        "judge_mode": match.judge,
        "created_at": game.created_at.isoformat(),
    }
    if match.is_over:
        told |= {
            "seed": match.seed,
            "options": match.options,
            "abandoned": match.is_abandoned,
            "ended_at": game.ended_at.isoformat() if game.ended_at else None,
            "replay": f"/api/market/{match.pk}/replay/",
            "parent": game.parent_id,
            "forked_at_seq": game.forked_at_seq,
            "difference": game.difference,
        }
    return told


def _public() -> Any:
    return MarketMatch.objects.select_related("game").filter(is_public=True)


FIRST = Order(task=FIRST_TASK, seed=FIRST_SEED, policy=FIRST_POLICY)


def newest(most: int, *, is_watched: bool) -> list[Seen]:
    """Return the newest public markets as a stranger sees them, those that are on first.

    Where none was ever played, and somebody watches, one is played now, so that there is something
    to see.
    """
    found = []
    listed = [*live(), *ended()]
    if not listed and is_watched:
        listed = [matches.open_match("", FIRST)]
    for match in listed[:most]:
        try:
            found.append(view_of(match.pk, ""))
        except UnknownGame:
            # Somebody made it private in this moment.
            continue
    return found
