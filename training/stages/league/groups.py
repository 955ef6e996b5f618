"""Who is met in a league, what a game with them is worth, and who gets how many games.

A mean over the population is paid for by its rarest kinds. So a part of the games goes to kinds by
how far behind the best simple rule of that kind the buyer is: multiplicative weights, as in
group-robust learning (Sagawa et al. 2020).
"""

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from bazaarbatna.bargain import budgets
from bazaarbatna.bargain.people.families import FAMILIES
from bazaarbatna.bargain.people.manner import Manner
from bazaarbatna.bargain.people.paths import LONGEST, PathFamily, fit_paths, path_family
from bazaarbatna.envs.bargain.people.games import NO_DEADLINE, Deals, Games, deal_many
from bazaarbatna.envs.bargain.people.sellers import (
    PLACE,
    Bools,
    Floats,
    Ints,
    Sellers,
    draw_sellers,
    draw_wide,
    joined,
    named,
    of_manners,
)
from negotiation.bargain import scenarios
from negotiation.catalogue.stock import read_stock
from training.stages.config import LeagueConfig

PROUD, OF_PRIDE = "proud", ("insult", "pride", "harden")
"""A family, and the numbers in which it is proud."""

SHUFFLED, WIDE = "shuffled", "wide"
"""Sellers with every number from another one, and with numbers from anywhere."""

PATH_KINDS: tuple[tuple[str, tuple[float, float], tuple[int, int]], ...] = (
    ("near, hasty", (0.93, 1.0), (1, 2)),
    ("near, patient", (0.93, 1.0), (3, 6)),
    ("middle, hasty", (0.84, 0.93), (1, 2)),
    ("middle, patient", (0.84, 0.93), (3, 6)),
    ("far, hasty", (0.75, 0.84), (1, 2)),
    ("far, patient", (0.75, 0.84), (3, 6)),
    ("paths", (0.75, 1.0), (0, 8)),
)
"""Kinds of sellers on paths of people: reservation price as a part of what was agreed, and how
often the last price is repeated."""

CHECKED_PATHS = 4
"""Every so manieth path of the fit is for checks alone."""

Part = Literal["families", "paths", "walls", "honest"]
"""Of a league: sellers who answer, sellers on paths of people, sellers whom nothing moves, and
sellers who come down step by step whatever is bid."""

PARTS: tuple[Part, ...] = ("families", "paths", "walls", "honest")
FOUND = PARTS.index("families")
"""Sellers that a search finds are paid for, and deal, as families do."""

STANDING = {"greed": 1.0, "last_greed": 0.0, "close": 0.0, "patience": 20}
"""Takes no bid before the last round, and any above its floor there."""
FALLS = (0.0, 0.15)
"""One drop of a wall, as a share of the ask, before it stands."""
CRUMBS = (0.01, 0.03)
"""Steps of one that gives way by crumbs, as shares of the ask."""
FAIR_STEPS, FAIR_FADE = (0.02, 0.1), (0.7, 1.0)
"""First step of an honest seller, and what each further one is of the one before."""


class Kind(NamedTuple):
    """One kind of sellers: those to learn from, and others for checks.

    In games ``as_on_site`` budgets and rounds are the site's; the sellers' floors are their own.
    """

    name: str
    part: Part
    sellers: Sellers
    unseen: Sellers

    @property
    def as_on_site(self) -> bool:
        """Whether the site deals its games; families have goods of all sorts."""
        return self.part != "families"


class Population(NamedTuple):
    """All sellers of a league: by kind, and the families as they are met."""

    kinds: tuple[Kind, ...]
    everybody: Sellers
    unseen: Sellers

    def of_part(self, part: Part) -> list[int]:
        """Return the numbers of the kinds of a part."""
        return [number for number, kind in enumerate(self.kinds) if kind.part == part]


