"""Games played by the background workers of any number of machines, for one run.

Orders lie in the database, which all machines share. A worker claims one by a lease, plays it and
writes its rows; a worker that is killed lets the lease run out, and another plays the same games to
the same rows. Whoever runs the evaluation puts them in order: its files are those of one process.
"""

import logging
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec
from celery import current_app
from django.db import DatabaseError, models

from negotiation.enqueue import enqueue
from negotiation.games.lease import Lease
from training.evaluation import EvaluationError
from training.evaluation.domain import domain_of, read_row
from training.evaluation.playing import PlayedOf
from training.evaluation.rows import Row
from training.evaluation.workers import (
    Answer,
    Chunk,
    PolicyFailed,
    Tick,
    answer_of,
    play_here,
    what_failed,
)
from training.models import Order
from training.runs.code_version import code_version

log = logging.getLogger(__name__)

TASK = "training.tasks.play_orders"

LEASE = Lease(seconds=15.0, until="claimed_until")
RENEW_S = 4.0
LOOK_S = 0.1
KNOCK_S = 3.0
"""How often whoever runs it looks whether enough workers help, and asks for more."""

ALONE_AFTER_S = 20.0
"""When for so long no order came back, one is played here: a run does not wait for nobody."""

TURN_S = 45.0
"""So long one worker helps at a time; then somebody else's job has its turn."""


class Mismatch(EvaluationError):
    """A worker played with another version of a policy than the run has pinned."""


class Spread(msgspec.Struct, frozen=True):
    """Who is asked for a run: ``helpers`` workers at once; ``versions`` are pinned by policy."""

    run_id: str
    helpers: int
    versions: Mapping[str, str]

    def play(self, chunks: Sequence[Chunk], tick: Tick) -> Iterator[PlayedOf[Row]]:
        """Have all played; each game comes out once, in whatever order they end.

        Raises:
            PolicyFailed: a policy raised an error, on whatever machine.
            Mismatch: a worker has another version of it.
        """
        orders = Order.objects.filter(run=self.run_id)
        orders.delete()
        code = {chunk[0].suite: code_version(domain_of(chunk[0].suite).rooms) for chunk in chunks}
        Order.objects.bulk_create(
            Order(
                run_id=self.run_id, number=number, code=code[chunk[0].suite],
                units=msgspec.to_builtins(chunk),
            )
            for number, chunk in enumerate(chunks)
        )  # fmt: skip
        try:
            yield from self._gathered(len(chunks), tick)
        finally:
            with suppress(DatabaseError):
                orders.delete()

    def _gathered(self, left: int, tick: Tick) -> Iterator[PlayedOf[Row]]:
        orders = Order.objects.filter(run=self.run_id)
        knocked, heard = 0.0, time.monotonic()
        while left:
            tick()
            done = list(orders.exclude(lines=None)[:100])
            for order in done:
                yield from self._read(order)
            if done:
                orders.filter(pk__in=[order.pk for order in done]).delete()
                left -= len(done)
                heard = time.monotonic()
            if failed := orders.exclude(failed="").first():
                raise PolicyFailed(failed.failed)
            if time.monotonic() - knocked > KNOCK_S:
                knocked = time.monotonic()
                self._knock()
            if time.monotonic() - heard > ALONE_AFTER_S and (own := claim(self.run_id)):
                yield from play_here([_chunk(own)], _holding(own, tick))
                orders.filter(pk=own.pk).delete()
                left -= 1
            elif not done:
                time.sleep(LOOK_S)

    def _read(self, order: Order) -> Iterator[PlayedOf[Row]]:
        answer = msgspec.json.decode(bytes(order.lines or b""), type=Answer)
        for unit, lines in answer:
            rows = tuple(map(read_row, lines))
            if any(row.policy_version != self.versions[unit.policy] for row in rows):
                raise Mismatch(f"A worker has another version of {unit.policy} than the run.")
            yield PlayedOf(unit, rows)

    def _knock(self) -> None:
        orders = Order.objects.filter(run=self.run_id, lines=None, failed="")
        free = orders.filter(LEASE.is_free()).count()
        at_work = orders.exclude(LEASE.is_free()).count()
        for _ in range(min(free, self.helpers - at_work)):
            if not enqueue(current_app.signature(TASK), self.run_id):
                return


def help_out(run_id: str) -> int:
    """Play orders of a run until there are none, or somebody else has a turn; how many."""
    ends, played = time.monotonic() + TURN_S, 0
    while time.monotonic() < ends and (order := claim(run_id)):
        _play(order)
        played += 1
    return played


def claim(run_id: str) -> Order | None:
    """Claim an order; None where there is none for this version of the code."""
    free = Order.objects.filter(LEASE.is_free(), run=run_id, lines=None, failed="")
    waiting = list(free.order_by("number")[:16])
    while waiting:
        # Not the same one for all who look at the same moment.
        order = waiting.pop(secrets.randbelow(len(waiting)))
        if order.code != code_version(domain_of(order.units[0]["suite"]).rooms):
            log.warning(
                "orders of another version of the code are left alone", extra={"run": run_id}
            )
            return None
        if LEASE.take(_unplayed(order)):
            return order
    return None


def _play(order: Order) -> None:
    chunk = _chunk(order)
    try:
        lines = msgspec.json.encode(answer_of(chunk, _holding(order)))
    # A policy may raise anything; whoever runs the evaluation tells the world.
    except Exception:  # noqa: BLE001
        _unplayed(order).update(failed=what_failed(chunk))
        return
    _unplayed(order).update(lines=lines)


def _holding(order: Order, tick: Tick | None = None) -> Tick:
    """Renew the lease of an order from time to time, whenever there is a tick."""
    renewed = time.monotonic()

    def hold() -> None:
        nonlocal renewed
        if tick is not None:
            tick()
        if time.monotonic() - renewed > RENEW_S:
            renewed = time.monotonic()
            LEASE.extend(_unplayed(order))

    return hold


def _unplayed(order: Order) -> models.QuerySet[Order]:
    return Order.objects.filter(pk=order.pk, lines=None)


def _chunk(order: Order) -> Chunk:
    return msgspec.convert(order.units, Chunk)
