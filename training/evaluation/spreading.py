"""Orders that the background workers of any number of machines carry out, for one run.

Orders lie in the database, which all machines share. A worker claims one by a lease, does what it
asks and writes the answer; a worker that is killed lets the lease run out, and another comes to the
same answer. Whoever asked puts the answers in order: its files are those of one process.
"""

import functools
import logging
import secrets
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta

import msgspec
from celery import current_app
from django.db import DatabaseError, models
from django.utils import timezone
from django.utils.module_loading import import_string

from negotiation.code_version import code_version
from negotiation.enqueue import enqueue
from negotiation.games.lease import Lease
from negotiation.policies import UnknownPolicy
from training.evaluation.domain import domain_of, read_row
from training.evaluation.playing import PlayedOf
from training.evaluation.rows import Row
from training.evaluation.workers import Answer, Chunk, Elsewhere, PolicyFailed, Tick, answer_of
from training.models import Order

log = logging.getLogger(__name__)

TASK = "training.tasks.play_orders"

ERRANDS = {
    "games": "training.evaluation.spreading.GAMES",
    "league": "training.stages.league.pieces.PIECES",
    "exploit": "training.stages.league.exploiting.TAKINGS",
}
"""What can be ordered, and where it is known how; imported when there is such an order."""

LEASE = Lease(seconds=15.0, until="claimed_until")
RENEW_S = 4.0
LOOK_S = 0.1
KNOCK_S = 3.0
"""How often whoever asks looks whether enough workers help, and asks for more."""

ALONE_AFTER_S = 20.0
"""When for so long no answer came, an order is done here: a run does not wait for nobody."""

TURN_S = 45.0
"""So long one worker helps at a time; then somebody else's job has its turn."""

FORGOTTEN = timedelta(days=7)
"""Orders of somebody who was killed and never went on."""


class Errand(msgspec.Struct, frozen=True):
    """How orders of one sort are done: ``do`` answers what is asked, with a tick now and then.

    ``version`` names what the answer follows from, code and policies; "" where it is not here.
    """

    do: Callable[[bytes, Tick], bytes]
    version: Callable[[bytes], str]


def errand_of(name: str) -> Errand | None:
    """Find an errand; None where this code has no such one."""
    place = ERRANDS.get(name)
    found: Errand | None = import_string(place) if place else None
    return found


class Spread(msgspec.Struct):
    """Who is asked: ``helpers`` workers at once, for ``run``: a run's id, or a name of its own.

    Whoever found itself ``alone`` does not wait for others again until one of them has answered.
    """

    run: str
    helpers: int
    alone: bool = False

    def answers(
        self, errand: str, asked: Sequence[bytes], tick: Tick
    ) -> Iterator[tuple[int, bytes]]:
        """Have all done; each answer comes once, with its place, in whatever order they come.

        Raises:
            PolicyFailed: what was ordered raised an error, on whatever machine.
        """
        known = errand_of(errand)
        assert known is not None
        orders = Order.objects.filter(run=self.run)
        orders.delete()
        Order.objects.filter(made_at__lt=timezone.now() - FORGOTTEN).delete()
        Order.objects.bulk_create(
            Order(run=self.run, number=number, errand=errand, version=known.version(one), asked=one)
            for number, one in enumerate(asked)
        )
        try:
            yield from self._gathered(len(asked), tick)
        finally:
            with suppress(DatabaseError):
                orders.delete()

    def _gathered(self, left: int, tick: Tick) -> Iterator[tuple[int, bytes]]:
        orders = Order.objects.filter(run=self.run)
        knocked, heard = 0.0, time.monotonic()
        while left:
            tick()
            done = list(orders.exclude(answer=None).defer("asked")[:100])
            for order in done:
                yield order.number, bytes(order.answer or b"")
            if done:
                orders.filter(pk__in=[order.pk for order in done]).delete()
                left -= len(done)
                heard, self.alone = time.monotonic(), False
            if failed := orders.exclude(failed="").first():
                raise PolicyFailed(failed.failed)
            if time.monotonic() - knocked > KNOCK_S:
                knocked = time.monotonic()
                self._knock()
            self.alone = self.alone or time.monotonic() - heard > ALONE_AFTER_S
            if self.alone and (own := claim(self.run)):
                yield own.number, _done(own, _holding(own, tick))
                orders.filter(pk=own.pk).delete()
                left -= 1
            elif left and not done:
                time.sleep(LOOK_S)

    def _knock(self) -> None:
        orders = Order.objects.filter(run=self.run, answer=None, failed="")
        free = orders.filter(LEASE.is_free()).count()
        at_work = orders.exclude(LEASE.is_free()).count()
        for _ in range(min(free, self.helpers - at_work)):
            if not enqueue(current_app.signature(TASK), self.run):
                return