@functools.lru_cache(maxsize=1)
def population(sellers: int, seed: int) -> Population:
    """Draw the sellers of a league; it takes seconds, and comes out the same on every machine."""
    dice = np.random.default_rng([10 * seed, 99])
    each = max(sellers // len(FAMILIES), 10)
    first, second = 10 * seed, 10 * seed + 1
    everybody, unseen = (draw_sellers(FAMILIES, sellers, luck) for luck in (first, second))
    kinds = [
        Kind(
            one.name,
            "families",
            draw_sellers([one], each, first),
            draw_sellers([one], each, second),
        )
        for one in FAMILIES
    ]
    some = np.arange(min(each, everybody.count))
    kinds.append(
        Kind(SHUFFLED, "families",
             *(drawn.shuffled(dice).take(some) for drawn in (everybody, unseen)))
    )  # fmt: skip
    kinds.append(Kind(WIDE, "families", *(draw_wide(FAMILIES, each, dice) for _ in range(2))))
    learned, checked = _path_families()
    kinds += [
        Kind(one.name, "paths", draw_sellers([one], each, first), draw_sellers([two], each, second))
        for one, two in zip(learned, checked, strict=True)
    ]
    floors = kinds[-1].sellers.floor, kinds[-1].unseen.floor
    for name, part, make in (
        ("wall", "walls", _walls),
        ("crumbs", "walls", _crumbs),
        ("line", "honest", _lines),
        ("fading steps", "honest", _fading),
        ("step for step", "honest", _reciprocal),
    ):
        made = (make(_typed(floor, dice), dice) for floor in floors)
        kinds.append(Kind(name, part, *made))  # type: ignore[arg-type]  # a literal in the table
    return Population(tuple(kinds), everybody, unseen)


def _path_families() -> tuple[list[PathFamily], list[PathFamily]]:
    paths = fit_paths()
    parts = (
        [path for place, path in enumerate(paths) if place % CHECKED_PATHS],
        paths[::CHECKED_PATHS],
    )
    learned, checked = (
        [path_family(part, name=name, kept=kept, repeats=repeats)
         for name, kept, repeats in PATH_KINDS]
        for part in parts
    )  # fmt: skip
    return learned, checked


def _typed(floors: Floats, dice: np.random.Generator) -> Floats:
    # As people type them: half as on paths of people, half as the catalogue suggests.
    drawn = dice.choice(floors_of_stock(), len(floors))
    return np.where(dice.random(len(floors)) < 0.5, floors, drawn)


def _walls(floors: Floats, dice: np.random.Generator) -> Sellers:
    falls = dice.uniform(*FALLS, len(floors)) * (dice.random(len(floors)) < 0.8)
    return _on_paths(floors, (1 - falls)[:, None])


def _crumbs(floors: Floats, dice: np.random.Generator) -> Sellers:
    steps = dice.uniform(*CRUMBS, len(floors))[:, None]
    return _on_paths(floors, 1 - steps * np.arange(1, LONGEST + 1))


def _lines(floors: Floats, dice: np.random.Generator) -> Sellers:
    rounds = dice.integers(5, LONGEST + 1, len(floors))[:, None]
    done = np.minimum(np.arange(1, LONGEST + 1) / rounds, 1.0)
    return _on_paths(floors, 1 - (1 - floors)[:, None] * done)


def _fading(floors: Floats, dice: np.random.Generator) -> Sellers:
    steps = dice.uniform(*FAIR_STEPS, len(floors))[:, None]
    fades = dice.uniform(*FAIR_FADE, len(floors))[:, None] ** np.arange(LONGEST)
    return _on_paths(floors, 1 - np.cumsum(steps * fades, axis=1))


def _on_paths(floors: Floats, paths: Floats) -> Sellers:
    asks = np.maximum(paths, floors[:, None])
    return of_manners(
        [
            Manner(floor=float(floor), path=tuple(path.tolist()), **STANDING)  # type: ignore[arg-type]
            for floor, path in zip(floors, asks, strict=True)
        ]
    )


def _reciprocal(floors: Floats, dice: np.random.Generator) -> Sellers:
    return of_manners(
        [
            Manner(floor=float(floor), gap=0.0, mirror=float(mirror), moves=20, hold=0.0,
                   greed=0.9, last_greed=0.0, patience=20, insult=0.0)
            for floor, mirror in zip(floors, dice.uniform(0.8, 1.2, len(floors)), strict=True)
        ]
    )  # fmt: skip


@functools.cache
def floors_of_stock() -> Floats:
    """Return each listing's reservation price in a seller's brief, shares of the list price."""
    return _PART_OF_STREET * np.array(
        [entry.street / entry.list for shelf in read_stock() for entry in shelf.listing]
    )


_PART_OF_STREET = scenarios.RESERVATION_MARGIN * scenarios.COST_SHARE


def as_on_the_site(
    deals: Deals, which: Bools, dice: np.random.Generator, floors: Floats | None = None
) -> Deals:
    """Turn some bargains into ones of the site: its budgets and rounds, no deadline.

    With ``floors`` (shares of the opening ask) the goods are the catalogue's, and reservation
    prices are drawn from these; without, everybody keeps their own.
    """
    count = len(deals.rounds)
    drawn, worth = deals.sellers.floor, dice.uniform(*budgets.WORTH_OF_FLOOR, count)
    if floors is not None:
        drawn = np.minimum(named(dice.choice(floors, count), deals.unit), 1 - deals.unit)
        worth = np.full(count, 1 / _PART_OF_STREET)
    around = budgets.AROUND_WORTH
    low = budgets.LEAST_BUDGET * drawn
    low = np.maximum(low, np.minimum(around[0] * worth * drawn, (low + 1) / 2))
    high = np.maximum(np.minimum(1.0, around[1] * worth * drawn), low)
    where = dice.random(count)
    least, most = budgets.NO_ZONE_BUDGET
    budget = np.where(
        dice.random(count) < budgets.NO_ZONE,
        drawn * (least + (most - least) * where),
        low + (high - low) * where,
    )
    return replace(
        deals,
        sellers=deals.sellers.with_floor(np.where(which, drawn, deals.sellers.floor)),
        rounds=np.where(which, scenarios.MAX_ROUNDS, deals.rounds),
        budget=np.where(which, budget, deals.budget),
        deadline=np.where(which, NO_DEADLINE, deals.deadline),
    )


def deal_kind(
    kind: Kind, count: int, dice: np.random.Generator, blind: float, *, unseen: bool = False
) -> Deals:
    """Draw games with sellers of a kind."""
    deals = deal_many(kind.unseen if unseen else kind.sellers, count, dice, blind)
    which = np.full(count, kind.as_on_site)
    return as_on_the_site(deals, which, dice) if kind.as_on_site else deals


class Groups:
    """The sellers of a league by kind, and the weights of the kinds in each part."""

    def __init__(self, config: LeagueConfig) -> None:
        self._config = config
        self.population = population(config.sellers, config.seed)
        self.kinds = self.population.kinds
        self.names = tuple(kind.name for kind in self.kinds)
        self.rules: Floats = np.zeros(len(self.kinds))
        self.shares: Floats = np.zeros(len(self.kinds))
        self.weights: Floats = np.zeros(len(self.kinds))
        for part in PARTS:
            numbers = self.population.of_part(part)
            self.weights[numbers] = 1 / len(numbers)

    def deal(
        self, count: int, dice: np.random.Generator, found: Sequence[Sellers] = ()
    ) -> tuple[Deals, Ints]:
        """Draw games, a part of them with each part of the league; and which part each is of.

        Sellers who were ``found`` by a search get games of their own beside these.
        """
        count -= sum(one.count for one in found)
        drawn = [self._draw(part, int(getattr(self._config, part) * count), dice) for part in PARTS]
        places = [*range(len(PARTS)), *(FOUND for _ in found)]
        pools = [*drawn, *found]
        pool = joined(pools)
        of = np.repeat(places, [one.count for one in pools])
        deals = deal_many(pool, pool.count, dice, self._config.blind, drawn=False)
        is_family = of == PARTS.index("families")
        by_catalogue = is_family & (dice.random(len(of)) < self._config.site)
        deals = as_on_the_site(deals, by_catalogue, dice, floors_of_stock())
        return as_on_the_site(deals, ~is_family, dice), of

    def _draw(self, part: Part, count: int, dice: np.random.Generator) -> Sellers:
        numbers = self.population.of_part(part)
        kinds = [self.kinds[number].sellers for number in numbers]
        by_weight = int(self._config.robust * count) if part == "families" else count
        weights = self.weights[numbers] / self.weights[numbers].sum()
        each = dice.multinomial(by_weight, weights)
        parts = [
            kind.take(dice.integers(0, kind.count, number))
            for kind, number in zip(kinds, each, strict=True)
        ]
        if part != "families":
            return joined(parts)
        everybody = self.population.everybody
        rest = everybody.take(dice.integers(0, everybody.count, count - by_weight))
        return self._some_proud(joined([*parts, rest]), dice)

    def _some_proud(self, drawn: Sellers, dice: np.random.Generator) -> Sellers:
        proud = self.kinds[self.names.index(PROUD)].sellers
        which = dice.random(drawn.count) < self._config.touchy
        models = proud.take(dice.integers(0, proud.count, drawn.count))
        first, second = drawn.first.copy(), drawn.second.copy()
        for name in OF_PRIDE:
            place = PLACE[name]
            for rows in (first, second):
                rows[place] = np.where(which, models.first[place], rows[place])
        return replace(drawn, first=first, second=second)

    def weigh(self, shares: Sequence[float]) -> None:
        """Shift weight to the kinds where the buyer, as measured, is behind the best rule."""
        self.shares = np.array(shares)
        behind = (self.rules - self.shares) / np.maximum(self.rules, 0.05)
        for part in ("families", "paths"):
            numbers = self.population.of_part(part)
            weights = self.weights[numbers] * np.exp(self._config.shift * behind[numbers])
            # Nobody is forgotten: each kind keeps a part of an even share.
            self.weights[numbers] = 0.8 * weights / weights.sum() + 0.2 / len(numbers)


def paid(games: Games, of: Ints, config: LeagueConfig) -> Floats:
    """Return what finished games were worth, by the part of the league that each is of.

    The share of the zone, and ``deal`` for a deal. A wall's own share is taken off ``wall`` times,
    so that what it would take by standing is given to nobody; from an honest seller no more than
    ``fair`` of the zone is worth having.
    """
    worth = games.worth(config.deal, config.hurry)
    share = games.worth()
    made = ~np.isnan(games.price) & (games.deals.zone > 0)
    taken = np.where(made, 1 - share, 0.0)
    against = share - config.wall * taken
    fair = np.minimum(share, config.fair) + config.deal * made - config.hurry * games.ended
    found: Floats = np.select(
        [of == PARTS.index("walls"), of == PARTS.index("honest")], [against, fair], worth
    )
    return found
