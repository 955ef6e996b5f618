"""Results of an earlier run beside new ones: one table, if and only if all is the same."""

from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from training.evaluation.errors import BrokenRun, MixedVersions
from training.evaluation.folder import Folder
from training.evaluation.journal import unit_of
from training.evaluation.pinned import check_pinned, check_same_play
from training.evaluation.plan import Plan
from training.evaluation.playing import PlayedOf
from training.evaluation.rows import Row
from training.models import Run
from training.runs import lifecycle

OTHER_COMMIT = "another"
"""No commit is like it: games of a run that is joined are always tried."""


def joined(plan: Plan, earlier: Run) -> Plan:
    """Add the buyers of an earlier run to a plan; who is in both is played anew.

    Raises:
        MixedVersions: with everything that differs: seeds, sellers, suites, buyers, or the way
            they play.
        BrokenRun: the earlier run has not finished.
    """
    if earlier.status != Run.Status.DONE:
        raise BrokenRun(f"{earlier.pk} is {earlier.status}; only a finished run can be joined.")
    theirs = Folder(lifecycle.folder_of(earlier)).plan()
    found = list(_differences(plan, theirs))
    if found:
        differences = "\n".join(f"  {line}" for line in found)
        raise MixedVersions(
            f"{earlier.pk} and this run cannot stand in one table:\n{differences}\n"
            "Ask for the same suites, episodes and seed; where versions differ, evaluate all anew."
        )
    named = {one.name for one in plan.policies}
    others = tuple(one for one in theirs.policies if one.name not in named)
    whole = msgspec.structs.replace(plan, policies=(*plan.policies, *others))
    check_pinned(whole)
    check_same_play(whole, _theirs(whole, earlier, named), OTHER_COMMIT)
    return whole


def borrow(plan: Plan, played: Iterable[str], earlier: Run, folder: Folder) -> None:
    """Copy the bargains of an earlier run's buyers into the folder of a new one.

    Args:
        plan: as ``joined`` made it.
        played: names of the buyers that are played anew.
        earlier: the run that was joined.
        folder: of the new run.
    """
    rows = _theirs(plan, earlier, set(played))
    for unit, game in groupby(rows, unit_of):
        folder.journal.append(PlayedOf(unit, tuple(game)))
    folder.describe(joined=earlier.pk)


def _theirs(plan: Plan, earlier: Run, played: set[str]) -> Iterator[Row]:
    suites = {one.id for one in plan.suites}
    for row in Folder(lifecycle.folder_of(earlier)).rows():
        if row.suite in suites and row.policy not in played:
            yield row


def _differences(ours: Plan, theirs: Plan) -> Iterator[str]:
    if ours.seed != theirs.seed:
        yield f"first seed: {ours.seed}, there {theirs.seed}"
    known = {one.id: one for one in theirs.suites}
    for suite in ours.suites:
        other = known.get(suite.id)
        if other is None:
            yield f"suite {suite.id}: not played there"
            continue
        for what, here, there in (
            (f"seller of {suite.id}", suite.seller, other.seller),
            (f"games of {suite.id}", suite.fingerprint, other.fingerprint),
            (f"number of games of {suite.id}", suite.games, other.games),
        ):
            if here != there:
                yield f"{what}: {here}, there {there}"
