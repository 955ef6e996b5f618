"""The site as an ASGI application that can be harmed (``tests.support.harm``)."""

from tests.support.harm import arm, shift_clocks

shift_clocks()

from bazaar_site.asgi import application  # noqa: E402  made with the clocks of above

arm()

__all__ = ["application"]
