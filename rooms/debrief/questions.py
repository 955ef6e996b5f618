"""Four questions to talk about, chosen by rule from what happened; their words are in TOML."""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

import msgspec
from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import other
from bazaarbatna.money import rupees_text
from rooms.debrief.figures import (
    Totals,
    best_walk,
    concessions,
    first_bids,
    fit_of,
    missed_in,
    totals_of,
)
from rooms.debrief.games import SIDES, FinishedGame, currency_of
from rooms.debrief.plot import percent

MOST = 4


class Rule(msgspec.Struct, frozen=True):
    """A question and when it is asked: the fact ``when`` must be at least ``least``."""

    when: str
    text: str
    least: float = 1.0


class Fact(msgspec.Struct, frozen=True):
    """What happened: how much of it, what a question may name of it, and a game that shows it."""

    amount: float
    words: dict[str, str] = {}
    game: FinishedGame | None = None


class Question(msgspec.Struct, frozen=True):
    """A question in the language of the page, and a game to look at."""

    text: str
    game: FinishedGame | None


RULES: tuple[Rule, ...] = msgspec.convert(
    tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["question"],
    tuple[Rule, ...],
)
"""In the order in which they are wanted."""


def questions_of(games: Sequence[FinishedGame]) -> list[Question]:
    """Return the first four questions whose facts hold in this room."""
    facts = facts_of(games)
    asked = []
    for rule in RULES:
        fact = facts.get(rule.when)
        if fact is not None and fact.amount >= rule.least:
            asked.append(Question(gettext(rule.text).format(**fact.words), fact.game))
    return asked[:MOST]


def facts_of(games: Sequence[FinishedGame]) -> dict[str, Fact]:
    """Gather what can be said of a room's finished games."""
    counted = [game for game in games if not game.is_broken_off]
    if not counted:
        return {}
    totals, currency = totals_of(counted), currency_of(counted)
    deals = [game for game in counted if game.is_deal]
    return {
        "games": Fact(len(counted)),
        "deals": Fact(len(deals)),
        **_ends(counted, totals, currency),
        **(_splits(deals) if deals else {}),
        **_paces(deals),
        **_houses(deals),
    }


def _ends(games: Sequence[FinishedGame], totals: Totals, currency: str) -> dict[str, Fact]:
    facts = {}
    missed = missed_in(games)
    if missed:
        dearest = missed[0].game
        words = {
            "count": str(len(missed)),
            "cost": rupees_text(totals.lost, currency),
            "number": str(dearest.number),
            "zone": rupees_text(dearest.zone, dearest.currency),
        }
        facts["missed"] = Fact(len(missed), words, dearest)
    walk = best_walk(games)
    if walk is not None:
        told = {
            "number": str(walk.game.number),
            "price": rupees_text(walk.price, walk.game.currency),
            "limit": rupees_text(walk.limit, walk.game.currency),
        }
        close = 1 - walk.beyond / walk.limit
        facts[f"right_walk_{walk.side}"] = Fact(close, told, walk.game)
    right = [game for game in games if game.is_rightly_left]
    if right:
        told = {"count": str(len(right)), "number": str(right[0].number)}
        facts["rightly_left"] = Fact(len(right), told, right[0])
    return facts


def _splits(deals: Sequence[FinishedGame]) -> dict[str, Fact]:
    low, high = (pick(deals, key=lambda game: game.place) for pick in (min, max))
    mean = fmean(game.place for game in deals)
    apart = {
        "low": percent(low.place),
        "high": percent(high.place),
        "first": str(low.number),
        "second": str(high.number),
    }
    even = [game for game in deals if abs(game.place - 0.5) <= 0.05]
    facts = {
        "apart": Fact(high.place - low.place, apart, high),
        "even": Fact(len(even) / len(deals), {"count": str(len(even)), "of": str(len(deals))}),
    }
    if len(deals) > 2:
        facts["sellers_ahead"] = Fact(mean, {"share": percent(mean)}, high)
        facts["buyers_ahead"] = Fact(1 - mean, {"share": percent(1 - mean)}, low)
    fit = fit_of([(x, y) for _, x, y in first_bids(deals)])
    if fit is not None and fit.is_sure:
        boldest = min(first_bids(deals), key=lambda point: point[1])
        told = {"bid": percent(boldest[1]), "number": str(boldest[0].number)}
        facts["bids_go_along"] = Fact(fit.r, told, boldest[0])
    return facts


def _paces(deals: Sequence[FinishedGame]) -> dict[str, Fact]:
    facts = {}
    late = [game for game in deals if game.rounds >= game.max_rounds - 1 > 1]
    quick = [game for game in deals if game.rounds <= 2]
    for name, found in (("late", late), ("quick", quick)):
        if found:
            told = {"count": str(len(found)), "of": str(len(deals)), "number": str(found[0].number)}
            facts[name] = Fact(len(found), told, found[0])
    biggest = _biggest_step(deals)
    if biggest is not None:
        game, step, number = biggest
        told = {
            "number": str(game.number),
            "round": str(number),
            "step": rupees_text(round(step * game.anchor), game.currency),
        }
        facts["step"] = Fact(step, told, game)
    return facts


def _biggest_step(deals: Sequence[FinishedGame]) -> tuple[FinishedGame, float, int] | None:
    steps = [
        (game, step, number)
        for game in deals
        if game.seller.is_person
        for number, step in concessions(game, "seller")
    ]
    key: Callable[[tuple[FinishedGame, float, int]], float] = lambda one: one[1]  # noqa: E731
    return max(steps, key=key, default=None)


def _houses(deals: Sequence[FinishedGame]) -> dict[str, Fact]:
    own = [
        game.share(side)
        for game in deals
        for side in SIDES
        if game.chair(side).is_person and game.chair(other(side)).house
    ]
    if not own:
        return {}
    return {"house": Fact(len(own), {"share": percent(fmean(own)), "count": str(len(own))})}
