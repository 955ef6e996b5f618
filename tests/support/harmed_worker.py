"""A worker that can be harmed (``tests.support.harm``)."""

from tests.support.harm import arm, shift_clocks

shift_clocks()

import django  # noqa: E402  with the clocks of above

from bazaar_site.celery import app  # noqa: E402  as above

django.setup()
arm()

__all__ = ["app"]
