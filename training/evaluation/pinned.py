"""Whether a run that was begun earlier may go on with the code as it is now."""

from collections.abc import Iterable

from negotiation.engine.errors import UnknownSuite
from negotiation.policies import UnknownPolicy
from training.evaluation.errors import MixedVersions
from training.evaluation.journal import unit_of
from training.evaluation.plan import Plan
from training.evaluation.rows import Row
from training.evaluation.sport import play_unit, sport_of, sport_of_plan
from training.runs.code_version import CHANGED

WHAT_TO_DO = (
    "Results of both would stand in one table. Check out the code the run was begun with"
    "{commit}, or evaluate anew without --resume."
)


def check_pinned(plan: Plan) -> None:
    """Refuse to go on where a policy, seller or suite has another version than at the start.

    Raises:
        MixedVersions: with every difference.
    """
    found = [*_changed_policies(plan), *_changed_suites(plan)]
    if found:
        differences = "\n".join(f"  {line}" for line in found)
        raise MixedVersions(
            f"This run was begun with other versions:\n{differences}\n{_advice(plan)}"
        )


def check_same_play(plan: Plan, rows: Iterable[Row], commit: str) -> None:
    """Replay one kept game of every rule policy and suite where the code is not the same.

    A version says what its author knows to have changed; this catches what he does not.

    Args:
        plan: what the run was begun with.
        rows: the rows so far, each game whole and in one piece.
        commit: version of the code now.

    Raises:
        MixedVersions: a game goes another way now.
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
            now = sport_of_plan(plan).policy(pinned.name).version
        except UnknownPolicy:
            now = "not here any more"
        if now != pinned.version:
            yield f"policy {pinned.name}: {pinned.version}, now {now}"


def _changed_suites(plan: Plan) -> Iterable[str]:
    for pinned in plan.suites:
        try:
            now = sport_of(pinned.id).fact(pinned.id, plan.episodes)
        except UnknownSuite:
            yield f"suite {pinned.id}: not here any more"
            continue
        if now.seller != pinned.seller:
            yield f"seller of {pinned.id}: {pinned.seller}, now {now.seller}"
        if now.fingerprint != pinned.fingerprint:
            yield f"games of {pinned.id}: {pinned.fingerprint}, now {now.fingerprint}"


def _advice(plan: Plan) -> str:
    return WHAT_TO_DO.format(commit=f" ({plan.commit})" if plan.commit else "")
