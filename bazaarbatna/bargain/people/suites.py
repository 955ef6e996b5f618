"""Suites of the population: mixtures of families, each family alone, and paths of people."""

import hashlib
from functools import cached_property
from random import Random

import msgspec

from bazaarbatna.bargain.people.dealing import Dealt, meet
from bazaarbatna.bargain.people.families import (
    FAMILIES,
    Family,
    family_names,
    family_of,
    register_families,
)
from bazaarbatna.bargain.people.paths import fit_paths, path_family
from bazaarbatna.bargain.scenario import Scenario

NUMBER = 1
"""Version of how games are drawn; part of every suite id."""

HORIZONS = frozenset(str(rounds) for rounds in range(1, 21))
MIXTURE = "people"
HELD_OUT_MIXTURE = "people-held-out"
PATHS = "paths"
"""Sellers who follow paths of people, in games as the site deals them."""
FIT_PATHS = "paths-fit"
"""The same on the paths that training may meet."""

register_families((path_family(fit_paths(), name=FIT_PATHS),))


class PeopleSuite(msgspec.Struct, frozen=True, dict=True):
    """Games with sellers of its families, drawn by weight; ``rounds`` None: drawn, too.

    Its id is ``people@1``, ``people-held-out@1``, or a family alone: ``people-halver@1``. Paths of
    people are a family, too, and assumptions about them: ``paths@1``, ``paths-88-4@1``; those of
    training are ``paths-fit@1``.
    """

    id: str
    title: str
    families: tuple[Family, ...]
    rounds: int | None = None
    as_on_site: bool = False

    @cached_property
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
        return self.meet(seed, seller).scenario

    def meet(self, seed: int, seller: str | None = None) -> Dealt:
        """Draw the game as ``deal`` does, and its seller's manners."""
        if seed < 0:
            raise ValueError("A seed is 0 or more.")
        if seller is not None:
            return self._meet(family_of(seller), seed)
        dice = Random(f"family:{self.id}:{seed}")
        weights = [family.weight for family in self.families]
        family = dice.choices(self.families, weights)[0]
        scenario, manners = self._meet(family, seed)
        return Dealt(msgspec.structs.replace(scenario, seller=self.version), manners)

    def _meet(self, family: Family, seed: int) -> Dealt:
        return meet(self.id, family, seed, self.rounds, as_on_site=self.as_on_site)


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
    if _is_of_paths(name):
        if name not in family_names():
            return None
        found = family_of(name)
        return PeopleSuite(id_, found.title, (found,), horizon, as_on_site=True)
    if name == HELD_OUT_MIXTURE:
        others = tuple(family_of(one) for one in _held_out())
        title = "People who answer, of kinds that no training has met"
        return PeopleSuite(id_, title, others, horizon) if others else None
    family = name.removeprefix(f"{MIXTURE}-")
    if family == name or family not in family_names():
        return None
    found = family_of(family)
    return PeopleSuite(id_, found.title, (found,), horizon)


def _is_of_paths(name: str) -> bool:
    return name == PATHS or name.startswith(f"{PATHS}-")


def _held_out() -> list[str]:
    trained = {family.name for family in FAMILIES}
    return [one for one in family_names() if one not in trained and not _is_of_paths(one)]


def people_suite_ids() -> tuple[str, ...]:
    """List the mixtures and every registered family's own suite."""
    words = (MIXTURE, HELD_OUT_MIXTURE, PATHS)
    alone = {word: ids for word in words if (ids := suites_of_families(word))}
    mixtures = (f"{word}@{NUMBER}" for word in (*alone, FIT_PATHS))
    return (*mixtures, *(id_ for ids in alone.values() for id_ in ids))


def people_words() -> tuple[str, ...]:
    """Name what a client may ask for, for whoever asked for something else."""
    paths = (name for name in (PATHS, FIT_PATHS) if name in family_names())
    return (MIXTURE, f"{MIXTURE}-<family>", *paths)


def suites_of_families(word: str) -> tuple[str, ...]:
    """List the suites of single families for which the name of a mixture stands."""
    if word == PATHS:
        assumed = (one for one in family_names() if one.startswith(f"{PATHS}-"))
        return tuple(f"{one}@{NUMBER}" for one in assumed if one != FIT_PATHS)
    of_words = {MIXTURE: [family.name for family in FAMILIES], HELD_OUT_MIXTURE: _held_out()}
    return tuple(f"{MIXTURE}-{name}@{NUMBER}" for name in of_words.get(word, ()))


def is_held_out(id_: str) -> bool:
    """Whether a suite's id is of the population and not of what training may meet."""
    name = id_.partition("@")[0]
    known = {MIXTURE, FIT_PATHS, *(f"{MIXTURE}-{family.name}" for family in FAMILIES)}
    is_of_people = name == MIXTURE or name.startswith(f"{MIXTURE}-") or _is_of_paths(name)
    return is_of_people and name not in known
