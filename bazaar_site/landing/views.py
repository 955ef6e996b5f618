"""The landing page, and the icon for pages that name none."""

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.auction.engine.scenario import MOST_BUYERS
from bazaar_site.landing.demo_game import demo_game
from bazaar_site.landing.playground import playground
from bazaar_site.landing.serving import known, look
from negotiation.bargain.shops import open_shops
from negotiation.bargain.web.listing_search import Offered, offered
from negotiation.bargain.web.listings import featured
from negotiation.models import Game
from negotiation.ttl_cache import cached
from replays.browse.shelf import MOST_COUNTED, OF_THIS_SITE, Shelf
from training.models import Run
from training.pages.public.chain import flow
from training.pages.public.people import people

IN_THE_WINDOW = 3
COUNTED_EVERY_S = 30.0
LOOK_EVERY_S = 10.0

TRAINED = ("sft", "grpo", "dpo")
"""Kinds of runs that teach a model something; before them it only knows how games sound."""

GYMNASIUM = """\
import gymnasium
import negotiation.environment.gymnasium_env  # registers Bazaar-v0

bazaar = gymnasium.make("Bazaar-v0")
seen, info = bazaar.reset(seed=7)
for bid in (0.4, 0.5, 0.6, 0.7):  # parts of the own budget
    seen, reward, over, _, info = bazaar.step({"move": 0, "price": [bid]})
    print(f"{reward:+.2f}", info["said"])
    if over:
        break
"""
"""Plays one bargain of the first suite, as it stands (a test runs it)."""


class Stock(msgspec.Struct, frozen=True):
    """Replays as text ("" for none), buyers in the largest match, stalls to buy at."""

    replays: str
    buyers: int
    shops: int


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    """Say what this is, let two agents haggle, and show the ways in."""
    return render(request, "landing.html", _page() | {"serving": known()})


@require_safe
@never_cache
async def landing_serving(request: HttpRequest) -> HttpResponse:
    """Say again who serves Sauda now, after a look at every backend."""
    return render(request, "landing/_serving.html", {"serving": await look(), "asked": True})


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead browsers that guess to the icon (the admin's pages name none)."""
    return redirect(static("img/favicon.svg"))


def _page() -> dict[str, Any]:
    done = cached("run-kinds", LOOK_EVERY_S, _done_kinds)
    return {
        "game": demo_game(),
        "stock": cached("stock", COUNTED_EVERY_S, _count),
        "playground": playground(),
        "stages": flow(done, "stages", "The training pipeline, and how far this site has come"),
        "trained": not done.isdisjoint(TRAINED),
        "people": people(),
        "listings": cached("window", COUNTED_EVERY_S, _window),
        "gymnasium": GYMNASIUM,
    }


def _done_kinds() -> frozenset[str]:
    shown = Run.objects.filter(status=Run.Status.DONE, published_at__isnull=False).order_by()
    return frozenset(shown.values_list("kind", flat=True).distinct())


def _count() -> Stock:
    shared = Game.objects.filter(
        status=Game.Status.ENDED, share_replay__in=(True,), source__in=OF_THIS_SITE
    )
    replays = shared.order_by().values("pk")[: MOST_COUNTED + 1].count()
    told = Shelf((), replays).count_text if replays else ""
    return Stock(told, MOST_BUYERS, len(open_shops()))


def _window() -> list[Offered]:
    today = timezone.localdate().toordinal()
    return [offered(listing) for listing in featured(today, IN_THE_WINDOW)]
