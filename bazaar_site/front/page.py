"""Everything that the front page shows beside who serves Sauda now."""

import functools
from typing import Any

from django.utils import timezone

from bazaar_site.front.curves import curves
from bazaar_site.front.door import GYMNASIUM
from bazaar_site.front.envelope import envelope_scenes
from bazaar_site.front.haggle import haggle
from bazaar_site.front.house import house
from bazaar_site.front.lamp import lamp
from bazaar_site.front.onstage import on_stage
from bazaar_site.front.playground import playground
from bazaar_site.front.stages import done_kinds, is_trained, stages_garland
from bazaar_site.front.ways import stock
from negotiation.listings import featured
from negotiation.short_memory import kept
from negotiation.stall import Offered, offered
from training.pages.public.people import people

IN_THE_WINDOW = 3
WINDOW_EVERY_S = 30.0


def front_page() -> dict[str, Any]:
    """Gather the page. What never changes is made once per process, the rest every few seconds."""
    done = done_kinds()
    return {
        **_drawn(),
        "live": on_stage(),
        "stock": stock(),
        "playground": playground(),
        "stages": stages_garland(done),
        "trained": is_trained(done),
        "curves": curves(),
        "people": people(),
        "listings": kept("window", WINDOW_EVERY_S, _window),
    }


@functools.cache
def _drawn() -> dict[str, Any]:
    told = lamp()
    scenes = envelope_scenes(told.ended, told.opened["item"]["currency"])
    return {"haggle": haggle(), "lamp": told, "scenes": scenes, "house": house(), "door": GYMNASIUM}


def _window() -> list[Offered]:
    today = timezone.localdate().toordinal()
    return [offered(listing) for listing in featured(today, IN_THE_WINDOW)]
