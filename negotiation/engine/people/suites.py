"""Suites of the population: the mixture, and each family alone."""

from random import Random

import msgspec

from negotiation.engine.people.dealing import deal
from negotiation.engine.people.families import FAMILIES, Family, family_names, family_of
from negotiation.engine.scenario import Scenario

NUMBER = 1
"""Version of how games are drawn; part of every suite id."""

HORIZONS = frozenset(str(rounds) for rounds in range(1, 21))
MIXTURE = "people"
HELD_OUT_MIXTURE = "people-held-out"


class PeopleSuite(msgspec.Struct, frozen=True):
    """One suite: games with sellers of its families, drawn by weight.

    Attributes:
        id: ``people@1``, ``people-held-out@1``, or a family alone: ``people-halver@1``.
        title: for people.
        families: who sells.
        rounds: fixed horizon of every game; None to draw it.
    """

    id: str
    title: str
    families: tuple[Family, ...]
    rounds: int | None = None

    def deal(self, seed: int) -> Scenario:
        """Draw the game of a seed, 0 or more.

        Raises:
            ValueError: the seed is negative.
        """
        if seed < 0:
            raise ValueError("A seed is 0 or more.")
        dice = Random(f"family:{self.id}:{seed}")
        weights = [family.weight for family in self.families]
        family = dice.choices(self.families, weights)[0]
        return deal(self.id, family, seed, self.rounds)


def people_suite(id_: str) -> PeopleSuite | None:
    """Look a suite up; None where its id is none of the population's.

    ``people@1`` has a form with a fixed horizon: ``people@1-rounds-4``. Families that are held
    out are known once ``held_out.plug_in`` was called.

    >>> people_suite("people-firm@1").title
    'One step at most, then none'
    """
    name, _, variant = id_.partition("@")
    number, is_fixed, rounds = variant.partition("-rounds-")
    if number != str(NUMBER) or (is_fixed and rounds not in HORIZONS):
        return None
    horizon = int(rounds) if is_fixed else None
    if name == MIXTURE:
        return PeopleSuite(id_, "People who answer", FAMILIES, horizon)
    trained = {family.name for family in FAMILIES}
    if name == HELD_OUT_MIXTURE:
        others = tuple(family_of(one) for one in family_names() if one not in trained)
        title = "People who answer, of kinds that no training has met"
        return PeopleSuite(id_, title, others, horizon) if others else None
    family = name.removeprefix(f"{MIXTURE}-")
    if family == name or family not in family_names():
        return None
    found = family_of(family)
    return PeopleSuite(id_, found.title, (found,), horizon)


def people_suite_ids() -> tuple[str, ...]:
    """List the mixture and every registered family's own suite."""
    mixtures = [MIXTURE]
    if len(family_names()) > len(FAMILIES):
        mixtures.append(HELD_OUT_MIXTURE)
    alone = [f"{MIXTURE}-{name}" for name in family_names()]
    return tuple(f"{name}@{NUMBER}" for name in (*mixtures, *alone))
