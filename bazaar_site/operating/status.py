"""``/status/``: what works at the moment, in words for everybody.

It says what ``/healthz`` says, and is there when the database is not.
"""

import asyncio
import datetime as dt
import functools
import time
from typing import Any

from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bazaar_site.context import places
from bazaar_site.operating.healthz import WRONG, verdicts

LASTS_S = 3.0
"""How old an answer may be: many who look at the same time ask once."""


class Looks:
    """The last look of this process."""

    def __init__(self) -> None:
        self._asking: asyncio.Task[dict[str, str]] | None = None
        self._until = 0.0
        self.at = timezone.now()

    async def parts(self) -> dict[str, str]:
        """Return what every part said, not long ago."""
        asking, loop = self._asking, asyncio.get_running_loop()
        if asking is None or asking.get_loop() is not loop or time.monotonic() > self._until:
            asking = self._asking = loop.create_task(verdicts())
            self._until, self.at = time.monotonic() + LASTS_S, timezone.now()
        return await asyncio.shield(asking)


_looks = Looks()


@never_cache
@require_safe
async def status(request: HttpRequest) -> HttpResponse:
    """Say what works; without the database nothing is known of who asks."""
    parts = await _looks.parts()
    told = {
        "parts": parts,
        "is_well": WRONG.isdisjoint(parts.values()),
        "at": _looks.at.astimezone(dt.UTC),
    }
    draw = functools.partial(_drawn, request, told, get_language())
    return await database_sync_to_async(draw, thread_sensitive=False)()


def _drawn(request: HttpRequest, told: dict[str, Any], language: str | None) -> HttpResponse:
    with override(language):
        if told["parts"]["database"] == "ok":
            return render(request, "status.html", told)
        return HttpResponse(render_to_string("status.html", {**told, **places(request)}))
