"""The game of two sides, a person's sale or purchase or a simulation, as a game of this site."""

from collections.abc import Sequence

from bazaarbatna.bargain.episode import State, fold
from bazaarbatna.bargain.events import Event
from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain.continuation import Crossroads
from negotiation.bargain.recorded import record_of_rows
from negotiation.bargain.visibility import Audience, frames
from negotiation.games import game, position_cache
from negotiation.games.game import Frame
from negotiation.models import EventRow, Game

Position = position_cache.Position[State, Event]


class Sale(game.Game[Scenario, State, Event, Move]):
    """One seller, one buyer, one item."""

    kinds = ("sell", "buy", "sim")
    title = "Sale"
    scenario_type = Scenario
    event_type = Event
    kept = 2000
    """A live game takes some 20 kB."""

    def fold(self, scenario: Scenario, events: Sequence[Event]) -> State:
        """Return the position that a whole log leads to."""
        return fold(scenario, tuple(events))

    def frames(self, game: Game, visitor: str, after: int = 0) -> list[Frame]:
        """Return the log as its owner sees it; of a finished game, all to everybody."""
        if game.status == Game.Status.ENDED:
            return frames(game, "replay", after)
        seat: Audience = "seller" if game.seat == Game.Seat.SELLER else "buyer"
        return frames(game, seat, after) if visitor and visitor == game.owner else []

    def crossroads(self, game: Game, rows: Sequence[EventRow], seq: int) -> Crossroads:
        """Return the position before the offer, acceptance or walk of event ``seq``."""
        return Crossroads(record_of_rows(game, rows), seq)


SALE = Sale()
position_of = SALE.position_of
