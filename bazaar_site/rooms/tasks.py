"""Background work of rooms."""

import logging

from celery import shared_task

from bazaar_site.rooms.export import forgetting, schedule

__all__ = ["forget_due_rooms", "schedule"]

log = logging.getLogger(__name__)


@shared_task(ignore_result=True, soft_time_limit=600, time_limit=660)
def forget_due_rooms() -> None:
    """Delete the rooms whose time is over; what one call leaves, the next one finds."""
    count = forgetting.forget_due()
    if count:
        log.info("rooms were deleted: their time was over", extra={"rooms": count})
