"""What came of the games with one set of cards, side by side."""

import msgspec

from bazaarbatna.bargain.quantities import to_rupees
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.sessions import side_of
from negotiation.models import Game
from replays.models import Challenge

Whose = str
"""``you``, ``sender``, or ``friend``."""


class Result(msgspec.Struct, frozen=True):
    """How a game with the cards ended: ``share`` of the zone, 0..1; ``kept`` and ``price`` rupees.

    ``number`` counts friends from 1; ``is_best``: nobody here kept more.
    """

    whose: Whose
    number: int
    outcome: str
    share: float
    kept: float
    price: float | None
    rounds: int
    is_best: bool = False


class Table(msgspec.Struct, frozen=True):
    """Finished games with the same cards; ``zone`` in rupees, 0 where no price suited both."""

    results: tuple[Result, ...]
    zone: float
    playing: int
    currency: str


def table_of(challenge: Challenge, reader: str) -> Table | None:
    """Return what a reader may see: nothing before the own end; a friend sees no other friend."""
    first = challenge.game
    tries = list(challenge.tries.select_related("game"))
    own = next((one for one in tries if one.visitor == reader), None)
    is_sender = bool(reader) and first.owner == reader
    if not is_sender and (own is None or own.game.status != Game.Status.ENDED):
        return None
    shown = tries if is_sender else [one for one in tries if one is own]
    scenario = stored_scenario(first)
    zone = to_rupees(max(scenario.zopa, 0))
    ended = [one for one in shown if one.game.status == Game.Status.ENDED]
    results = [_result("you" if is_sender else "sender", 0, first, zone)]
    for number, one in enumerate(ended, start=1):
        results.append(_result("friend" if is_sender else "you", number, one.game, zone))
    best = max(one.share for one in results)
    return Table(
        results=tuple(
            msgspec.structs.replace(one, is_best=one.share == best and one.outcome == "deal")
            for one in results
        ),
        zone=zone,
        playing=len(shown) - len(ended),
        currency=scenario.item.currency,
    )


def _result(whose: Whose, number: int, game: Game, zone: float) -> Result:
    share = game.buyer_share if side_of(game) == "buyer" else game.seller_share
    return Result(
        whose=whose,
        number=number,
        outcome=game.outcome,
        share=share or 0.0,
        kept=round(zone * (share or 0.0), 2),
        price=None if game.deal_price is None else game.deal_price / 100,
        rounds=game.rounds_used or 0,
    )
