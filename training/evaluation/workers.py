"""Games played in several processes at once; each ends by itself when its parent is gone."""

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from training.evaluation import EvaluationError
from training.evaluation.domain import domain_of, read_row
from training.evaluation.playing import PlayedOf, Unit
from training.evaluation.rows import Row, to_line

CHUNK = 20  # Rows in one order to a worker, at least: under a second's work of a rule buyer
WORTH = 10  # Orders from which more processes are worth the seconds they take to start
TICK_S = 0.5
MOST_AT_FIRST = 8  # Processes, where nobody says how many: more cores than that are somebody else's
Chunk = tuple[Unit, ...]
Answer = list[tuple[Unit, list[bytes]]]  # What a worker sends: its games, their rows as lines

Tick = Callable[[], None]
"""Called about every half second, at least between games; stops the work by an exception."""


class WorkerDied(EvaluationError):
    """A process that played has ended; the games it had are played again on resume."""


class PolicyFailed(EvaluationError):
    """A policy raised an error; the message holds its traceback."""


def usual_workers() -> int:
    """Return how many processes play where nobody says so: one for each core, at most eight."""
    return min(os.cpu_count() or 1, MOST_AT_FIRST)


Elsewhere = Callable[[Sequence[Chunk], Tick], Iterator[PlayedOf[Row]]]
"""Plays orders on other machines, as ``play_all`` does."""


def play_all(
    units: Sequence[Unit], workers: int, tick: Tick, elsewhere: Elsewhere | None = None
) -> Iterator[PlayedOf[Row]]:
    """Play games; each comes out once, in whatever order they end.

    Little work is played in this process, and so are policies that hold a heavy model; what
    ``elsewhere`` plays is not played by processes of this machine.

    Raises:
        WorkerDied: a process was killed.
        PolicyFailed: a policy raised an error.
    """
    suites = {unit.policy: unit.suite for unit in units}
    ways = {name: domain_of(suite).way(name) for name, suite in suites.items()}
    chunks = list(_chunks_of(units, lambda unit: ways[unit.policy].batch or _order(unit)))
    apart = [chunk for chunk in chunks if ways[chunk[0].policy].apart]
    # Models first, they take longest: short orders fill the end, and no process waits for another.
    apart.sort(key=lambda chunk: -ways[chunk[0].policy].batch)
    if elsewhere is not None and apart:
        yield from elsewhere(apart, tick)
        chunks = [chunk for chunk in chunks if not ways[chunk[0].policy].apart]
    elif workers > 1 and sum(-(-len(chunk) // _order(chunk[0])) for chunk in apart) >= WORTH:
        yield from _play_apart(apart, workers, tick)
        # All games of a heavy model in a row: it need not be loaded twice.
        heavy = (chunk for chunk in chunks if not ways[chunk[0].policy].apart)
        chunks = sorted(heavy, key=lambda chunk: chunk[0].policy)
    yield from play_here(chunks, tick)


def _chunks_of(units: Sequence[Unit], size: Callable[[Unit], int]) -> Iterator[Chunk]:
    chunk: list[Unit] = []
    for unit in units:
        if chunk and (len(chunk) == size(unit) or _table(unit) != _table(chunk[0])):
            yield tuple(chunk)
            chunk = []
        chunk.append(unit)
    if chunk:
        yield tuple(chunk)


def _table(unit: Unit) -> tuple[str, str]:
    return unit.policy, unit.suite


def _order(unit: Unit) -> int:
    # How many games make an order of a policy that plays them one by one.
    return max(1, CHUNK // domain_of(unit.suite).rows_in(unit.suite))


def _played(chunk: Chunk, tick: Tick | None) -> Iterator[PlayedOf[Row]]:
    first, seeds = chunk[0], [unit.seed for unit in chunk]
    yield from domain_of(first.suite).play(first.policy, first.suite, seeds, tick)


def answer_of(chunk: Chunk, tick: Tick | None = None) -> Answer:
    """Play one order for whoever puts the rows in order; raises PolicyFailed."""
    return [(one.unit, list(map(to_line, one.rows))) for one in play_here([chunk], tick)]


def play_here(chunks: Sequence[Chunk], tick: Tick | None) -> Iterator[PlayedOf[Row]]:
    """Play orders in this process; raises PolicyFailed."""
    for chunk in chunks:
        try:
            # Games in step draw from the same dice: kept together, so that a run that is stopped
            # between them goes on as it would have.
            yield from tuple(_played(chunk, tick))
        except EvaluationError:
            raise
        # A policy may raise anything; the run must say so and stay resumable.
        except Exception as error:
            raise PolicyFailed(_what_failed(chunk)) from error


def _play_apart(chunks: Sequence[Chunk], workers: int, tick: Tick) -> Iterator[PlayedOf[Row]]:
    waiting = list(reversed(chunks))
    helpers = [_start() for _ in range(min(workers, len(chunks)))]
    lines = dict(helpers)
    try:
        for line, helper in helpers:
            _send(line, helper, waiting.pop())
        busy = set(lines)
        while busy:
            tick()
            for line in busy.intersection(wait(list(busy), TICK_S)):
                done = _receive(line, lines[line])
                if waiting:
                    _send(line, lines[line], waiting.pop())
                else:
                    busy.discard(line)
                yield from done
    finally:
        _stop(lines)


def _start() -> tuple[Connection, BaseProcess]:
    # Spawned, not forked: a child then holds no other child's line, and the end of the parent
    # closes them all, however it ended.
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    helper = context.Process(target=_serve, args=(there,), daemon=True)
    helper.start()
    there.close()
    return here, helper


def _send(line: Connection, helper: BaseProcess, chunk: Chunk) -> None:
    try:
        line.send(chunk)
    except OSError as error:
        raise _died(helper) from error


def _receive(line: Connection, helper: BaseProcess) -> list[PlayedOf[Row]]:
    try:
        answer = line.recv()
    except (EOFError, OSError) as error:
        raise _died(helper) from error
    if isinstance(answer, str):
        raise PolicyFailed(answer)
    return [PlayedOf(unit, tuple(map(read_row, lines))) for unit, lines in answer]


def _died(helper: BaseProcess) -> WorkerDied:
    helper.join(1)
    return WorkerDied(
        f"A process that played has ended with {helper.exitcode}; what was finished is kept."
    )


def _stop(lines: dict[Connection, BaseProcess]) -> None:
    for line, helper in lines.items():
        line.close()
        helper.terminate()
    for helper in lines.values():
        helper.join()


def _serve(line: Connection) -> None:
    import django

    # Ctrl-C reaches the whole group; the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    django.setup()
    while True:
        try:
            chunk: Chunk = line.recv()
        except (EOFError, ConnectionError):
            return
        try:
            answer: Answer | str = answer_of(chunk)
        except EvaluationError as failed:  # the parent tells the world
            answer = str(failed)
        try:
            line.send(answer)
        except (BrokenPipeError, ConnectionError):
            return


def _what_failed(chunk: Chunk) -> str:
    """Say which policy raised the error that is handled now, where, and first of all what."""
    *_, last = traceback.format_exc().strip().splitlines()
    where = traceback.format_exc(limit=-3).strip()
    return f"{chunk[0].policy} failed in {chunk[0].suite}: {last}\n{where}"
