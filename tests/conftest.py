"""What every test shares."""

import os

# The engine under pytest-asyncio and Playwright runs inside an event loop; our tests that touch
# the database from there do so on purpose and from one thread.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
