"""The house at a day's game: what its own sellers get of Sauda, and the best line that is found."""

from collections.abc import Sequence

import msgspec
from django.db.models import F

from bazaarbatna.bargain.episode import start
from bazaarbatna.bargain.events import Ended, Event
from bazaarbatna.bargain.moves import Move, Offer
from bazaarbatna.bargain.quantities import Paise, to_rupees
from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain.continuation import Crossroads, move_of
from negotiation.bargain.players import LivePlayer, Player, PolicyPlayer
from negotiation.bargain.recorded import PERSON, Record, Setting
from negotiation.bargain.shops import default_buyer, shop_of
from negotiation.games.game import Choice
from negotiation.games.lease import Lease
from negotiation.policies import policies
from replays.daily.days import scenario_of
from replays.grade.moves import grade_move, price_step
from replays.models import DailyGame
from replays.puzzles.table import deed

SELLERS = (
    "seller:firm",
    "seller:flexible",
    "seller:people-halver",
    "seller:people-reciprocal",
    "seller:people-fader",
    "seller:people-recorded",
)
"""Policies whose results stand beside those of people."""

SEARCH = Lease(seconds=90.0, until="line_until")
"""Longer than the job may run."""

MOST_ATTEMPTS = 3
"""A day whose search has ended so many workers is left without a line."""


class HouseResult(msgspec.Struct, frozen=True):
    """What one policy got: a share of the zone, 0..1, 0 without a deal."""

    policy: str
    share: float
    rounds: int
    outcome: str

    @property
    def keeper(self) -> str:
        """The name of the character who plays so."""
        return shop_of(self.policy).keeper


class Step(msgspec.Struct, frozen=True):
    """One move of a line; ``price`` in paise, None where somebody walked."""

    actor: str
    kind: str
    price: int | None

    @property
    def rupees(self) -> float | None:
        """The price in rupees."""
        return None if self.price is None else to_rupees(Paise(self.price))


class Best(msgspec.Struct, frozen=True):
    """A line of a day's game to its end, and what the seller has of it."""

    share: float
    steps: tuple[Step, ...]


def house_results(row: DailyGame) -> tuple[HouseResult, ...]:
    """Return what the house's sellers got, played the first time somebody may know, then kept."""
    if row.house is None:
        row.house = msgspec.to_builtins(_played(scenario_of(row)))
        DailyGame.objects.filter(pk=row.pk).update(house=row.house)
    return msgspec.convert(row.house, tuple[HouseResult, ...])


def par_of(results: Sequence[HouseResult]) -> HouseResult | None:
    """Return the best of the house at a day's game: what others are measured by; None: no deal."""
    deals = (one for one in results if one.outcome == "deal")
    return max(deals, key=lambda one: one.share, default=None)


def best_line(row: DailyGame) -> Best | None:
    """Return the best line that was found of a day's game; None while nobody has looked for it."""
    return None if row.best_line is None else msgspec.convert(row.best_line, Best)


def is_given_up(row: DailyGame) -> bool:
    """Whether a day has no best line and nobody looks for it any more."""
    is_spent = row.line_attempts >= MOST_ATTEMPTS
    return row.best_line is None and is_spent and not SEARCH.is_held(row)


def claim_search(row: DailyGame) -> bool:
    """Claim the search for a day's best line; False where it is done, claimed or given up."""
    rows = DailyGame.objects.filter(
        SEARCH.is_free(), pk=row.pk, best_line__isnull=True, line_attempts__lt=MOST_ATTEMPTS
    )
    return SEARCH.extend(rows, line_attempts=F("line_attempts") + 1)


def find_best_line(row: DailyGame) -> Best:
    """Look for the line that leaves the seller most against Sauda with the luck of the day.

    Begins at the best game of the house. Each of the seller's moves in turn is graded; where
    another one is better, also with the luck of the day, the game goes on from there with it.
    """
    scenario = scenario_of(row)
    records = [_game(scenario, name) for name in _here()]
    record = max(records, key=_share)
    at = 0
    while (seq := _next_own(record, at)) is not None:
        crossroads = Crossroads(record, seq)
        better = grade_move(crossroads).best
        if better is not None:
            tried = _played_on(crossroads, crossroads.move_of(Choice(better.kind, better.price)))
            record = max(record, tried, key=_share)
        # A price that people would name, where it does as well.
        tried = _played_on(Crossroads(record, seq), _rounded(record, seq))
        record = max(tried, record, key=_share)
        at = seq
    best = Best(_share(record), _steps(record.events))
    DailyGame.objects.filter(pk=row.pk).update(best_line=msgspec.to_builtins(best))
    return best


def _here() -> tuple[str, ...]:
    there = {entry.name for entry in policies("seller")}
    return tuple(name for name in SELLERS if name in there)


def _played(scenario: Scenario) -> tuple[HouseResult, ...]:
    found = []
    for name in _here():
        record = _game(scenario, name)
        ended = _end(record)
        found.append(HouseResult(name, _share(record), ended.round, ended.outcome))
    return tuple(sorted(found, key=lambda one: -one.share))


def _game(scenario: Scenario, seller: str) -> Record:
    """Let a policy sell to Sauda's plain policy, as she plays against everybody that day."""
    buyer = default_buyer()
    players: dict[str, Player] = {
        "buyer": LivePlayer(buyer),
        "seller": PolicyPlayer(seller, scenario.sealed.seed, quiet=True),
    }
    state, opening = start(scenario)
    events: list[Event] = [*opening]
    while state.ended is None:
        assert state.to_move is not None
        made = players[state.to_move].turn(state, len(events), shown=False)
        state, events = made.state, [*events, *made.events]
    fields = {name: getattr(scenario, name) for name in Scenario.__struct_fields__}
    return Record(Setting(**fields), tuple(events), buyer, PERSON, "sell")


def _played_on(at: Crossroads, move: Move) -> Record:
    events = tuple(at.play(move).events)
    return msgspec.structs.replace(at.record, events=events, again=frozenset())


def _rounded(record: Record, seq: int) -> Move:
    at = Crossroads(record, seq)
    if not isinstance(at.made, Offer):
        return at.made
    step = price_step(at.state.standing_ask)
    price = min(-(-at.made.price // step) * step, at.state.standing_ask)
    return Offer(Paise(price), at.made.text)


def _end(record: Record) -> Ended:
    ended = record.events[-1]
    assert isinstance(ended, Ended)
    return ended


def _share(record: Record) -> float:
    ended = _end(record)
    return 0.0 if ended.price is None else ended.seller_share


def _next_own(record: Record, after: int) -> int | None:
    for seq, event in enumerate(record.events[after:], start=after + 1):
        if move_of(event) is not None and getattr(event, "actor", None) == "seller":
            return seq
    return None


def _steps(events: tuple[Event, ...]) -> tuple[Step, ...]:
    return tuple(
        Step(getattr(event, "actor", ""), deed(move), getattr(event, "price", None))
        for event in events
        if (move := move_of(event)) is not None
    )
