"""Suites of the population: the mixture, and each family alone."""

import hashlib
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
    """Games with sellers of its families, drawn by weight; ``rounds`` None: drawn, too.

    Its id is ``people@1``, ``people-held-out@1``, or a family alone: ``people-halver@1``.
    """

    id: str
    title: str
    families: tuple[Family, ...]
    rounds: int | None = None

    @property
    def version(self) -> str:
        """The label that results carry; it gives no family of a mixture away before the end."""
        if len(self.families) == 1:
            return self.families[0].version
        parts = [(family.version, family.weight) for family in self.families]
        digits = hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:12]
        return f"{self.id.partition('@')[0]}@{NUMBER}#{digits}"

    def deal(self, seed: int, seller: str | None = None) -> Scenario:
        """Draw the game of a seed, where wanted with another family's seller.

        Raises:
            UnknownSeller: no such family is registered.
            ValueError: the seed is negative.
        """
        if seed < 0:
            raise ValueError("A seed is 0 or more.")
        if seller is not None:
            return deal(self.id, family_of(seller), seed, self.rounds)
        dice = Random(f"family:{self.id}:{seed}")
        weights = [family.weight for family in self.families]
        family = dice.choices(self.families, weights)[0]
        scenario = deal(self.id, family, seed, self.rounds)
        return msgspec.structs.replace(scenario, seller=self.version)


def people_suite(id_: str) -> PeopleSuite | None:
    """Look a suite up; None where its id is none of the population's.

    ``people@1`` has a form with a fixed horizon: ``people@1-rounds-4``. Families that are held
    out are known once ``held_out.plug_in`` was called.
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
    """List the mixtures and every registered family's own suite."""
    alone = {word: ids for word in (MIXTURE, HELD_OUT_MIXTURE) if (ids := suites_of_families(word))}
    mixtures = (f"{word}@{NUMBER}" for word in alone)
    return (*mixtures, *(id_ for ids in alone.values() for id_ in ids))


def suites_of_families(word: str) -> tuple[str, ...]:
    """List the suites of single families for which ``people`` or ``people-held-out`` stands."""
    trained = {family.name for family in FAMILIES}
    return tuple(
        f"{MIXTURE}-{name}@{NUMBER}"
        for name in family_names()
        if word == (MIXTURE if name in trained else HELD_OUT_MIXTURE)
    )


def is_held_out(id_: str) -> bool:
    """Whether a suite's id is of the population and not of what training may meet."""
    name = id_.partition("@")[0]
    known = {MIXTURE, *(f"{MIXTURE}-{family.name}" for family in FAMILIES)}
    return (name == MIXTURE or name.startswith(f"{MIXTURE}-")) and name not in known
