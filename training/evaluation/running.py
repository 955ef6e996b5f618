"""An evaluation from its plan to its summary; it can be stopped anywhere and goes on."""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import IO, Any, Self

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bazaarbatna.bargain.errors import UnknownSuite
from negotiation.code_version import CHANGED, code_version, machine
from negotiation.policies import UnknownPolicy
from training.disk import write_whole
from training.evaluation import BadPlan, BrokenRun, EvaluationError, MixedVersions
from training.evaluation.domain import domain_of, domain_of_plan, play_unit
from training.evaluation.folder import LOG, SUMMARY, Folder, unit_of
from training.evaluation.plan import Plan
from training.evaluation.playing import PlayedOf
from training.evaluation.rows import Row
from training.evaluation.spreading import Spread, played_by
from training.evaluation.summing import SummaryOf, to_bytes
from training.evaluation.workers import WorkerDied, play_all
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import Busy, Ending, alone, how_it_ended, terminable

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


EVERY_S, AT_MOST_S = 2.0, 60.0
"""Between two plain lines; more as time goes by, so that the lines of a long run can be read."""

PART = 0.02  # Of the time that has gone by
BEAT_S = 1.0


class ProgressReporter:
    """Says things to whoever started the run, and to its log; every line is out at once."""

    def __init__(self, out: IO[str], log: Path, total: int, done: int, unit: str) -> None:
        self._out, self._log = out, log.open("a", buffering=1)
        self._total, self._first, self._unit = total, done, unit
        self._began = self._last = time.monotonic()
        self._since: float | None = None
        console = Console(file=out, highlight=False)
        self._bar = _bar(console) if console.is_terminal else None
        self._task = self._bar.add_task(unit, total=total, completed=done) if self._bar else None

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
        self._log.close()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the beginning of this process's part."""
        return time.monotonic() - self._began

    def say(self, words: str) -> None:
        """Write a line."""
        self._log.write(f"{words}\n")
        if self._bar is not None:
            self._bar.console.print(words, markup=False)
        else:
            self._print(words)

    def at(self, done: int) -> bool:
        """Show how much is done; whether it was time for a line."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done)
        now = time.monotonic()
        if self._since is None:
            # Processes that start up say nothing about the speed.
            self._since, self._first, self._last = now, done, now
        rest = min(max(EVERY_S, PART * self.elapsed_s), AT_MOST_S)
        if now - self._last < rest and done < self._total:
            return False
        self._last = now
        line = self._line(done)
        self._log.write(f"{line}\n")
        if self._bar is None:
            self._print(line)
        return True

    def per_s(self, done: int) -> float:
        """Rows per second since the first one ended; 0 while nobody can tell."""
        elapsed = 0.0 if self._since is None else time.monotonic() - self._since
        return (done - self._first) / elapsed if elapsed > 1.0 else 0.0

    def _print(self, line: str) -> None:
        # Whoever listened may have gone (a closed pipe); the run goes on.
        with contextlib.suppress(OSError):
            self._out.write(f"{line}\n")
            self._out.flush()

    def _line(self, done: int) -> str:
        share = 100 * done / self._total if self._total else 100.0
        rate = self.per_s(done)
        speed = f", {rate:,.0f} a second" if rate else ""
        left = f", {(self._total - done) / rate:,.0f} s left" if rate and done < self._total else ""
        return f"{done:,} of {self._total:,} {self._unit} ({share:.0f} %){speed}{left}"


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=False,
    )


class Stopped(EvaluationError):
    """Somebody cancelled the run."""


def open_evaluation(
    plan: Plan,
    name: str,
    folder: Folder | None = None,
    *,
    kind: str | None = None,
    waits: bool = False,
) -> Run:
    """Write an evaluation down, in the database and on disk, to be played by ``evaluate``.

    ``kind`` is one of ``published.KINDS``, None for that of what is played; without ``waits`` this
    process begins at once. BadPlan when the name is not allowed.
    """
    if not lifecycle.NAME.fullmatch(name):
        raise BadPlan(f"A run's name is of a-z, 0-9 and hyphens, at most 40; not {name[:50]!r}.")
    run = lifecycle.open_run(
        name,
        kind=kind or domain_of_plan(plan).kind,
        config=msgspec.to_builtins(plan),
        seeds=lifecycle.seeds_of(plan.seed, {one.id: one.games for one in plan.suites}),
        total=plan.bargains,
        folder=None if folder is None else folder.path,
        waits=waits,
    )
    try:
        Folder(lifecycle.folder_of(run)).make(plan)
    except BaseException:
        run.delete()
        raise
    return run


def evaluate(run: Run, *, workers: int, out: IO[str], spread: int = 0) -> SummaryOf[Any, Any]:
    """Play what is missing of a run, put it in order and sum it up.

    With ``spread`` so many background workers play it, on whatever machines they are.

    Whatever happens but a kill, the row says how it ended: done, interrupted, cancelled or failed.

    Raises:
        EvaluationError: it cannot go on; nothing that was played is lost.
        KeyboardInterrupt: it was interrupted.
    """
    folder = Folder(lifecycle.folder_of(run))
    with _alone(folder), terminable():
        plan = folder.plan()
        check_pinned(plan)
        whole = folder.journal.recover()
        if whole:
            check_same_play(plan, folder.journal.rows(), code_version(domain_of_plan(plan).rooms))
        lifecycle.begin(run)
        try:
            summary = _play_and_sum_up(run, plan, folder, workers, out, spread)
        except BaseException as error:
            status, note = _ending(error)
            lifecycle.end(run, status, note)
            folder.describe(status=status, note=note)
            raise
        folder.describe(status="done", note="", ended_at=run.ended_at)
    return summary


def _play_and_sum_up(
    run: Run, plan: Plan, folder: Folder, workers: int, out: IO[str], spread: int
) -> SummaryOf[Any, Any]:
    whole = folder.journal.recover()
    size = {one.id: one.bargains // one.games for one in plan.suites}
    done = sum(size[unit.suite] for unit in whole)
    todo = [unit for unit in plan.units() if unit not in whole]
    folder.describe(
        id=run.pk, kind=run.kind, name=run.name, status="running", created_at=run.created_at,
        started_at=run.started_at, machine=machine(), workers=workers, code=run.code_version,
    )  # fmt: skip
    with (
        ProgressReporter(out, folder.path / LOG, plan.bargains, done, run.what.unit) as reporter,
        _timed(folder, reporter) as note_time,
    ):
        begun = "resumed" if whole else "begun"
        reporter.say(
            f"Run {run.pk} {begun}: {len(plan.policies)} policies, {len(plan.suites)} suites."
        )
        last = 0.0

        def tick() -> None:
            nonlocal last
            if time.monotonic() - last < BEAT_S:
                return
            last = time.monotonic()
            if not lifecycle.beat(run, done):
                raise Stopped("The run was cancelled; resume it any time.")

        elsewhere = played_by(Spread(run.pk, spread)) if spread else None
        for played in play_all(todo, workers, tick, elsewhere):
            folder.journal.append(played)
            done += len(played.rows)
            if reporter.at(done):
                folder.note(done=done, elapsed_s=round(reporter.elapsed_s, 1),
                            per_s=round(reporter.per_s(done), 1))  # fmt: skip
                note_time()
            tick()
        folder.journal.put_in_order(plan)
        summary = domain_of_plan(plan).summarise(plan, folder.journal.rows())
        write_whole(folder.path / SUMMARY, [to_bytes(summary)])
        run.done = done
        lifecycle.end(run, Run.Status.DONE, summary=msgspec.to_builtins(summary))
        took, part = note_time(), reporter.elapsed_s
        last_part = f", {part:,.0f} s of it since it was resumed" if took > part else ""
        reporter.say(f"Run {run.pk} is done: {done:,} {run.what.unit} in {took:,.0f} s{last_part}.")
    return summary


@contextmanager
def _timed(folder: Folder, reporter: ProgressReporter) -> Iterator[Callable[[], float]]:
    # Whatever ends this process, its time is added; a kill costs what was not noted.
    earlier: float = folder.facts().get("took_s", 0.0)

    def note() -> float:
        took = earlier + reporter.elapsed_s
        folder.describe(took_s=round(took, 1))
        return took

    try:
        yield note
    finally:
        # A full disk must not hide why the run ended.
        with suppress(OSError):
            note()


@contextmanager
def _alone(folder: Folder) -> Iterator[None]:
    try:
        with alone(folder.path):
            yield
    except Busy as busy:
        raise BrokenRun(f"{busy} Cancel it first, or wait.") from busy


def _ending(error: BaseException) -> Ending:
    match error:
        case Stopped():
            return Run.Status.CANCELLED, str(error)
        case WorkerDied():
            return Run.Status.INTERRUPTED, str(error)
        case _:
            return how_it_ended(error)
