"""Background work of rooms and accounts."""

import logging

from celery import shared_task

from bazaar_site.rooms.accounts import forget_expired_sessions
from bazaar_site.rooms.export import forgetting, schedule
from bazaar_site.rooms.hosting import touch
from bazaar_site.rooms.lti.browser import forget_old
from bazaar_site.rooms.models import Room

__all__ = ["forget_due_rooms", "forget_old_sessions", "owe_marks", "schedule", "send_marks"]

log = logging.getLogger(__name__)


@shared_task(ignore_result=True, soft_time_limit=600, time_limit=660)
def forget_due_rooms() -> None:
    """Delete the rooms whose time is over; what one call leaves, the next one finds."""
    count = forgetting.forget_due()
    if count:
        log.info("rooms were deleted: their time was over", extra={"rooms": count})


@shared_task(ignore_result=True, soft_time_limit=600, time_limit=660)
def forget_old_sessions() -> None:
    """Delete the sessions whose time is over, and who came from a course an hour ago."""
    count = forget_expired_sessions()
    if count:
        log.info("sessions were deleted: their time was over", extra={"sessions": count})
    forget_old()


@shared_task(ignore_result=True)
def owe_marks(room_id: str) -> None:
    """Note which marks of a room have changed, and send them."""
    from bazaar_site.rooms.lti import marks

    room = Room.objects.filter(pk=room_id).first()
    if room is not None and marks.owe(room):
        touch(room)
        send_marks()


@shared_task(ignore_result=True, soft_time_limit=600, time_limit=660)
def send_marks() -> None:
    """Send the marks that are due to the platforms of their courses."""
    from bazaar_site.rooms.lti.sending import send_due

    count = send_due()
    if count:
        log.info("marks were sent", extra={"marks": count})
