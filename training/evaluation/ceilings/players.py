"""Who can be evaluated: the registered buyers, and players that are seated nowhere else."""

from collections.abc import Mapping
from types import MappingProxyType

from agents.versions import version_label
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation
from negotiation.policies import BuyerPolicy, Entry, policy
from training.evaluation.bounds import Aim, Ceilings, Maker
from training.evaluation.ceilings import lines, pinned_game
from training.evaluation.sources import source_of

CLAIRVOYANT, BEST_RESPONSE = "ceiling:clairvoyant", "ceiling:best-response"
CLAIRVOYANT_GRADE, BEST_RESPONSE_GRADE = f"{CLAIRVOYANT}-grade", f"{BEST_RESPONSE}-grade"
BEST_LINE = "ceiling:line"


class Bound:
    """A player that the suite of its game brings along."""

    def __init__(self, seed: int, name: str) -> None:
        self._seed, self._name = seed, name
        self._player: BuyerPolicy | None = None

    def act(self, seen: BuyerObservation) -> Move:
        """Choose a move as the suite's own bound does.

        Raises:
            ValueError: nobody knows one for this suite.
        """
        if self._player is None:
            maker, aim = bound_of(self._name, seen.suite)
            if maker is None:
                raise ValueError(f"{self._name} is not known in {seen.suite}.")
            self._player = maker(self._seed, aim)
        return self._player.act(seen)


def bound_of(name: str, suite_id: str) -> tuple[Maker | None, Aim]:
    """Give what makes a bound of a suite, None where it is not known, and what it plays for."""
    aim: Aim = "grade" if name.endswith("-grade") else "share"
    known = source_of(suite_id).ceilings or Ceilings()
    if aim == "grade" and not known.has_grade:
        return None, aim
    is_clairvoyant = name in (CLAIRVOYANT, CLAIRVOYANT_GRADE)
    return known.clairvoyant if is_clairvoyant else known.best_response, aim


def is_known_in(name: str, suite_id: str) -> bool:
    """Tell whether a player can play a suite; only bounds may be missing."""
    return name not in BOUNDS or bound_of(name, suite_id)[0] is not None


def player(name: str) -> Entry:
    """Look up who is evaluated.

    Raises:
        UnknownPolicy: there is nobody of that name.
    """
    return APART.get(name) or policy(name)


def _bound(name: str, title: str, number: int = 1) -> Entry:
    version = version_label(name, number, {"prices": pinned_game.PRICES})
    return Entry(name, version, "rules", title, "rules", lambda seed: Bound(seed, name))


BOUNDS: Mapping[str, Entry] = MappingProxyType(
    {
        entry.name: entry
        for entry in (
            _bound(CLAIRVOYANT, "Clairvoyant"),
            _bound(CLAIRVOYANT_GRADE, "Clairvoyant, for the grade"),
            _bound(BEST_RESPONSE, "Best response"),
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
            version_label(BEST_LINE, 1, lines.PARAMETERS),
            "rules",
            "Best blind line",
            "rules",
            lines.BestLine,
        ),
    }
)
"""All players that are not registered."""
