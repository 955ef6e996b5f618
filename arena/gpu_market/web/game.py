"""The GPU market as a game of this site: where matches stand, who sees what, what if."""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from arena.gpu_market.twins import PERSON, STAND_IN, fork, gains
from arena.gpu_market.web import judge_rulings
from arena.gpu_market.web.errors import BadAction, NoTurn
from arena.gpu_market.web.judge_rulings import Position
from arena.gpu_market.web.players import check_here, trained_in
from arena.gpu_market.web.visibility import Facts, shown, viewer_of
from arena.models import MarketMatch
from bazaarbatna.market import MarketAction, MarketEvent, MarketScenario, State, fold
from bazaarbatna.market.events import TurnTaken
from bazaarbatna.market.quantities import to_credits
from negotiation.games import game
from negotiation.games.game import PAIRS, Difference, Frame, Line, Served
from negotiation.models import EventRow, Game

KIND = "market"

PAIRS_OF_MODELS = 10
"""A model takes some hundredths of a second a turn; a hundred pairs of rules 0.15 s in all."""


class Crossroads(game.Crossroads[MarketAction]):
    """A turn (event ``seq``) in which a lab acts otherwise; else ``NoPlayer`` or ``NoTurn``."""

    digits = 2

    def __init__(self, match: MarketMatch, position: Position, seq: int) -> None:
        self.match, self.seats = match, tuple(match.seats)
        check_here(self.seats)
        self.scenario, self.events, self.seq = position.state.scenario, position.events, seq
        turn = self.events[seq - 1] if 0 < seq <= len(self.events) else None
        if not isinstance(turn, TurnTaken):
            raise NoTurn
        self.turn, self.side = turn, turn.lab
        self.seed = self.scenario.sealed.seed
        self.pairs = PAIRS_OF_MODELS if trained_in(self.seats) else PAIRS

    def move_of(self, choice: object) -> MarketAction:
        """Return the action that somebody chose; raises ``BadAction``."""
        if not isinstance(choice, MarketAction):
            raise BadAction
        return choice

    def check(self, move: MarketAction) -> None:
        """Refuse nothing: an action that breaks a rule uses the turn up, as for any lab."""

    def is_made(self, move: MarketAction) -> bool:
        """Whether this is the action of the record."""
        return move == self.turn.action

    def play(self, move: MarketAction) -> Line[MarketEvent]:
        """Play the match to its end with this action, on its own luck."""
        found = fork(self.scenario, self.events, self.seq, move, self.seats)
        state, lab = fold(self.scenario, found.events), found.lab
        utility = {"recorded": found.recorded, "own": found.own, "forked": found.forked}
        extra = {
            "exact": to_credits(found.difference),
            "utility": {name: to_credits(all_labs[lab]) for name, all_labs in utility.items()},
        }
        # The game itself has no owner, so that the shelf of bargaining games does not take it.
        fields = {"owner": "", **ending(state)}
        return Line(found.events, (Served(),) * len(found.events), fields, extra)

    def gains(self, move: MarketAction, pairs: int) -> tuple[list[float], list[float]]:
        """Return what another action brings more than the own one by luck; credits, no shares."""
        found = gains(self.scenario, self.events, self.seq, move, self.seats, pairs=pairs)
        return [to_credits(one) for one in found], []

    def to_stored(self, found: Difference, line: Line[Any]) -> dict[str, Any]:
        """Return what the action changed for its lab, in credits.

        ``exact`` is the difference on the match's own luck; mean, low and high (95 % of a
        bootstrap) are those of ``n`` pairs on other luck.
        """
        return {
            "lab": found.side,
            "exact": line.extra["exact"],
            "mean": found.mean,
            "low": found.low,
            "high": found.high,
            "n": found.n,
            "utility": line.extra["utility"],
            "stand_in": STAND_IN if PERSON in self.seats else None,
        }

    def store(self, child: Game, owner: str) -> None:
        """Store the match that belongs to a what-if's game."""
        match = self.match
        MarketMatch.objects.create(
            game=child,
            task=match.task,
            seed=match.seed,
            options=match.options,
            # Where a person played, the stand-in took over.
            seats=[STAND_IN if who == PERSON else who for who in self.seats],
            owner=owner,
            is_public=match.is_public,
            is_over=True,
            judge=match.judge,
            # A model is not asked about what never happened: there the rule judges alone.
            hearings=judge_rulings.before(match.hearings, self.turn.round),
        )


class Market(game.Game[MarketScenario, State, MarketEvent, MarketAction]):
    """Labs trade compute."""

    kinds = (KIND,)
    title = "GPU market"
    scenario_type = MarketScenario
    event_type = MarketEvent
    kept = 300

    def fold(self, scenario: MarketScenario, events: Sequence[MarketEvent]) -> State:
        """Return the position that a whole log leads to."""
        return fold(scenario, events)

    def frames(self, game: Game, visitor: str, after: int = 0) -> list[Frame]:
        """Return what a visitor may see of the log."""
        match: MarketMatch = game.market
        if not may_look(match, visitor):
            return []
        position = self.position_of(game)
        viewer = viewer_of(lab_of(match, visitor), is_over=position.state.ended is not None)
        log = list(enumerate(position.events, start=1))
        seen = shown(log, facts_of(match, position), viewer)
        return [frame for frame in seen if frame["seq"] > after]

    def crossroads(self, game: Game, rows: Sequence[EventRow], seq: int) -> Crossroads:
        """Return the position before the turn of event ``seq``."""
        return Crossroads(game.market, self.position_of(game), seq)


MARKET = Market()
position_of = MARKET.position_of


def is_owner(match: MarketMatch, visitor: str) -> bool:
    """Whether a visitor started a match."""
    return bool(visitor) and match.owner == visitor


def may_look(match: MarketMatch, visitor: str) -> bool:
    """Whether a visitor may look at a match."""
    return match.is_public or is_owner(match, visitor)


def lab_of(match: MarketMatch, visitor: str) -> int | None:
    """Return the number of the lab that a visitor plays; None for who looks on."""
    if not is_owner(match, visitor) or PERSON not in match.seats:
        return None
    return int(match.seats.index(PERSON))


def facts_of(match: MarketMatch, position: Position) -> Facts:
    """Return what is fixed about a match."""
    scenario = position.state.scenario
    kept = match.hearings
    if match.judge == "model":
        # The row may have been read before the position.
        kept = MarketMatch.objects.values_list("hearings", flat=True).get(pk=match.pk)
    rounds = judge_rulings.heard_so_far(match, position, kept)
    return Facts(scenario, tuple(match.seats), match.pk, match.judge, rounds)


def ending(state: State) -> dict[str, Any]:
    """Return what changes in a game's row with the end; nothing before."""
    if state.ended is None:
        return {}
    return {
        "status": Game.Status.ENDED,
        "rounds_used": state.ended.round,
        "ended_at": timezone.now(),
    }
