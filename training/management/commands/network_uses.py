"""``manage.py network_uses``: what the network makes of horizon, deadline and tells."""

from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from django.core.management.base import BaseCommand, CommandError

from agents.buyers.halver import HALF, MOST_MOVES, OPEN_OF_ASK, SMALL_GAP
from agents.buyers.network.buyer import network_in, shipped_network
from agents.buyers.network.choices import prices
from agents.buyers.network.features import Floats, Positions, features, positions_of
from agents.buyers.network.network import Network
from negotiation.engine.people.dealing import ROUNDS
from negotiation.engine.people.suites import people_suite, people_suite_ids
from negotiation.environment.people.games import Deals, Games, deal_many
from negotiation.environment.people.sellers import draw_sellers
from training.code_version import code_version
from training.stages.league.groups import ENDS, OPENINGS, climb

POOL = 20_000
Z = 1.96
"""Of a 95 % interval."""

Bid = Callable[[Games], Floats]


class Mean(msgspec.Struct, frozen=True):
    """A mean over games with its 95 % interval, by the normal approximation."""

    mean: float
    low: float
    high: float


class Command(BaseCommand):
    """Plays the same games with the same luck, with and without what the buyer may know."""

    help = "Measure by horizon what the shipped network keeps, and what it uses (docs/league.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read where, and how much."""
        parser.add_argument("--suite", default="people-held-out@1")
        parser.add_argument("--games", type=int, default=8_000, help="of each horizon")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--table", type=Path, help="also write the rows as JSON here")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play and print."""
        suite = people_suite(options["suite"])
        if suite is None:
            known = ", ".join(people_suite_ids())
            raise CommandError(f"There is no suite {options['suite'][:60]!r}. Known: {known}.")
        if options["games"] < 100:
            raise CommandError("--games is at least 100.")
        network, card = network_in(shipped_network())
        pool = draw_sellers(suite.families, POOL, 3_000 + options["seed"])
        rows = []
        self.stdout.write(
            "rounds  network  halver  line   over line  tells: on - off  deadline: told - untold"
        )
        for rounds in range(ROUNDS[0], ROUNDS[1] + 1):
            luck = [options["seed"], rounds]
            deals = deal_many(pool, options["games"], np.random.default_rng([*luck, 1]))
            deals = _with_rounds(deals, rounds)

            def worth(bid: Bid, deals: Deals = deals, luck: list[int] = luck) -> Floats:
                return _worth(deals, bid, np.random.default_rng([*luck, 2]))

            asis = worth(_by(network))
            row = {
                "rounds": rounds,
                "network": _mean(asis),
                "halver": _mean(worth(_halver)),
                "tells": _mean(asis - worth(_by(network, _without_tells))),
            }
            others = _with_rounds(
                deal_many(pool, options["games"], np.random.default_rng([*luck, 4])), rounds
            )
            line = _best_line(others, partial(np.random.default_rng, [*luck, 5]))
            row |= {
                "line": _mean(worth(line)),
                "over_halver": _mean(asis - worth(_halver)),
                "over_line": _mean(asis - worth(line)),
            }
            if rounds >= 4:
                told = _with_deadline(deals, np.random.default_rng([*luck, 3]))
                row["deadline"] = _mean(
                    worth(_by(network), told) - worth(_by(network, _without_deadline), told)
                )
            rows.append(row)
            self.stdout.write(_line(row))
        if options["table"]:
            told_all = {"suite": suite.id, "games": options["games"], "seed": options["seed"],
                        "network": card.digest, "commit": code_version(), "rows": rows}  # fmt: skip
            options["table"].write_bytes(
                msgspec.json.format(msgspec.json.encode(told_all), indent=1) + b"\n"
            )


def _with_rounds(deals: Deals, rounds: int) -> Deals:
    count = len(deals.rounds)
    nobody = np.full(count, 10 * ROUNDS[1])
    return replace(deals, rounds=np.full(count, rounds), deadline=nobody)


def _with_deadline(deals: Deals, dice: np.random.Generator) -> Deals:
    """Give every buyer a deadline of its own, as the fifth of them has that is hurried."""
    rounds = deals.rounds
    return replace(
        deals, deadline=2 + np.floor(dice.random(len(rounds)) * (rounds - 2)).astype(int)
    )


def _worth(deals: Deals, bid: Bid, dice: np.random.Generator) -> Floats:
    """Return what each winnable game brought: the share, half of it after the deadline."""
    games = Games(deals, dice)
    while games.live.any():
        games.step(bid(games))
    found: Floats = games.worth()[deals.zone > 0]
    return found


def _by(network: Network, shown: Callable[[Positions], Positions] = lambda seen: seen) -> Bid:
    def bid(games: Games) -> Floats:
        seen = positions_of(games)
        chosen = network.scores(features(shown(seen))).argmax(axis=1)
        found: Floats = prices(seen)[np.arange(len(chosen)), chosen]
        return found

    return bid


def _without_tells(seen: Positions) -> Positions:
    return replace(seen, signals=np.full_like(seen.signals, np.nan))


def _without_deadline(seen: Positions) -> Positions:
    return replace(seen, deadline=np.full_like(seen.deadline, 10 * ROUNDS[1]))


def _halver(games: Games) -> Floats:
    """Bid as ``rules:halver`` does."""
    ask, budget = games.ask, games.deals.budget
    if games.round == 1:
        return np.asarray(OPEN_OF_ASK * ask)
    last = games.bids[:, games.round - 2]
    bid = last + HALF * (ask - last) if games.round <= MOST_MOVES + 1 else last
    takes = (ask - bid <= SMALL_GAP * ask) | (games.round >= games.deals.rounds)
    found: Floats = np.where(takes & (ask <= budget), ask, bid)
    return found


def _best_line(deals: Deals, dice: Callable[[], np.random.Generator]) -> Bid:
    """Choose the straight line that keeps most of these games."""
    lines = [partial(climb, opening=opening, end=end) for opening in OPENINGS for end in ENDS]
    return max(lines, key=lambda line: float(_worth(deals, line, dice()).mean()))


def _mean(values: Floats) -> Mean:
    mean, error = float(values.mean()), float(values.std() / len(values) ** 0.5)
    return Mean(*(round(one, 4) for one in (mean, mean - Z * error, mean + Z * error)))


def _line(row: dict[str, Any]) -> str:
    def gap(one: Mean | None) -> str:
        return "" if one is None else f"{one.mean:+.3f} [{one.low:+.3f}, {one.high:+.3f}]"

    shares = "  ".join(f"{row[name].mean:.3f}" for name in ("network", "halver", "line"))
    gaps = "  ".join(gap(row.get(name)) for name in ("over_line", "tells", "deadline"))
    return f"{row['rounds']:>6}  {shares}  {gaps}"
