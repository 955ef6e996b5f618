"""Bots on the board: rated by their distance from the house's players on their own sealed seeds."""

import datetime as dt
from collections.abc import Iterator
from functools import lru_cache

import msgspec
import numpy as np

from training.bots.models import RUN_KIND, Play
from training.bots.results import stored_rows
from training.evaluation.plan import SuiteFact
from training.evaluation.published import Published
from training.evaluation.rows import EpisodeRow
from training.evaluation.summary import PolicyResult, Summary
from training.leaderboard.house_table import payoffs_of
from training.leaderboard.rating.fit import fit
from training.leaderboard.rating.games import design_of
from training.leaderboard.rating.points import MIDDLE, Distance, less_average, ratings_of
from training.leaderboard.tables import Player
from training.models import Run


class BotResult(msgspec.Struct, frozen=True):
    """A bot's newest published play, against the sellers of the published evaluation."""

    play: Play
    result: PolicyResult
    verified: bool

    @property
    def mark(self) -> str:
        """What the result is told apart by."""
        return f"{self.play.pk}{'+' if self.verified else '-'}"


def results(published: Published) -> list[BotResult]:
    """List the newest play of every bot that may stand beside an evaluation.

    A play against other suites or other versions of a seller stays out, and so does a bot that
    was withdrawn.
    """
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
    """Give a bot as the board knows it; only a verified one is ranked."""
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
    """Measure how far a bot lies from the house's players on the same games.

    Returns:
        None where none of those players has the version that is in the table.
    """
    # Read anew: the play itself is kept in memory, and its bargains are 100 kB and more.
    rows = stored_rows(Play.objects.only("rows").get(pk=bot.play.pk))
    versions = {one.policy: one.version for one in published.rows}
    house = sorted(_house(rows, versions))
    payoffs = [payoff for row in rows for payoff in payoffs_of(row)]
    if not house or not any(one.player == bot.result.policy for one in payoffs):
        return None
    rated = ratings_of(fit(design_of(payoffs)), [bot.result.policy], less_average(house))
    return Distance(
        player=bot.result.policy,
        against=tuple(house),
        points=rated.ratings[0].points - MIDDLE,
        variance=float(np.diag(rated.covariance)[0]),
    )


def _house(rows: tuple[EpisodeRow, ...], versions: dict[str, str]) -> Iterator[str]:
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
    """Read a play once for every state that it can be in: summaries are large."""
    play = Play.objects.select_related("run", "bot").defer("rows").get(pk=play_id)
    if not play.run.summary:
        return None
    summary = msgspec.convert(play.run.summary, Summary)
    own = next(one for one in summary.policies if one.policy == play.bot.policy)
    return BotResult(play, own, verified_at is not None)
