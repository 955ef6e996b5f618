"""Small evaluations for tests: plans, rows and finished runs."""

import io
from pathlib import Path

import msgspec

from negotiation.policies import policy
from training.disk import write_json
from training.evaluation.folder import Folder
from training.evaluation.plan import Plan, make_plan
from training.evaluation.playing import play
from training.evaluation.rows import EpisodeRow
from training.evaluation.running import evaluate, open_evaluation
from training.models import Run
from training.runs.lifecycle import folder_of

BUYERS = ["rules:linear", "rules:split"]
SUITES = ["single_deal", "career_10"]


def a_plan(
    buyers: list[str] | None = None,
    suites: list[str] | None = None,
    *,
    episodes: int = 12,
    seed: int = 3,
) -> Plan:
    """Two buyers in two suites: 12 games of one bargain, 2 of ten."""
    return make_plan(
        buyers or BUYERS, suites or SUITES, episodes=episodes, seed=seed, commit="0123456789ab"
    )


def all_rows(plan: Plan) -> list[EpisodeRow]:
    """Every bargain of a plan, played here."""
    return [
        row
        for one in plan.suites
        for buyer in plan.policies
        for played in play(policy(buyer.name), one.id, range(plan.seed, plan.seed + one.games))
        for row in played.rows
    ]


def a_run(folder: Path, plan: Plan | None = None, name: str = "small") -> Run:
    """A finished evaluation in a folder, played in this process."""
    run = open_evaluation(plan or a_plan(), name, Folder(folder))
    go_on(run)
    run.refresh_from_db()
    return run


def go_on(run: Run) -> None:
    """Play what a run lacks, in this process."""
    evaluate(run, workers=1, out=io.StringIO())


def cut_in_half(run: Run) -> None:
    """Leave what a process leaves that is killed in the middle of a line."""
    path = folder_of(run) / "episodes.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    (folder_of(run) / "summary.json").unlink()


def say_older(run: Run, plan: Plan, place: str, field: str) -> None:
    """Let a run's plan say that one of its facts was another when it began.

    Args:
        run: of the plan.
        plan: as it is.
        place: "policies" or "suites"; the first of them is changed.
        field: of the fact.
    """
    first, *others = getattr(plan, place)
    older = msgspec.structs.replace(first, **{field: "older"})
    other = msgspec.structs.replace(plan, **{place: (older, *others)})
    write_json(folder_of(run) / "config.json", other)


def bytes_of(run: Run) -> dict[str, bytes]:
    """The files that follow from the plan alone."""
    folder = folder_of(run)
    return {
        name: (folder / name).read_bytes()
        for name in ("config.json", "episodes.jsonl", "summary.json")
    }
