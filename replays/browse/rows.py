"""Finished games as rows of the list, of whatever kind they are."""

from collections.abc import Sequence

import msgspec
from django.utils.safestring import SafeString

from negotiation.charts.share_bar import share_bar
from negotiation.engine.quantities import to_rupees
from negotiation.models import EventRow, Game
from replays.wording import wording_of

COUNTED = {2: "Two", 3: "Three", 4: "Four"}
BADGES = {Game.Source.WHAT_IF: "What if", Game.Source.IMPORT: "Imported"}


class Row(msgspec.Struct, frozen=True):
    """What the list shows of a game. Prices in rupees; ``price`` is None without a deal.

    ``badge`` says what kind of game it is, where it is none that was played on this site.
    """

    game: Game
    players: str
    currency: str
    opening_ask: float
    price: float | None
    bar: SafeString
    private: bool
    badge: str


class _Item(msgspec.Struct):
    currency: str = "INR"


class _Seat(msgspec.Struct):
    name: str


class _Opening(msgspec.Struct):
    """What is public about the first event of a game of any kind; price in paise."""

    price: int = 0
    item: _Item = msgspec.field(default_factory=_Item)
    seats: tuple[_Seat, ...] = ()


class _Ending(msgspec.Struct):
    winner: int | None = None


def rows_of(games: Sequence[Game]) -> tuple[Row, ...]:
    """Return a page of games: one query for their openings, one for the winners of matches."""
    found = EventRow.objects.filter(game__in=[game.pk for game in games], seq=1)
    openings = {
        game: msgspec.json.decode(bytes(payload), type=_Opening)
        for game, payload in found.order_by().values_list("game_id", "payload")
    }
    winners = _winners([game for game, opening in openings.items() if opening.seats])
    return tuple(
        _row(game, openings.get(game.pk, _Opening()), winners.get(game.pk)) for game in games
    )


def _winners(matches: Sequence[str]) -> dict[str, int | None]:
    if not matches:
        return {}
    found = EventRow.objects.filter(game__in=matches, kind="ended")
    return {
        game: msgspec.json.decode(bytes(payload), type=_Ending).winner
        for game, payload in found.order_by().values_list("game_id", "payload")
    }


def _row(game: Game, opening: _Opening, winner: int | None) -> Row:
    price = None if game.deal_price is None else to_rupees(game.deal_price)
    bar = SafeString("")
    if price is not None and game.buyer_share is not None and game.seller_share is not None:
        bar = share_bar(game.seller_share, game.buyer_share)
    return Row(
        game=game,
        players=_players(opening, winner) if opening.seats else wording_of(game).players,
        currency=opening.item.currency,
        opening_ask=to_rupees(opening.price),
        price=price,
        bar=bar,
        private=not game.share_replay,
        badge=BADGES.get(Game.Source(game.source), ""),
    )


def _players(opening: _Opening, winner: int | None) -> str:
    count = f"{COUNTED.get(len(opening.seats), str(len(opening.seats)))} buyers"
    if winner is None or winner >= len(opening.seats):
        return f"{count}, nobody bought"
    return f"{count}, won by {opening.seats[winner].name}"
