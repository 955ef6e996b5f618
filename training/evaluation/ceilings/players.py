"""Who can be evaluated: the registered buyers, and players that are seated nowhere else."""

import functools
from collections.abc import Mapping
from itertools import product
from types import MappingProxyType

from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.players.simple import Climber
from bazaarbatna.versions import version_label
from negotiation.policies import BuyerPolicy, Entry, policy
from negotiation.sentences import sentences
from training.evaluation.ceilings import pinned_game
from training.evaluation.playing import Aim, Ceilings, Maker, Recording, source_of

say = sentences(__file__)

FIRSTS = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
LASTS = (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9)
"""Shares of the opening ask; a line never falls."""

FIRST_SEED = 700_000
FEW, FINALISTS, BARGAINS = 20, 6, 200
"""Every line plays a few bargains, from the first seed on; the best of them play all."""

PARAMETERS = {
    "firsts": FIRSTS,
    "lasts": LASTS,
    "seed": FIRST_SEED,
    "bargains": (FEW, FINALISTS, BARGAINS),
}

Line = tuple[float, float]
CLAIRVOYANT, BEST_RESPONSE = "ceiling:clairvoyant", "ceiling:best-response"
CLAIRVOYANT_GRADE, BEST_RESPONSE_GRADE = f"{CLAIRVOYANT}-grade", f"{BEST_RESPONSE}-grade"
BEST_LINE = "ceiling:line"


class BestLine:
    """Climbs as the chosen line of the suite does."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def act(self, seen: BuyerObservation) -> Move:
        """Bid what the line says."""
        return climber(chosen(seen.suite))(self._seed).act(seen)


@functools.cache
def climber(line: Line) -> type[Climber]:
    """Make the buyer of a line."""
    first, last = line
    return type("Line", (Climber,), {"first": first, "last": last, "parameters": line})


@functools.cache
def chosen(suite_id: str) -> Line:
    """Choose the line of a suite, on games of its own: what it keeps elsewhere is no luck."""
    lines = [(first, last) for first, last in product(FIRSTS, LASTS) if first <= last]
    lines.sort(key=lambda line: -kept(suite_id, line, FEW))
    return max(lines[:FINALISTS], key=lambda line: kept(suite_id, line, BARGAINS))


def kept(suite_id: str, line: Line, bargains: int) -> float:
    """Sum up the shares that a line keeps of the first games that lines are chosen on."""
    total = 0.0
    for seed in range(FIRST_SEED, FIRST_SEED + bargains // source_of(suite_id).episodes):
        buyer, table = climber(line)(seed), Recording(suite_id, seed)
        while (seen := table.game.observation) is not None:
            table.move(buyer.act(seen))
        total += sum(row.surplus or 0.0 for row in table.rows("", ""))
    return total


class Bound:
    """A player that the suite of its game brings along."""

    def __init__(self, seed: int, name: str) -> None:
        self._seed, self._name = seed, name
        self._player: BuyerPolicy | None = None

    def act(self, seen: BuyerObservation) -> Move:
        """Choose a move as the suite's own bound does; ValueError when nobody knows one."""
        if self._player is None:
            maker, aim = bound_of(self._name, seen.suite)
            if maker is None:
                raise ValueError(f"{self._name} is not known in {seen.suite}.")
            self._player = maker(self._seed, aim)
        return self._player.act(seen)


def bound_of(name: str, suite_id: str) -> tuple[Maker | None, Aim]:
    """Return what makes a bound of a suite, None where it is not known, and what it plays for."""
    aim: Aim = "grade" if name.endswith("-grade") else "share"
    known = source_of(suite_id).ceilings or Ceilings()
    if aim == "grade" and not known.has_grade:
        return None, aim
    is_clairvoyant = name in (CLAIRVOYANT, CLAIRVOYANT_GRADE)
    return known.clairvoyant if is_clairvoyant else known.best_response, aim


def is_known_in(name: str, suite_id: str) -> bool:
    """Whether a player can play a suite; only bounds may be missing."""
    return name not in BOUNDS or bound_of(name, suite_id)[0] is not None


def player(name: str) -> Entry:
    """Look up who is evaluated."""
    return APART.get(name) or policy(name)


def _bound(name: str, title: str, number: int = 1) -> Entry:
    version = version_label(name, number, {"prices": pinned_game.PRICES})
    return Entry(name, version, "rules", title, "rules", lambda seed: Bound(seed, name))


BOUNDS: Mapping[str, Entry] = MappingProxyType(
    {
        entry.name: entry
        for entry in (
            _bound(CLAIRVOYANT, say.text("clairvoyant")),
            _bound(CLAIRVOYANT_GRADE, "Clairvoyant, for the grade"),
            _bound(BEST_RESPONSE, say.text("best_response")),
            _bound(BEST_RESPONSE_GRADE, "Best response, for the grade"),
        )
    }
)
"""They know what no buyer is told, or the tables by heart: no other room can seat them."""

APART: Mapping[str, Entry] = MappingProxyType(
    {
        **BOUNDS,
        BEST_LINE: Entry(
            BEST_LINE,
            version_label(BEST_LINE, 1, PARAMETERS),
            "rules",
            say.text("best_blind_line"),
            "rules",
            BestLine,
        ),
    }
)
"""All players that are not registered."""
