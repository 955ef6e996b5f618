"""The ways in from the front page, with what waits behind each of them now."""

import msgspec

from bazaar_site.front.memory import kept
from negotiation.models import Game, Listing
from replays.shelf import MOST_COUNTED, OF_THIS_SITE, Shelf

COUNTED_EVERY_S = 30.0


class Stock(msgspec.Struct, frozen=True):
    """How many goods there are to sell, and how many replays as text ("" for none)."""

    goods: int
    replays: str


def stock() -> Stock:
    """Count what is on the shelves."""
    return kept("stock", COUNTED_EVERY_S, _count)


def _count() -> Stock:
    shared = Game.objects.filter(
        status=Game.Status.ENDED, share_replay__in=(True,), source__in=OF_THIS_SITE
    )
    replays = shared.order_by().values("pk")[: MOST_COUNTED + 1].count()
    return Stock(Listing.objects.count(), Shelf((), replays).count_text if replays else "")
