"""A run's row from its folder, and its folder from its row."""

from pathlib import Path

import msgspec

from training.evaluation.errors import BrokenRun
from training.evaluation.folder import CONFIG, Folder, to_text
from training.evaluation.journal import write_whole
from training.evaluation.plan import Plan
from training.evaluation.published import KIND, KINDS
from training.models import Run
from training.runs import lifecycle


def find_run(name: str) -> Run:
    """Find an evaluation to go on with.

    A folder without a row (another database) gets one; a row whose folder is gone gets an empty
    one, and is played anew.

    Args:
        name: id of a run, or path of its folder.

    Raises:
        BrokenRun: there is neither.
    """
    run = known_run(name)
    if run.folder.startswith(lifecycle.RECEIPT):
        raise BrokenRun(f"{run.pk} is a receipt that came with the code; it is complete.")
    path = lifecycle.folder_of(run)
    if not (path / CONFIG).exists():
        path.mkdir(parents=True, exist_ok=True)
        write_whole(path / CONFIG, [to_text(msgspec.convert(run.config, Plan))])
    return run


def known_run(name: str) -> Run:
    """Find an evaluation by its id or folder.

    Raises:
        BrokenRun: there is none; the message lists the newest.
    """
    run = Run.objects.filter(pk=name).first() or _by_folder(Path(name))
    if run is None:
        known = Run.objects.filter(kind__in=KINDS).values_list("pk", flat=True)[:5]
        raise BrokenRun(
            f"There is no run {name[:80]!r}, and no folder of one. Newest runs: "
            f"{', '.join(known) or 'none'}."
        )
    if run.kind not in KINDS:
        raise BrokenRun(f"{run.pk} is of kind {run.kind!r}, not an evaluation.")
    return run


def _by_folder(path: Path) -> Run | None:
    if not (path / CONFIG).is_file():
        return None
    folder = Folder(path.resolve())
    plan, facts = folder.plan(), folder.facts()
    known = Run.objects.filter(pk=str(facts.get("id", ""))).first()
    if known is not None and lifecycle.folder_of(known) == folder.path:
        return known
    return lifecycle.open_run(
        str(facts.get("name", "evaluation")),
        kind=str(facts.get("kind", KIND)),
        config=msgspec.to_builtins(plan),
        seeds=lifecycle.seeds_of(plan.seed, {one.id: one.games for one in plan.suites}),
        total=plan.bargains,
        folder=folder.path,
    )
