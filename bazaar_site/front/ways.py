"""The ways in from the front page, with what waits behind each of them now."""

import msgspec

from arena.engine.scenario import MOST_BUYERS
from negotiation.models import Game
from negotiation.shops import open_shops
from negotiation.short_memory import kept
from replays.browse.shelf import MOST_COUNTED, OF_THIS_SITE, Shelf

COUNTED_EVERY_S = 30.0


class Stock(msgspec.Struct, frozen=True):
    """Replays as text ("" for none), buyers in the largest match, stalls to buy at."""

    replays: str
    buyers: int
    shops: int


def stock() -> Stock:
    """Count what waits there."""
    return kept("stock", COUNTED_EVERY_S, _count)


def _count() -> Stock:
    shared = Game.objects.filter(
        status=Game.Status.ENDED, share_replay__in=(True,), source__in=OF_THIS_SITE
    )
    replays = shared.order_by().values("pk")[: MOST_COUNTED + 1].count()
    told = Shelf((), replays).count_text if replays else ""
    return Stock(told, MOST_BUYERS, len(open_shops()))
