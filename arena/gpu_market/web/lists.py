"""Which matches are on and which have ended lately, and how one is named in a list."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from arena.market_models import MarketMatch

SHOWN = 12
"""Matches that a list has at most."""


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
