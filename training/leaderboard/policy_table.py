"""The table of policies: ratings from the bargains of an evaluation, and of bots beside it."""

import datetime as dt
import gzip
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec
import numpy as np

from training.bots.models import RUN_KIND, Play
from training.bots.results import stored_rows
from training.evaluation.folder import PACKED
from training.evaluation.plan import SuiteFact
from training.evaluation.published import Published
from training.evaluation.published import newest as newest_published
from training.evaluation.rows import EpisodeRow, from_line
from training.evaluation.summary import PolicyResult, Summary
from training.leaderboard.lines import Place, Player, Table, is_fresh, places_of, store
from training.leaderboard.rating import (
    MIDDLE,
    Distance,
    Fit,
    Payoff,
    beside,
    design_of,
    fit,
    less_average,
    ratings_of,
)
from training.models import Run
from training.runs import lifecycle


class MixedSellers(ValueError):
    """The bargains of one suite were played against two versions of its seller."""


class BotResult(msgspec.Struct, frozen=True):
    """A bot's newest published play, against the sellers of the published evaluation."""

    play: Play
    result: PolicyResult
    verified: bool

    @property
    def mark(self) -> str:
        """What the result is told apart by."""
        return f"{self.play.pk}{'+' if self.verified else '-'}"


def refresh_policies() -> bool:
    """Rate the policies of the newest published evaluation, unless that is done; OSError."""
    published = newest_published()
    if published is None:
        return False
    found = results(published)
    source = source_of(published, found)
    if is_fresh("policies", source):
        return False
    players = {
        one.policy: Player(key=one.policy, kind="policy", title=one.title, version=one.version)
        for one in published.rows
    }
    beside_them = [
        (player_of(bot), distance)
        for bot in found
        if (distance := distance_of(bot, published)) is not None
    ]
    store("policies", rate_policies(players, bargains_of(published.run), beside_them), source)
    return True


def source_of(published: Published, found: Sequence[BotResult]) -> str:
    """Name what the table of policies is made from."""
    marks = hashlib.sha256(" ".join(sorted(bot.mark for bot in found)).encode()).hexdigest()[:16]
    return f"{published.run} {published.published_at.isoformat()} {marks}"


def bargains_of(run_id: str) -> Iterator[EpisodeRow]:
    """Read the bargains of a published run; ``OSError`` where its file is gone."""
    path = lifecycle.folder_of(Run.objects.get(pk=run_id)) / PACKED
    with gzip.open(path, "rb") as lines:
        yield from map(from_line, lines)


def rate_policies(
    players: Mapping[str, Player],
    rows: Iterable[EpisodeRow],
    bots: Sequence[tuple[Player, Distance]] = (),
) -> Table:
    """Rate policies by their bargains, and the pinned sellers by what those left to them.

    The average of ``players`` (by the policy's name in the rows) has ``MIDDLE`` points; ``bots``
    stand so far from some of them.

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


def results(published: Published) -> list[BotResult]:
    """List the newest play of every bot that stands and met the same suites and sellers."""
    shown = (
        Play.objects.filter(
            run__kind=RUN_KIND,
            run__status=Run.Status.DONE,
            run__published_at__isnull=False,
            bot__withdrawn_at__isnull=True,
        )
        .order_by("-run__published_at", "-pk")
        .values_list("bot_id", "pk", "run__published_at", "verified_at")
    )
    newest: dict[str, tuple[str, dt.datetime, dt.datetime | None]] = {}
    for bot, play, published_at, verified_at in shown:
        if published_at is not None:
            newest.setdefault(bot, (play, published_at, verified_at))
    found = (_result(*mark) for mark in newest.values())
    return [one for one in found if one is not None and _is_alike(one.play, published)]


def player_of(bot: BotResult) -> Player:
    """Return a bot as the board knows it; only a verified one is ranked."""
    return Player(
        key=bot.result.policy,
        kind="bot",
        title=bot.play.bot.name,
        version=bot.result.version,
        verified=bot.verified,
        is_ranked=bot.verified,
        games=bot.result.mean.winnable,
    )


def distance_of(bot: BotResult, published: Published) -> Distance | None:
    """Measure a bot against the site's players on the same games; None if their version is gone."""
    # Read anew: the play itself is kept in memory, and its bargains are 100 kB and more.
    rows = stored_rows(Play.objects.only("rows").get(pk=bot.play.pk))
    versions = {one.policy: one.version for one in published.rows}
    known = sorted(_known(rows, versions))
    payoffs = [payoff for row in rows for payoff in payoffs_of(row)]
    if not known or not any(one.player == bot.result.policy for one in payoffs):
        return None
    rated = ratings_of(fit(design_of(payoffs)), [bot.result.policy], less_average(known))
    return Distance(
        player=bot.result.policy,
        against=tuple(known),
        points=rated.ratings[0].points - MIDDLE,
        variance=float(np.diag(rated.covariance)[0]),
    )


def payoffs_of(row: EpisodeRow) -> Iterator[Payoff]:
    """Return what both sides got out of a bargain; nothing where there was nothing to win."""
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


def _known(rows: tuple[EpisodeRow, ...], versions: dict[str, str]) -> Iterator[str]:
    known = {(row.policy, row.policy_version) for row in rows}
    yield from (name for name, version in known if versions.get(name) == version)


def _is_alike(play: Play, published: Published) -> bool:
    pinned = {(one.id, one.seller, one.fingerprint) for one in published.made.suites}
    suites = msgspec.convert(play.run.config["suites"], tuple[SuiteFact, ...])
    return {(one.id, one.seller, one.fingerprint) for one in suites} == pinned


@lru_cache(maxsize=500)
def _result(
    play_id: str, published_at: dt.datetime, verified_at: dt.datetime | None
) -> BotResult | None:
    # Once for every state that a play can be in: summaries are large.
    play = Play.objects.select_related("run", "bot").defer("rows").get(pk=play_id)
    if not play.run.summary:
        return None
    summary = msgspec.convert(play.run.summary, Summary)
    own = next(one for one in summary.policies if one.policy == play.bot.policy)
    return BotResult(play, own, verified_at is not None)
