"""What came out of a play: its bargains, those of the site's players on the same seeds, a summary.

No other result has these seeds, so the site's players meet the very same games when the bot is
through: differences are paired.
"""

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from bazaarbatna.bargain.sealed_seeds import seed_of
from negotiation.code_version import code_version
from negotiation.policies import Entry, policies, policy
from training.bots import plays
from training.bots.games import Failed, KeptMove, from_text
from training.bots.models import Bot, Play
from training.evaluation.plan import Plan, PolicyFact, SuiteFact
from training.evaluation.playing import play as play_reference
from training.evaluation.published import pack
from training.evaluation.rows import EpisodeRow, from_line, to_line
from training.evaluation.summary import SUMMING
from training.models import Run

REFERENCES = ("sauda", "rules:smart", "rules:linear", "rules:random")
"""Who plays the bot's games after it."""


def version_of(play: Play) -> str:
    """Name the version of a bot: which of its plays this is, since nobody sees its code."""
    earlier = play.bot.plays.filter(run__created_at__lt=play.run.created_at).count()
    return f"{play.bot.policy}@{earlier + 1}"


def close(play: Play) -> bool:
    """Sum a complete play up and show it as unverified; False if it was stopped meanwhile."""
    rows = [*bot_rows(play), *_reference_rows(play)]
    packed, summary = pack(b"".join(map(to_line, rows))), _summary(play, rows)
    plays.count_done(play)
    with transaction.atomic():
        # Held until the end, so that nobody withdraws between the question and the answer.
        bot = Bot.objects.select_for_update().get(pk=play.bot_id)
        run = Run.objects.select_for_update().get(pk=play.pk)
        if bot.withdrawn_at is not None or not run.is_at_work:
            return False
        Play.objects.filter(pk=play.pk).update(
            rows=packed, card=_own_mean(play, summary), counts=summary["bot"]["failures"]
        )
        run.summary = summary
        run.status, run.note, run.code_version = Run.Status.DONE, "", code_version()
        run.published_at = run.ended_at = timezone.now()
        run.save()  # not an update: the board hears of runs that are saved
    return True


def write_facts(play: Play) -> None:
    """Write what is known of a play by now into its summary."""
    run = Run.objects.get(pk=play.pk)
    run.summary = {**(run.summary or {}), "bot": facts(play)}
    run.save(update_fields=["summary"])


def bot_rows(play: Play) -> Iterator[EpisodeRow]:
    """Play the kept moves again and give the bot's bargains, in the order of suites and seeds."""
    tables = list(play.tables.filter(repeats=None))
    order = {one.id: number for number, one in enumerate(plays.facts_of(play))}
    version = version_of(play)
    for table in sorted(tables, key=lambda one: (order[one.suite], one.place)):
        yield from plays.deal_at(play, table).rows(play.bot.policy, version)


def stored_rows(play: Play) -> tuple[EpisodeRow, ...]:
    """Read all bargains of a play that was summed up: the bot's, then the references'."""
    lines = gzip.decompress(bytes(play.rows)).splitlines() if play.rows else []
    return tuple(map(from_line, lines))


class KeptGame(msgspec.Struct, frozen=True):
    """A game of a play for whoever plays it again; ``digests`` are those of its logs."""

    suite: str
    place: int
    seed: int
    digests: tuple[str, ...]
    moves: tuple[KeptMove, ...]


def kept_moves(play: Play) -> bytes:
    """Write what a bot answered in the games of its result, one game a line."""
    games = (
        KeptGame(
            table.suite,
            table.place,
            seed_of(play.key, table.suite, table.place),
            tuple(table.digests),
            from_text(table.moves),
        )
        for table in play.tables.filter(repeats=None, done=True)
    )
    return b"".join(msgspec.json.encode(game) + b"\n" for game in games)


def facts(play: Play) -> dict[str, Any]:
    """Return what a table needs to say about a bot's result, as JSON."""
    return {
        "id": play.bot.pk,
        "name": play.bot.name,
        "policy": play.bot.policy,
        "commitment": play.commitment,
        "key": play.key if play.opened_at else None,
        "verified": play.is_verified,
        "agreement": play.agreement,
        "failures": failures(play),
    }


def failures(play: Play) -> dict[str, int]:
    """Count the bot's answers in its result: all of them, and those that failed, by reason."""
    counted: Counter[str] = Counter()
    for text in play.tables.filter(repeats=None).values_list("moves", flat=True):
        for move in from_text(text):
            counted["answers"] += 1
            if isinstance(move, Failed):
                counted[move.code] += 1
    return dict(counted)


def _reference_rows(play: Play) -> Iterator[EpisodeRow]:
    for one in plays.facts_of(play):
        seeds = [seed_of(play.key, one.id, place) for place in range(one.games)]
        for entry in _references():
            played = {done.unit.seed: done.rows for done in play_reference(entry, one.id, seeds)}
            for seed in seeds:
                yield from played[seed]


def _references() -> list[Entry]:
    known = {entry.name for entry in policies("buyer")}
    return [policy(name) for name in REFERENCES if name in known]


def _summary(play: Play, rows: Iterable[EpisodeRow]) -> dict[str, Any]:
    suites = plays.facts_of(play)
    plan = Plan(
        policies=(_bot_fact(play.bot, version_of(play)), *map(_reference_fact, _references())),
        suites=suites,
        seed=0,
        episodes=play.run.config["episodes"],
        commit=code_version(),
    )
    summed = SUMMING.summarise(plan, _by_place(play, suites, rows))
    return {**msgspec.to_builtins(summed), "bot": facts(play)}


def _own_mean(play: Play, summary: dict[str, Any]) -> dict[str, Any]:
    own = next(one for one in summary["policies"] if one["policy"] == play.bot.policy)
    return dict(own["mean"])


def _by_place(
    play: Play, suites: tuple[SuiteFact, ...], rows: Iterable[EpisodeRow]
) -> Iterator[EpisodeRow]:
    # Games of a suite count from 0, as in summaries; real seeds are no neighbours.
    places = {
        (one.id, seed_of(play.key, one.id, place)): place
        for one in suites
        for place in range(one.games)
    }
    for row in rows:
        yield msgspec.structs.replace(row, seed=places[row.suite, row.seed])


def _bot_fact(bot: Bot, version: str) -> PolicyFact:
    return PolicyFact(bot.policy, version, bot.name, "bot")


def _reference_fact(entry: Entry) -> PolicyFact:
    return PolicyFact(entry.name, entry.version, entry.title, entry.kind)
