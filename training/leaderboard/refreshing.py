"""Computing the tables anew: where the bargains come from, and whether anything has changed."""

import gzip
import hashlib
from collections.abc import Iterator, Sequence

from training.evaluation.folder import PACKED
from training.evaluation.published import Published, newest
from training.evaluation.rows import EpisodeRow, from_line
from training.leaderboard import policy_table, sparring
from training.leaderboard.models import PersonalGame
from training.leaderboard.people import collect_all, rate_people
from training.leaderboard.policy_table import rate_policies
from training.leaderboard.tables import Name, Player, store, stored
from training.models import Run
from training.runs import lifecycle


def refresh_policies() -> bool:
    """Rate the policies of the newest published evaluation, unless that is done.

    Raises:
        OSError: the bargains of the evaluation cannot be read.
    """
    published = newest()
    if published is None:
        return False
    found = policy_table.results(published)
    source = source_of(published, found)
    if is_fresh("policies", source):
        return False
    players = {
        one.policy: Player(key=one.policy, kind="policy", title=one.title, version=one.version)
        for one in published.rows
    }
    beside = [
        (policy_table.player_of(bot), distance)
        for bot in found
        if (distance := policy_table.distance_of(bot, published)) is not None
    ]
    store("policies", rate_policies(players, bargains_of(published.run), beside), source)
    return True


def refresh_people() -> bool:
    """Judge the games that ended since, and rate the people on the board, unless that is done."""
    collect_all()
    games = PersonalGame.objects.filter(why_not="").exclude(person__name="").order_by("pk")
    numbers = list(games.values_list("pk", flat=True))
    bouts, payoffs = sparring.payoffs()
    source = f"{len(numbers)} games up to {numbers[-1] if numbers else 0} {bouts}".strip()
    if is_fresh("people", source):
        return False
    store("people", rate_people(games, payoffs), source)
    return True


def source_of(published: Published, found: Sequence[policy_table.BotResult]) -> str:
    """Name what the table of policies is made from."""
    marks = hashlib.sha256(" ".join(sorted(bot.mark for bot in found)).encode()).hexdigest()[:16]
    return f"{published.run} {published.published_at.isoformat()} {marks}"


def is_fresh(name: Name, source: str) -> bool:
    """Whether the stored table was made from this."""
    known = stored(name)
    return known is not None and known[1].made_from == source


def bargains_of(run_id: str) -> Iterator[EpisodeRow]:
    """Read the bargains of a published run.

    Raises:
        OSError: its file is gone.
    """
    path = lifecycle.folder_of(Run.objects.get(pk=run_id)) / PACKED
    with gzip.open(path, "rb") as lines:
        yield from map(from_line, lines)
