"""Background work of rooms and accounts."""

import logging

from celery import shared_task

from bazaar_site.rooms.accounts import forget_expired_sessions
from bazaar_site.rooms.export import forgetting, schedule

__all__ = ["forget_due_rooms", "forget_old_sessions", "schedule"]

log = logging.getLogger(__name__)


@shared_task(ignore_result=True, soft_time_limit=600, time_limit=660)
def forget_due_rooms() -> None:
    """Delete the rooms whose time is over; what one call leaves, the next one finds."""
    count = forgetting.forget_due()
    if count:
        log.info("rooms were deleted: their time was over", extra={"rooms": count})


@shared_task(ignore_result=True, soft_time_limit=600, time_limit=660)
def forget_old_sessions() -> None:
    """Delete the sessions whose time is over."""
    count = forget_expired_sessions()
    if count:
        log.info("sessions were deleted: their time was over", extra={"sessions": count})
