"""From unverified to verified: everything is played again, and the bot is asked again.

Two things are checked. Our own records: the kept moves of every bargain, dealt anew from the
seeds to the pinned seller, must give the same log byte for byte. And the bot: a tenth of its
games is dealt a second time, under other names and in another order, before any seed is told;
it must decide as it did, or do about as well as it did.
"""

import math
import random
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import msgspec
from django.utils import timezone
from django.utils.translation import gettext

from negotiation.sentences import sentences
from training.bots import plays, results
from training.bots.games import KeptMove, from_text, same_decision
from training.bots.models import Play, Table
from training.models import Run

say = sentences(__file__)

SAME_ENOUGH = 0.9  # A bot that decides alike this often plays alike

NEAR_ENOUGH = 0.1
"""So does one whose mean share of the winnable bargains moves by no more than this,"""

ERRORS_APART = 2.0  # or by no more than so many standard errors: chance in a bot is no fault of it

FEWEST_GAMES = 10
"""With fewer games than this a standard error says little, and the fixed margin stands alone."""


class Pair(msgspec.Struct, frozen=True):
    """A game and its repeat: ``turns`` have the same history in both, ``same`` decided alike.

    ``first`` and ``again`` are shares of the winnable bargains, no deal counting 0.
    """

    bargains: int
    turns: int
    same: int
    first: tuple[float, ...]
    again: tuple[float, ...]


class Agreement(msgspec.Struct, frozen=True):
    """How a bot played the games that it was dealt a second time, summed up like a ``Pair``.

    ``different`` of the ``replayed`` bargains did not give the same log; ``error`` is the standard
    error of the difference of the mean shares, over whole games.
    """

    replayed: int
    different: int
    bargains: int
    turns: int
    same: int
    first: float
    again: float
    error: float
    passed: bool


def agreement_of(replayed: int, different: int, pairs: Sequence[Pair]) -> Agreement:
    """Judge how much a bot played as before; one bargain with a different log is too many.

    >>> alike = Pair(1, 5, 2, (0.5,), (0.55,))
    >>> agreement_of(40, 0, [alike] * 3).passed, agreement_of(40, 1, [alike] * 3).passed
    (True, False)
    """
    turns, same = sum(pair.turns for pair in pairs), sum(pair.same for pair in pairs)
    count = sum(len(pair.first) for pair in pairs) or 1
    first = sum(sum(pair.first) for pair in pairs) / count
    again = sum(sum(pair.again) for pair in pairs) / count
    error = standard_error([sum(pair.first) - sum(pair.again) for pair in pairs]) / count
    apart = abs(first - again)
    margin = max(NEAR_ENOUGH, ERRORS_APART * error if len(pairs) >= FEWEST_GAMES else 0.0)
    alike = same >= SAME_ENOUGH * turns or apart <= margin
    return Agreement(
        replayed=replayed,
        different=different,
        bargains=sum(pair.bargains for pair in pairs),
        turns=turns,
        same=same,
        first=round(first, 4),
        again=round(again, 4),
        error=round(error, 4),
        passed=different == 0 and alike,
    )


def standard_error(differences: Sequence[float]) -> float:
    """Return the standard error of a sum of independent differences; 0 for fewer than two.

    >>> standard_error([1.0, -1.0])
    2.0
    """
    n = len(differences)
    if n < 2:
        return 0.0
    mean = sum(differences) / n
    return math.sqrt(n * sum((one - mean) ** 2 for one in differences) / (n - 1))


def turns_alike(one: Sequence[KeptMove], another: Sequence[KeptMove]) -> tuple[int, int]:
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


SAMPLED = 0.1  # Share of the games of each suite that is dealt again, at least one


RULE = {
    "sampled": f"{100 * SAMPLED:.0f}",
    "same": f"{100 * SAME_ENOUGH:.0f}",
    "near": f"{NEAR_ENOUGH:.2f}",
}
"""What "verified" means, in numbers."""


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
        return say("the_check_is_under_way")
    if "replayed" not in agreement:
        note = gettext(agreement.get("note", ""))
        return (say("the_bot_could_not_be_asked", why=note)).strip()
    found = msgspec.convert(agreement, Agreement)
    return say(
        "alike_of_replayed_bargains_replayed_byte",
        alike=found.replayed - found.different,
        replayed=found.replayed,
        bargains=found.bargains,
        same=found.same,
        turns=found.turns,
        first=f"{found.first:.2f}",
        again=f"{found.again:.2f}",
    )
