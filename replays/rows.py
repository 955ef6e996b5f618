"""Finished games as rows of the list."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.safestring import SafeString

from negotiation.charts.share_bar import share_bar
from negotiation.engine.quantities import to_rupees
from negotiation.models import EventRow, Game
from negotiation.visibility import frame
from replays.wording import wording_of


class Row(msgspec.Struct, frozen=True):
    """What the list shows of a game. Prices in rupees; ``price`` is None without a deal."""

    game: Game
    players: str
    currency: str
    opening_ask: float
    price: float | None
    bar: SafeString
    private: bool


def rows_of(games: Sequence[Game]) -> tuple[Row, ...]:
    """Prepare a page of games, with one query for all their opening events."""
    found = EventRow.objects.filter(game__in=[game.pk for game in games], seq=1)
    opening = {row.game_id: row for row in found}
    return tuple(_row(game, opening.get(game.pk)) for game in games)


def _row(game: Game, opening: EventRow | None) -> Row:
    seen = frame(opening, game, "replay") if opening is not None else None
    event: dict[str, Any] = seen["event"] if seen else {"price": 0.0, "item": {"currency": "INR"}}
    price = None if game.deal_price is None else to_rupees(game.deal_price)
    bar = SafeString("")
    if price is not None and game.buyer_share is not None and game.seller_share is not None:
        bar = share_bar(game.seller_share, game.buyer_share)
    return Row(
        game=game,
        players=wording_of(game).players,
        currency=event["item"]["currency"],
        opening_ask=event["price"],
        price=price,
        bar=bar,
        private=not game.share_replay,
    )
