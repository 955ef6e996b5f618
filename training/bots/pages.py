"""What the pages and the API say of a bot and its plays."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from django.db.models import QuerySet
from django.utils.translation import gettext

from negotiation.sentences import sentences
from training.bots import plays, verification
from training.bots.models import Bot, Play
from training.evaluation.summary import Card, PolicyResult, Summary
from training.evaluation.summing import MEAN
from training.models import Run
from training.receipts.figures import SHARE, Gap, gap_of, reach

say = sentences(__file__)

STATES: dict[str, str] = {
    Run.Status.QUEUED: say.text("waits_for_its_turn"),
    Run.Status.RUNNING: say.text("is_playing"),
    Run.Status.INTERRUPTED: say.text("was_interrupted"),
    Run.Status.DONE: say.text("has_played"),
    Run.Status.FAILED: say.text("has_stopped"),
    Run.Status.CANCELLED: say.text("was_stopped_by_its_owner"),
}


class SuiteLine(msgspec.Struct, frozen=True):
    """A suite in the table: the bot's card, and how far it lies above Sauda on the same games."""

    title: str
    card: Card
    above_sauda: Gap | None


class Versus(msgspec.Struct, frozen=True):
    """A player of the site on the bot's games: its mean, and the bot's minus its."""

    title: str
    mean: Card
    gap: Gap | None


class Result(msgspec.Struct, frozen=True):
    """A play that was summed up."""

    mean: Card
    suites: tuple[SuiteLine, ...]
    versus: tuple[Versus, ...]
    method: str


class PlayLine(msgspec.Struct, frozen=True):
    """A play as a page shows it."""

    id: str
    number: int
    state: str
    at_work: bool
    can_stop: bool
    done: int
    total: int
    note: str
    began_at: dt.datetime
    commitment: str
    key: str | None
    verified: bool
    checked: str
    failures: tuple[tuple[str, int], ...]
    answers: int
    mean: Card | None

    @property
    def percent(self) -> int:
        """How much of it is done."""
        return round(100 * self.done / self.total) if self.total else 0


def _play_line(play: Play, number: int) -> PlayLine:
    run = play.run
    counted = dict(play.counts)
    answers = int(counted.pop("answers", 0))
    is_checking = plays.awaits_check(play)
    return PlayLine(
        id=run.pk,
        number=number,
        state=say("is_being_checked") if is_checking else gettext(STATES[run.status]),
        at_work=run.is_at_work or is_checking,
        can_stop=run.is_at_work,
        done=run.done,
        total=run.total,
        note=run.note,
        began_at=run.created_at,
        commitment=play.commitment,
        key=play.key if play.opened_at else None,
        verified=play.is_verified,
        checked=verification.in_words(play.agreement) if play.card else "",
        failures=tuple((code, int(n)) for code, n in sorted(counted.items())),
        answers=answers,
        mean=msgspec.convert(play.card, Card) if play.card else None,
    )


def result_of(play: Play) -> Result | None:
    """Return the tables of a play; None before it was summed up."""
    if not play.card:
        return None
    summary = _summary(play.run)
    own = _own(summary, play.bot)
    above = {
        (one.second, one.suite): one.share_of_winnable
        for one in summary.differences
        if one.first == own.policy
    }
    widest = max(map(reach, above.values()), default=0.0) or 1.0

    def gap(other: str, suite: str) -> Gap | None:
        found = above.get((other, suite))
        return gap_of(found, SHARE, widest=widest) if found else None

    titles = {one.id: one.title for one in summary.config.suites}
    return Result(
        mean=own.mean,
        suites=tuple(
            SuiteLine(titles[id_], card, gap("sauda", id_)) for id_, card in own.suites.items()
        ),
        versus=tuple(
            Versus(one.title, one.mean, gap(one.policy, MEAN))
            for one in summary.policies
            if one.policy != own.policy
        ),
        method=summary.method,
    )


def plays_of(bots: Sequence[Bot]) -> dict[str, list[tuple[Play, PlayLine]]]:
    """List the plays of bots by their ids, the newest first."""
    found: dict[str, list[tuple[Play, PlayLine]]] = {bot.pk: [] for bot in bots}
    for play in _light(Play.objects.filter(bot__in=found)).order_by("run__created_at"):
        known = found[play.bot_id]
        known.insert(0, (play, _play_line(play, len(known) + 1)))
    return found


def newest_of(bots: Sequence[Bot]) -> dict[str, PlayLine]:
    """Describe the newest play of each bot that has played, by the bots' ids."""
    begun = Play.objects.filter(bot__in=[bot.pk for bot in bots]).order_by("run__created_at")
    order = list(begun.values_list("bot_id", "pk"))
    numbers = Counter(bot for bot, _ in order)
    newest = Play.objects.filter(pk__in=dict(order).values())
    return {play.bot_id: _play_line(play, numbers[play.bot_id]) for play in _light(newest)}


def _light(plays: QuerySet[Play]) -> QuerySet[Play]:
    return plays.select_related("run", "bot").defer("rows", "run__summary", "run__config")


def to_json(bot: Bot, lines: Sequence[PlayLine]) -> dict[str, Any]:
    """Describe a bot to programs."""
    return {
        "id": bot.pk,
        "name": bot.name,
        "page": bot.get_absolute_url(),
        "verified": bool(lines) and lines[0].verified,
        "plays": [_play_json(line) for line in lines],
    }


def _play_json(line: PlayLine) -> dict[str, Any]:
    mean = line.mean
    return {
        "id": line.id,
        "number": line.number,
        "state": line.state,
        "at_work": line.at_work,
        "bargains_done": line.done,
        "bargains": line.total,
        "note": line.note,
        "commitment": line.commitment,
        "key": line.key,
        "verified": line.verified,
        "checked": line.checked,
        "answers": line.answers,
        "failed_answers": sum(n for _, n in line.failures),
        "share_of_winnable": msgspec.to_builtins(mean.share_of_winnable) if mean else None,
        "deal_rate": msgspec.to_builtins(mean.deal_rate) if mean else None,
    }


def _summary(run: Run) -> Summary:
    return msgspec.convert(run.summary, Summary)


def _own(summary: Summary, bot: Bot) -> PolicyResult:
    return next(one for one in summary.policies if one.policy == bot.policy)
