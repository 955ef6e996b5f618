"""What a network makes of horizon, deadline and tells: the same games, the same luck, told less."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from agents.buyers.network import Network
from agents.buyers.positions import Floats, Positions
from bazaarbatna.bargain.people.dealing import ROUNDS
from bazaarbatna.bargain.people.families import Family
from bazaarbatna.envs.bargain.people.games import Deals, deal_many
from bazaarbatna.envs.bargain.people.sellers import Sellers, draw_sellers
from bazaarbatna.intervals import Interval
from bazaarbatna.players.simple import HALVER_OPEN_OF_ASK
from training.receipts.tables import Horizon
from training.stages.league.outcomes import RULES, Bid, by, halve, played_out

POOL = 20_000
FIRST_DEADLINE = 4  # Buyers have deadlines in games of as many rounds or more
NO_DEADLINE = 10 * ROUNDS[1]
Z = 1.96  # Of a 95 % interval, by the normal approximation
DEALT, LUCK, DUE, OTHERS, OTHERS_LUCK = range(1, 6)  # Streams of luck of one horizon


def horizons(
    network: Network, families: tuple[Family, ...], games: int, seed: int
) -> Iterator[Horizon]:
    """Play games of every horizon of the population, each several times over."""
    pool = draw_sellers(families, POOL, 3_000 + seed)
    for rounds in range(ROUNDS[0], ROUNDS[1] + 1):
        yield _horizon(network, pool, games, rounds, partial(_dice, seed, rounds))


def _dice(seed: int, rounds: int, stream: int) -> np.random.Generator:
    return np.random.default_rng([seed, rounds, stream])


def _horizon(
    network: Network,
    pool: Sellers,
    games: int,
    rounds: int,
    dice: Callable[[int], np.random.Generator],
) -> Horizon:
    deals = with_rounds(deal_many(pool, games, dice(DEALT)), rounds)
    others = with_rounds(deal_many(pool, games, dice(OTHERS)), rounds)
    line = _best_line(others, partial(dice, OTHERS_LUCK))
    halver = partial(halve, opening=HALVER_OPEN_OF_ASK)
    as_is, by_halver, by_line, without_tells = (
        worth(deals, bid, dice(LUCK))
        for bid in (by(network), halver, line, by(network, untold_tells))
    )
    deadline = None
    if rounds >= FIRST_DEADLINE:
        hurried = with_deadlines(deals, dice(DUE))
        told, untold = (
            worth(hurried, bid, dice(LUCK)) for bid in (by(network), by(network, untold_deadline))
        )
        deadline = _mean(told - untold)
    return Horizon(
        rounds=rounds,
        network=_mean(as_is),
        halver=_mean(by_halver),
        line=_mean(by_line),
        over_halver=_mean(as_is - by_halver),
        over_line=_mean(as_is - by_line),
        tells=_mean(as_is - without_tells),
        deadline=deadline,
    )


def with_rounds(deals: Deals, rounds: int) -> Deals:
    """Return deals with as many rounds each, and no deadline."""
    count = len(deals.rounds)
    return replace(deals, rounds=np.full(count, rounds), deadline=np.full(count, NO_DEADLINE))


def with_deadlines(deals: Deals, dice: np.random.Generator) -> Deals:
    """Return deals with a deadline each, drawn as the population's hurried buyers have it."""
    due = 2 + np.floor(dice.random(len(deals.rounds)) * (deals.rounds - 2)).astype(int)
    return replace(deals, deadline=due)


def worth(deals: Deals, bid: Bid, dice: np.random.Generator) -> Floats:
    """Return what each winnable game brought: the share, half of it after the deadline."""
    found: Floats = played_out(deals, bid, dice).worth()[deals.zone > 0]
    return found


def untold_tells(seen: Positions) -> Positions:
    """Take away what was noticed."""
    return replace(seen, signals=np.full_like(seen.signals, np.nan))


def untold_deadline(seen: Positions) -> Positions:
    """Take away the deadline."""
    return replace(seen, deadline=np.full_like(seen.deadline, NO_DEADLINE))


def _best_line(deals: Deals, dice: Callable[[], np.random.Generator]) -> Bid:
    return max(RULES.values(), key=lambda rule: float(worth(deals, rule, dice()).mean()))


def _mean(values: Floats) -> Interval:
    mean, error = float(values.mean()), float(values.std() / len(values) ** 0.5)
    return Interval(*(round(one, 4) for one in (mean, mean - Z * error, mean + Z * error)))
