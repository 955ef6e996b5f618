"""The table of policies: ratings from the bargains of an evaluation, and of bots beside it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from training.evaluation.rows import EpisodeRow
from training.leaderboard.rating.fit import Fit, fit
from training.leaderboard.rating.games import Payoff, design_of
from training.leaderboard.rating.points import Distance, beside, less_average, ratings_of
from training.leaderboard.tables import Place, Player, Table, places_of


class MixedSellers(ValueError):
    """The bargains of one suite were played against two versions of its seller."""


def rate_policies(
    players: Mapping[str, Player],
    rows: Iterable[EpisodeRow],
    bots: Sequence[tuple[Player, Distance]] = (),
) -> Table:
    """Rate policies by their bargains, and the pinned sellers by what those left to them.

    Args:
        players: by the policy's name in the rows; their average has ``MIDDLE`` points.
        rows: their bargains.
        bots: who stands beside them, and how far from some of them.

    Raises:
        MixedSellers: two versions of a seller would stand in one table.
        ValueError: there is no winnable bargain.
    """
    sellers: dict[str, str] = {}
    payoffs: list[Payoff] = []
    for row in rows:
        if sellers.setdefault(row.suite, row.seller) != row.seller:
            raise MixedSellers(
                f"In {row.suite} some met {sellers[row.suite]} and some {row.seller}; a table "
                "never mixes versions of a seller."
            )
        payoffs += payoffs_of(row)
    fitted, games = fit(design_of(payoffs)), Counter(one.player for one in payoffs)
    rated = [_counted(player, games) for player in players.values() if games[player.key]]
    keys = [one.key for one in rated]
    ratings = beside(
        ratings_of(fitted, keys, less_average(keys)), [distance for _, distance in bots]
    )
    places = places_of([*rated, *(bot for bot, _ in bots)], ratings)
    return Table(places, _sellers(sellers, fitted, games), len(payoffs))


def payoffs_of(row: EpisodeRow) -> Iterator[Payoff]:
    """Give what both sides got out of a bargain; nothing where there was nothing to win."""
    if row.surplus is None:
        return
    left = 0.0 if row.price is None else 1 - row.surplus
    cluster = f"{row.suite}/{row.seed}"
    yield Payoff(row.policy, ((row.seller, 1.0),), f"{row.suite} buyer", row.surplus, cluster)
    yield Payoff(row.seller, ((row.policy, 1.0),), f"{row.suite} seller", left, cluster)


def _sellers(sellers: dict[str, str], fitted: Fit, games: Counter[str]) -> tuple[Place, ...]:
    labels = sorted(set(sellers.values()))
    rated = [
        _counted(Player(key=label, kind="seller", title=label, version=label, seat="seller"), games)
        for label in labels
    ]
    return places_of(rated, ratings_of(fitted, labels, less_average(labels)))


def _counted(player: Player, games: Counter[str]) -> Player:
    return msgspec.structs.replace(player, games=games[player.key])
