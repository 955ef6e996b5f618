"""Whether results may stand in one table: of a run that goes on, or of two runs."""

from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from bazaarbatna.bargain.errors import UnknownSuite
from negotiation.code_version import CHANGED
from negotiation.policies import UnknownPolicy
from training.evaluation import BrokenRun, MixedVersions
from training.evaluation.domain import domain_of, domain_of_plan, play_unit
from training.evaluation.folder import Folder, unit_of
from training.evaluation.plan import Plan
from training.evaluation.playing import PlayedOf
from training.evaluation.rows import Row
from training.models import Run
from training.runs import lifecycle

WHAT_TO_DO = (
    "Results of both would stand in one table. Check out the code the run was begun with"
    "{commit}, or evaluate anew without --resume."
)

OTHER_COMMIT = "another"  # No commit is like it: games of a run that is joined are always tried


def check_pinned(plan: Plan) -> None:
    """Raise MixedVersions, naming all, where a policy, seller or suite has another version."""
    found = [*_changed_policies(plan), *_changed_suites(plan)]
    if found:
        differences = "\n".join(f"  {line}" for line in found)
        raise MixedVersions(
            f"This run was begun with other versions:\n{differences}\n{_advice(plan)}"
        )


def check_same_play(plan: Plan, rows: Iterable[Row], commit: str) -> None:
    """Replay one kept game of every rule policy and suite where the code is not the same.

    A version says what its author knows to have changed; this catches what he does not. ``rows``
    has each game whole and in one piece; MixedVersions when one goes another way now.
    """
    if commit == plan.commit and CHANGED not in commit:
        return
    rules = {one.name for one in plan.policies if one.kind == "rules"}
    firsts: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        kept = firsts.setdefault((row.policy, row.suite), [])
        if row.policy in rules and (not kept or unit_of(kept[0]) == unit_of(row)):
            kept.append(row)
    for kept in filter(None, firsts.values()):
        unit = unit_of(kept[0])
        if list(play_unit(unit).rows) != kept:
            raise MixedVersions(
                f"{unit.policy} in {unit.suite}, seed {unit.seed}, goes another way now than when "
                f"the run was begun, though the versions are the same. {_advice(plan)}"
            )


def _changed_policies(plan: Plan) -> Iterable[str]:
    for pinned in plan.policies:
        try:
            now = domain_of_plan(plan).policy(pinned.name).version
        except UnknownPolicy:
            now = "not here any more"
        if now != pinned.version:
            yield f"policy {pinned.name}: {pinned.version}, now {now}"


def _changed_suites(plan: Plan) -> Iterable[str]:
    for pinned in plan.suites:
        try:
            now = domain_of(pinned.id).fact(pinned.id, plan.episodes)
        except UnknownSuite:
            yield f"suite {pinned.id}: not here any more"
            continue
        if now.seller != pinned.seller:
            yield f"seller of {pinned.id}: {pinned.seller}, now {now.seller}"
        if now.fingerprint != pinned.fingerprint:
            yield f"games of {pinned.id}: {pinned.fingerprint}, now {now.fingerprint}"


def _advice(plan: Plan) -> str:
    return WHAT_TO_DO.format(commit=f" ({plan.commit})" if plan.commit else "")


def joined(plan: Plan, earlier: Run) -> Plan:
    """Add the buyers of an earlier run to a plan; who is in both is played anew.

    MixedVersions names everything that differs; BrokenRun when the earlier run has not finished.
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
    """Copy the bargains of an earlier run's buyers into the folder of a new one."""
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
