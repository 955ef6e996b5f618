"""From unverified to verified: everything is played again, and the bot is asked again.

Two things are checked. Our own records: the kept moves of every bargain, dealt anew from the
seeds to the pinned seller, must give the same log byte for byte. And the bot: a tenth of its
games is dealt a second time, under other names and in another order, before any seed is told;
it must decide as it did, or do as well as it did.
"""

import random
from itertools import zip_longest
from typing import Any

import msgspec
from django.utils import timezone

from training.bots import plays, results
from training.bots.models import Play, Table
from training.bots.moves import KeptMove, from_text, same_decision

SAMPLED = 0.1
"""Share of the games of each suite that is dealt again, at least one."""

SAME_ENOUGH = 0.9
"""A bot that decides alike this often plays alike."""

NEAR_ENOUGH = 0.1
"""So does one whose mean share of the winnable bargains moves by no more than this."""

RULE = (
    f"Verified means: all bargains replayed from their seeds give the same logs byte for byte, "
    f"and in {100 * SAMPLED:.0f} % of the games, dealt a second time, the bot decides alike in "
    f"{100 * SAME_ENOUGH:.0f} % of its turns, or its mean share stays within {NEAR_ENOUGH:.2f}."
)


class Agreement(msgspec.Struct, frozen=True):
    """How a bot played the games that it was dealt a second time.

    Attributes:
        replayed: bargains whose kept moves were played again.
        different: those among them that did not give the same log.
        bargains: bargains that the bot was dealt twice.
        turns: turns with the same history in both, ``same`` those decided alike.
        first: mean share of the winnable bargains the first time, ``again`` the second time.
        passed: what the rule says.
    """

    replayed: int
    different: int
    bargains: int
    turns: int
    same: int
    first: float
    again: float
    passed: bool
    note: str = ""


def choose_repeats(play: Play) -> None:
    """Choose which games are dealt again; nobody can foresee them, and no bot can tell them."""
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
    now = timezone.now()
    play.agreement = msgspec.to_builtins(agreement)
    play.verified_at = now if agreement.passed else None
    play.opened_at = now
    play.save(update_fields=["agreement", "verified_at", "opened_at"])
    results.write_facts(play)
    return agreement


def give_up(play: Play, note: str) -> None:
    """Note that the bot could not be asked again; its result stays, unverified, seeds open."""
    play.agreement = {"passed": False, "note": note}
    play.opened_at = timezone.now()
    play.save(update_fields=["agreement", "opened_at"])
    results.write_facts(play)


def _agreement(play: Play) -> Agreement:
    replayed = different = 0
    for table in play.tables.filter(repeats=None):
        rows = plays.deal_at(play, table).rows(play.bot.policy, results.version_of(play))
        replayed += len(rows)
        kept = table.digests
        different += sum(a != b for a, b in zip_longest(kept, [row.digest for row in rows]))
    bargains = turns = same = 0
    shares: tuple[list[float], list[float]] = ([], [])
    for table in play.tables.exclude(repeats=None).select_related("repeats"):
        assert table.repeats is not None
        counted = _compare(from_text(table.repeats.moves), from_text(table.moves))
        turns, same = turns + counted[0], same + counted[1]
        bargains += table.bargains
        for place, one in enumerate((table.repeats, table)):
            rows = plays.deal_at(play, one).rows(play.bot.policy, "")
            shares[place].extend(row.surplus for row in rows if row.surplus is not None)
    first, again = (sum(one) / len(one) if one else 0.0 for one in shares)
    alike = same >= SAME_ENOUGH * turns or abs(first - again) <= NEAR_ENOUGH
    return Agreement(
        replayed=replayed,
        different=different,
        bargains=bargains,
        turns=turns,
        same=same,
        first=round(first, 4),
        again=round(again, 4),
        passed=different == 0 and alike,
    )


def _compare(one: tuple[KeptMove, ...], another: tuple[KeptMove, ...]) -> tuple[int, int]:
    """Count the turns that had the same history, and those decided alike.

    After the first different decision the two games are different games.
    """
    turns = same = 0
    for first, second in zip(one, another, strict=False):
        turns += 1
        if not same_decision(first, second):
            break
        same += 1
    return turns, same


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
