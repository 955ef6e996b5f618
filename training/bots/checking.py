"""From unverified to verified: everything is played again, and the bot is asked again.

Two things are checked. Our own records: the kept moves of every bargain, dealt anew from the
seeds to the pinned seller, must give the same log byte for byte. And the bot: a tenth of its
games is dealt a second time, under other names and in another order, before any seed is told;
it must decide as it did, or do about as well as it did.
"""

import random
from itertools import zip_longest
from typing import Any

import msgspec
from django.utils import timezone

from training.bots import plays, results
from training.bots.agreement import ALIKE, Agreement, Pair, agreement_of, turns_alike
from training.bots.models import Play, Table
from training.bots.moves import from_text
from training.models import Run

SAMPLED = 0.1
"""Share of the games of each suite that is dealt again, at least one."""

RULE = (
    f"Verified means: all bargains replayed from their seeds give the same logs byte for byte, "
    f"and in {100 * SAMPLED:.0f} % of the games, dealt a second time, {ALIKE}."
)


def choose_repeats(play: Play) -> None:
    """Choose which games are dealt again; nobody can foresee which.

    A bot can tell that it is asked again. Name and order do not say which game comes back; prices
    do, to a bot that remembers them.
    """
    if play.tables.exclude(repeats=None).exists():
        return
    luck = random.SystemRandom()
    chosen: list[Table] = []
    for one in plays.facts_of(play):
        tables = list(play.tables.filter(suite=one.id, repeats=None))
        chosen += luck.sample(tables, max(1, round(SAMPLED * len(tables))))
    luck.shuffle(chosen)
    first = play.tables.count() + 1
    Table.objects.bulk_create(
        Table(play=play, number=number, suite=table.suite, place=table.place, repeats=table)
        for number, table in enumerate(chosen, start=first)
    )


def check(play: Play) -> Agreement:
    """Apply the rule, write the verdict down and open the seeds."""
    agreement = _agreement(play)
    _decide(play, msgspec.to_builtins(agreement), is_verified=agreement.passed)
    return agreement


def give_up(play: Play, note: str) -> None:
    """Note that the bot could not be asked again; its result stays, unverified, seeds open."""
    _decide(play, {"passed": False, "note": note}, is_verified=False)


def end_changed(play: Play) -> None:
    """End a play whose sellers or suites have changed: nobody can go on with it.

    A result that stands already stays, unverified; else the play has failed.
    """
    if plays.awaits_check(play):
        give_up(play, plays.CHANGED)
    else:
        plays.stop(play, Run.Status.FAILED, plays.CHANGED)


def _decide(play: Play, agreement: dict[str, Any], *, is_verified: bool) -> None:
    now = timezone.now()
    # The first verdict stands: worker and client may both come to one.
    Play.objects.filter(pk=play.pk, opened_at=None).update(
        agreement=agreement, verified_at=now if is_verified else None, opened_at=now
    )
    play.refresh_from_db(fields=["agreement", "verified_at", "opened_at"])
    results.write_facts(play)


def _agreement(play: Play) -> Agreement:
    replayed = different = 0
    for table in play.tables.filter(repeats=None):
        again = plays.deal_at(play, table).digests()
        replayed += len(again)
        different += sum(a != b for a, b in zip_longest(table.digests, again))
    twice = play.tables.exclude(repeats=None).select_related("repeats")
    return agreement_of(replayed, different, [_pair(play, table) for table in twice])


def _pair(play: Play, again: Table) -> Pair:
    assert again.repeats is not None
    first, second = (
        [row.surplus for row in plays.deal_at(play, table).rows("", "") if row.surplus is not None]
        for table in (again.repeats, again)
    )
    turns, same = turns_alike(from_text(again.repeats.moves), from_text(again.moves))
    return Pair(again.bargains, turns, same, tuple(first), tuple(second))


def in_words(agreement: dict[str, Any] | None) -> str:
    """Say in a sentence or two how the check went."""
    if agreement is None:
        return "The check is under way."
    if "replayed" not in agreement:
        return f"The bot could not be asked again. {agreement.get('note', '')}".strip()
    told = msgspec.convert(agreement, Agreement)
    return (
        f"{told.replayed - told.different} of {told.replayed} bargains replayed byte for byte. "
        f"Dealt {told.bargains} bargains again, the bot decided alike in {told.same} of "
        f"{told.turns} turns; its mean share was {told.first:.2f} and then {told.again:.2f}."
    )
