"""The auction match, where several buyers bid for one item, as a game of this site."""

import functools
from collections.abc import Sequence

from arena.auction.web import what_if
from arena.auction.web.records import actor, end_of
from arena.auction.web.visibility import Viewer, frames, viewer_of
from arena.models import MatchSeat
from arena.words import say
from bazaarbatna.auction.events import ArenaEvent, ArenaMove, Bid, Ended, Hold, Leave, Placed, Take
from bazaarbatna.auction.match import ArenaState, fold, place
from bazaarbatna.auction.scenario import ArenaScenario
from negotiation.errors import NoMoveHere
from negotiation.games import game, position_cache
from negotiation.games.game import Choice, Frame, Line, Served
from negotiation.models import EventRow, Game

Position = position_cache.Position[ArenaState, ArenaEvent]


class Crossroads(game.Crossroads[ArenaMove]):
    """A buyer's envelope of a finished match, filled otherwise; else ``NoMoveHere``."""

    def __init__(self, scenario: ArenaScenario, events: tuple[ArenaEvent, ...], seq: int) -> None:
        event = events[seq - 1] if 0 < seq <= len(events) else None
        if not isinstance(event, Placed):
            told = say.text("there_is_no_envelope_at_that")
            raise NoMoveHere(told)
        self.scenario, self.events, self.seq = scenario, events, seq
        self.buyer, self.round, self.made = event.buyer, event.round, event.move
        self.side, self.seed = actor(event.buyer), scenario.sealed.seed

    @functools.cached_property
    def state(self) -> ArenaState:
        """The position in which the envelope was closed."""
        return what_if.before(self.scenario, self.events, self.buyer, self.round)[0]

    def move_of(self, choice: Choice) -> ArenaMove:
        """Return the move that somebody chose; raises ``InvalidPrice``, ``NoMoveHere``."""
        match choice.action:
            case "offer":
                return Bid(choice.asked_price())
            case "accept":
                return Take()
            case "hold":
                return Hold()
            case "walk":
                return Leave()
            case _:
                raise NoMoveHere

    def check(self, move: ArenaMove) -> None:
        """Refuse a move that the buyer could not have made."""
        place(self.state, self.buyer, move)

    def is_made(self, move: ArenaMove) -> bool:
        """Whether this is the move of the record, its words aside."""
        return _wordless(move) == _wordless(self.made)

    def play(self, move: ArenaMove) -> Line[ArenaEvent]:
        """Play the match to its end with this move, on its own luck."""
        move = self.made if self.is_made(move) else move
        events = what_if.fork(self.scenario, self.events, self.buyer, self.round, move)
        ended = events[-1]
        assert isinstance(ended, Ended)
        same = _common(events, self.events)
        served = [self._served(seq, event, same) for seq, event in enumerate(events, start=1)]
        return Line(events, tuple(served), end_of(ended))

    def share(self, move: ArenaMove, luck: int) -> float:
        """Return what the buyer gets, 0..1, with this move and this luck, a number from 1."""
        return what_if.share_on_luck(self.state, self.events, self.buyer, move, luck - 1)

    def _served(self, seq: int, event: ArenaEvent, same: int) -> Served:
        if seq <= same:
            return Served(recorded=seq)
        if isinstance(event, Placed) and seq != self.seq:
            return Served("rules", self.scenario.seats[event.buyer].version)
        return Served()


class Auction(game.Game[ArenaScenario, ArenaState, ArenaEvent, ArenaMove]):
    """One seller, several buyers who move at once, one item."""

    kinds = ("arena",)
    title = "Arena"
    scenario_type = ArenaScenario
    event_type = ArenaEvent

    def fold(self, scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> ArenaState:
        """Return the position that a whole log leads to."""
        return fold(scenario, tuple(events))

    def frames(self, game: Game, visitor: str, after: int = 0) -> list[Frame]:
        """Return what a visitor may see of the log; who has a chair is called "You" there."""
        if not game.last_seq:
            # It waits for its people: nothing has been drawn yet.
            return []
        seat = seat_of(game.pk, visitor)
        if game.status == Game.Status.ENDED:
            return frames(game, Viewer("replay", seat), after)
        return frames(game, viewer_of(game, self.scenario_of(game.pk), seat), after)

    def crossroads(self, game: Game, rows: Sequence[EventRow], seq: int) -> Crossroads:
        """Return the position before the envelope of event ``seq`` was closed."""
        events = tuple(self.event_from(row.payload) for row in rows)
        return Crossroads(self.scenario_of(game.pk), events, seq)


AUCTION = Auction()
position_of = AUCTION.position_of


def seat_of(match_id: str, visitor: str) -> int | None:
    """Return the chair of a visitor, from 0; None for who only looks on."""
    chairs = MatchSeat.objects.filter(match=match_id, owner=visitor)
    return chairs.values_list("index", flat=True).first() if visitor else None


def _wordless(move: ArenaMove) -> tuple[str, int | None]:
    return type(move).__name__, move.price if isinstance(move, Bid) else None


def _common(one: Sequence[ArenaEvent], other: Sequence[ArenaEvent]) -> int:
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
