"""Live games as a test needs them, written by the real sessions."""

from typing import Any

from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain import sessions
from negotiation.bargain.scenarios import NewSale
from negotiation.bargain.visibility import Frame, frames
from negotiation.games.event_log import log_rows
from negotiation.models import Game

ASHA = "asha-session-key"
CHETAN = "chetan-session-key"


RICH_SEED = 1
"""A seed whose buyer can pay for what ``a_sale`` sells: its budget is above 1,700 rupees."""


def rupees(amount: float) -> Paise:
    """Paise of a price in a test."""
    return Paise(round(amount * 100))


def a_sale(owner: str = ASHA, *, seed: int | None = RICH_SEED, **changes: Any) -> Game:
    """Open a sale of a lamp at 2,000 rupees, reservation 1,200; the buyer is to move.

    With ``seed`` None the budget is drawn as on the live site.
    """
    plain = {
        "title": "Brass lamp",
        "category": "home",
        "asking_price": rupees(2000),
        "reservation_price": rupees(1200),
    }
    sale = NewSale(**(plain | changes))
    if seed is None:
        return sessions.open_sale(owner, sale)
    return sessions.open_sale(owner, sale, below=lambda limit: seed)


def a_started_sale(owner: str = ASHA, **changes: Any) -> Game:
    """A sale in which the buyer has made its first bid: the seller is to move."""
    game = a_sale(owner, **changes)
    assert sessions.opponent_turn(game.pk)
    return game


def told(game: Game) -> list[Frame]:
    """What the owner sees: the events without their envelopes."""
    return [frame["event"] for frame in frames(game, "seller")]


def kinds(game: Game) -> list[str]:
    """The log in short: who did what."""
    return [f"{event.get('actor', '-')} {event['kind']}" for event in told(game)]


def numbers(game: Game) -> list[int]:
    """Sequence numbers of the stored log."""
    return [row.seq for row in log_rows(game.pk)]