def answered(spread: Spread | None, errand: str, asked: Sequence[bytes], tick: Tick) -> list[bytes]:
    """Have all done, by the workers of a spread or here; answers in the order of the questions."""
    if spread is None:
        known = errand_of(errand)
        assert known is not None
        return [known.do(one, tick) for one in asked]
    found = dict(spread.answers(errand, asked, tick))
    return [found[number] for number in range(len(asked))]


def help_out(run: str) -> int:
    """Do orders of a run until there are none, or somebody else has a turn; how many."""
    ends, done = time.monotonic() + TURN_S, 0
    while time.monotonic() < ends and (order := claim(run)):
        _do(order)
        done += 1
    return done


def claim(run: str) -> Order | None:
    """Claim an order; None where there is none that comes out here as it would there."""
    foreign: set[str] = set()
    free = Order.objects.filter(run=run, answer=None, failed="").order_by("number").defer("asked")
    while waiting := list(free.filter(LEASE.is_free()).exclude(version__in=foreign)[:16]):
        # Not the same one for all who look at the same moment.
        order = secrets.choice(waiting)
        errand = errand_of(order.errand)
        if errand is None or order.version != errand.version(bytes(order.asked)):
            log.warning("orders of another version are left alone", extra={"run": run})
            foreign.add(order.version)
        elif LEASE.take(_open(order)):
            return order
    return None


def _do(order: Order) -> None:
    try:
        answer = _done(order, _holding(order))
    # What is ordered may raise anything; whoever asked tells the world.
    except Exception as error:  # noqa: BLE001
        told = str(error) if isinstance(error, PolicyFailed) else ""
        _open(order).update(failed=told or traceback.format_exc())
        return
    _open(order).update(answer=answer)


def _done(order: Order, tick: Tick) -> bytes:
    errand = errand_of(order.errand)
    assert errand is not None
    return errand.do(bytes(order.asked), tick)


def _holding(order: Order, tick: Tick | None = None) -> Tick:
    """Renew the lease of an order from time to time, whenever there is a tick."""
    renewed = time.monotonic()

    def hold() -> None:
        nonlocal renewed
        if tick is not None:
            tick()
        if time.monotonic() - renewed > RENEW_S:
            renewed = time.monotonic()
            LEASE.extend(_open(order))

    return hold


def _open(order: Order) -> models.QuerySet[Order]:
    return Order.objects.filter(pk=order.pk, answer=None)


code_here = functools.cache(code_version)
"""The code as it was when this process first looked: it does not run what was changed since."""


def played_by(spread: Spread) -> Elsewhere:
    """Have games played by the workers of a spread."""

    def play(chunks: Sequence[Chunk], tick: Tick) -> Iterator[PlayedOf[Row]]:
        asked = [msgspec.json.encode(chunk) for chunk in chunks]
        for _, answer in spread.answers("games", asked, tick):
            for unit, lines in msgspec.json.decode(answer, type=Answer):
                yield PlayedOf(unit, tuple(map(read_row, lines)))

    return play


def _answer(asked: bytes, tick: Tick) -> bytes:
    return msgspec.json.encode(answer_of(_chunk(asked), tick))


def _version(asked: bytes) -> str:
    first = _chunk(asked)[0]
    domain = domain_of(first.suite)
    try:
        # A buyer that was trained here may lie on no other machine, or be another one there.
        return f"{code_here(domain.rooms)} {domain.policy(first.policy).version}"
    except UnknownPolicy:
        return ""


def _chunk(asked: bytes) -> Chunk:
    return msgspec.json.decode(asked, type=Chunk)


GAMES = Errand(_answer, _version)
