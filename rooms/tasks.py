"""Background work of rooms and accounts, and what asks the worker for it."""

import logging
from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.conf import settings

from negotiation.enqueue import enqueue_soon
from replays.puzzles.progress import forget_strays
from rooms.accounts import forget_expired_sessions
from rooms.export import forgetting
from rooms.hosting import touch
from rooms.lti import marks
from rooms.lti.browser import forget_old
from rooms.models import Room

log = logging.getLogger(__name__)

EVERY_S = 3600.0
"""How often the worker looks whose time is over. No visitor is needed for it."""

FIRST_S = 60.0
"""Wait after the start: a worker that is just up has other things to do."""


@worker_ready.connect
def forget_every_hour(sender: Any, **_: Any) -> None:
    """Look every hour, in the worker of short tasks alone, by the timer of its event loop.

    Celery takes the timer back when the broker goes away; the worker is ready anew after that.
    """
    if settings.CELERY_TASK_DEFAULT_QUEUE in sender.app.amqp.queues.consume_from:
        sender.hub.call_later(FIRST_S, ask_to_forget)
        sender.hub.call_repeatedly(EVERY_S, ask_to_forget)


def ask_to_forget() -> None:
    """Let the worker delete what is over its time."""
    enqueue_soon(forget_due_rooms)
    enqueue_soon(forget_old_sessions)


def look_at_marks(room_id: str, **_: Any) -> None:
    """Let the worker see which marks have changed, where somebody of a room came from a course."""
    if marks.may_change(room_id):
        enqueue_soon(owe_marks, room_id)


def send_marks_soon() -> None:
    """Let the worker send what is due; one query where nothing is."""
    if marks.due().exists():
        enqueue_soon(send_marks)


@shared_task(
    name="bazaar_site.rooms.tasks.forget_due_rooms",
    ignore_result=True,
    soft_time_limit=600,
    time_limit=660,
)
def forget_due_rooms() -> None:
    """Delete the rooms whose time is over; what one call leaves, the next one finds."""
    count = forgetting.forget_due()
    if count:
        log.info("rooms were deleted: their time was over", extra={"rooms": count})


@shared_task(
    name="bazaar_site.rooms.tasks.forget_old_sessions",
    ignore_result=True,
    soft_time_limit=600,
    time_limit=660,
)
def forget_old_sessions() -> None:
    """Delete the sessions whose time is over, and who came from a course an hour ago."""
    count, strays = forget_expired_sessions(), forget_strays()
    if count:
        log.info("sessions were deleted: their time was over", extra={"sessions": count})
    if strays:
        log.info("tries at puzzles were deleted: their visitors are gone", extra={"rows": strays})
    forget_old()


@shared_task(name="bazaar_site.rooms.tasks.owe_marks", ignore_result=True)
def owe_marks(room_id: str) -> None:
    """Note which marks of a room have changed, and send them."""
    room = Room.objects.filter(pk=room_id).first()
    if room is not None and marks.owe(room):
        touch(room)
        send_marks()


@shared_task(
    name="bazaar_site.rooms.tasks.send_marks",
    ignore_result=True,
    soft_time_limit=600,
    time_limit=660,
)
def send_marks() -> None:
    """Send the marks that are due to the platforms of their courses."""
    from rooms.lti.sending import send_due

    count = send_due()
    if count:
        log.info("marks were sent", extra={"marks": count})
