"""The landing page, the game that is played back on it, and the icon for pages that name none."""

import functools
import hashlib
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from bazaar_site.landing.playground import playground
from bazaar_site.landing.serving import known, look
from bazaarbatna.auction.scenario import MOST_BUYERS
from bazaarbatna.bargain.episode import start
from bazaarbatna.bargain.events import Ended, Event
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.sealed import commitment
from negotiation.bargain import opponent
from negotiation.bargain.scenarios import NewSale, scenario_of
from negotiation.bargain.shops import shop_of
from negotiation.bargain.visibility import ending, frame
from negotiation.bargain.web.bubbles import Frame, bubble_of
from negotiation.bargain.web.game_page import half_way
from negotiation.bargain.web.listing_search import Offered, offered
from negotiation.bargain.web.listings import featured
from negotiation.bargain.web.rendering import event_html
from negotiation.bargain.web.seats import Cast
from negotiation.charts.price_path import price_path
from negotiation.games.event_log import kind_of, to_payload
from negotiation.games.visitors import is_back, visitor
from negotiation.models import EventRow, Game
from negotiation.policies import policy
from negotiation.portraits.face import Mood
from negotiation.portraits.moods import mood_of
from negotiation.sentences import sentences
from negotiation.ttl_cache import cached
from replays.browse.shelf import MOST_COUNTED, OF_THIS_SITE, Shelf
from replays.daily.days import made_today
from replays.daily.results import streak_of
from replays.daily.twists import TWISTS, twist_of
from replays.sealed_days import day_of, ends_at
from training.models import Run
from training.pages.public.liking import liking
from training.pages.public.people import people
from training.pages.public.reproduced import reproduced
from training.pages.public.several_issues import several_issues

say = sentences(__file__)


BUYER, SELLER, SEED = "sauda", "seller:deceptive", 12
SALT = hashlib.sha256(b"the game on the landing page").hexdigest()[:32]

CARPET = NewSale(
    title="Kashmiri carpet, hand-knotted",
    category="Home",
    description="Wool on cotton, four by six feet. One corner faded by the sun.",
    condition_label="very_good",
    asking_price=Paise(2_400_000),
    reservation_price=Paise(1_450_000),
)


class Beat(msgspec.Struct, frozen=True):
    """One item of the talk; ``letters`` counts what there is to read, ``who`` speaks in a mood."""

    seq: int
    letters: int
    html: SafeString
    actor: str = ""
    who: str = ""
    mood: Mood = "calm"


class DemoGame(msgspec.Struct, frozen=True):
    """A finished game, ready to be played back; ``ended`` is its last event, seal opened."""

    title: str
    buyer: str
    seller: str
    shop: str
    beats: tuple[Beat, ...]
    chart: SafeString
    ended: dict[str, Any]


def demo_game() -> DemoGame:
    """Return it in the reader's language; played and drawn once per process and language."""
    return _demo_game(get_language())


@functools.cache
def _demo_game(_language: str | None) -> DemoGame:
    shop = shop_of(SELLER)
    cast = Cast(shop.keeper, gettext(policy(BUYER).title), is_reader=False)
    frames = _translated(demo_frames())
    return DemoGame(
        title=CARPET.title,
        buyer=cast.buyer,
        seller=cast.seller,
        shop=shop.name,
        beats=_beats(frames, cast),
        chart=price_path(frames, width=520, height=400, place="haggle"),
        ended=frames[-1]["event"],
    )


def demo_frames() -> list[Frame]:
    """Play it and return its log as a replay shows it, prices in rupees."""
    # The salt is fixed too: the same envelope in every process.
    scenario = msgspec.structs.replace(scenario_of(CARPET, lambda _: SEED), salt=SALT)
    game = Game(title=CARPET.title, status=Game.Status.ENDED)
    return [
        _frame(seq, event, game, scenario) for seq, event in enumerate(_played(scenario), start=1)
    ]


def _translated(frames: list[Frame]) -> list[Frame]:
    """Say what was said in the reader's language, and underline the same words there."""
    said = {one["seq"]: one["event"].get("text") or "" for one in frames}
    return [{**one, "event": {**one["event"], **_told_again(one["event"], said)}} for one in frames]


def _told_again(event: dict[str, Any], said: dict[int, str]) -> dict[str, Any]:
    if event["kind"] != "tells":
        return {"text": gettext(event["text"])} if event.get("text") else {}
    was = said[event["of_seq"]]
    text, spans = gettext(was), []
    for span in event["spans"]:
        words = gettext(was[span["start"] : span["end"]])
        if (start := text.find(words)) >= 0:
            spans.append({**span, "start": start, "end": start + len(words)})
    return {"spans": spans}


def _played(scenario: Scenario) -> list[Event]:
    state, opening = start(scenario)
    events: list[Event] = [*opening]
    while state.ended is None:
        taken = opponent.take(state, BUYER if state.to_move == "buyer" else SELLER, len(events))
        assert taken is not None
        state = taken.state
        events += taken.events
    return events


def _frame(seq: int, event: Event, game: Game, scenario: Scenario) -> Frame:
    if isinstance(event, Ended):
        # A stored game reads its promise from the database; this one has no row there.
        promise = commitment(scenario.sealed, scenario.salt)
        return {"type": "event", "seq": seq, "event": {"kind": "ended", **ending(event, promise)}}
    row = EventRow(game=game, seq=seq, kind=kind_of(event), payload=to_payload(event))
    shown = frame(row, game, "replay")
    assert shown is not None
    return shown


def _beats(frames: list[Frame], cast: Cast) -> tuple[Beat, ...]:
    game = Game(title=CARPET.title)
    told = [one for one in frames if one["event"]["kind"] != "tells"]
    # Every item comes from a template, which has escaped the words.
    return tuple(
        Beat(
            one["seq"],
            _letters(one, frames, cast),
            mark_safe(event_html(one, frames, game, cast=cast)),  # noqa: S308
            *_speaker(one, frames),
        )
        for one in told
    )


def _speaker(frame: Frame, frames: list[Frame]) -> tuple[str, str, Mood]:
    actor = frame["event"].get("actor", "")
    if not actor:
        return "", "", "calm"
    heard = frames[: frames.index(frame) + 1]
    return actor, BUYER if actor == "buyer" else SELLER, mood_of(heard, actor)


def _letters(frame: Frame, frames: list[Frame], cast: Cast) -> int:
    if "actor" not in frame["event"]:
        return 0
    bubble = bubble_of(frame, frames, cast)
    reasons = sum(len(tell.why) for tell in bubble.tells)
    return len(frame["event"].get("text") or "") + reasons


IN_THE_WINDOW = 5
COUNTED_EVERY_S = 30.0
LOOK_EVERY_S = 10.0

TRAINED = ("sft", "grpo", "dpo")
"""Kinds of runs that teach a model something; before them it only knows how games sound."""

GYMNASIUM = """\
import gymnasium

bazaar = gymnasium.make("bazaarbatna.gym:Bazaar-v0")
seen, info = bazaar.reset(seed=7)
for bid in (0.4, 0.5, 0.6, 0.7):  # parts of the own budget
    seen, reward, over, _, info = bazaar.step({"move": 0, "price": [bid]})
    print(f"{reward:+.2f}", info["said"])
    if over:
        break
"""


class Stock(msgspec.Struct, frozen=True):
    """Replays as text ("" for none), buyers in the largest match."""

    replays: str
    buyers: int


def _twist() -> str:
    dealt = made_today()
    return dealt.twist if dealt else twist_of(day_of(timezone.now()))


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    """Say what this is, open a game with one button, and show the ways in."""
    window = cached("window", COUNTED_EVERY_S, _window)
    today = day_of(timezone.now())
    context = {
        "twist": TWISTS.get(cached(f"twist {today}", COUNTED_EVERY_S, _twist)),
        "game": demo_game(),
        "stock": cached("stock", COUNTED_EVERY_S, _count),
        "offer": window[0] if window else None,
        "listings": window[1:],
        "ends": ends_at(today),
        "streak": streak_of(visitor(request), today) if is_back(request) else 0,
        **half_way(request),
    }
    return render(request, "landing.html", context)


@require_safe
def evidence(request: HttpRequest) -> HttpResponse:
    """Show what was measured."""
    done = cached("run-kinds", LOOK_EVERY_S, _done_kinds)
    context = {
        "playground": playground(),
        "trained": not done.isdisjoint(TRAINED),
        "people": people(),
        "liking": liking(),
        "reproduced": reproduced(),
        "several_issues": several_issues(),
    }
    return render(request, "evidence.html", context)


@require_safe
def evidence_how(request: HttpRequest) -> HttpResponse:
    """Show how a move comes about, and who speaks now."""
    return render(request, "evidence_how.html", {"gymnasium": GYMNASIUM, "serving": known()})


@require_safe
@never_cache
async def landing_serving(request: HttpRequest) -> HttpResponse:
    """Say again who serves Sauda now, after a look at every backend."""
    return render(request, "landing/_serving.html", {"serving": await look(), "asked": True})


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead browsers that guess to the icon (the admin's pages name none)."""
    return redirect(static("img/favicon.svg"))


def _done_kinds() -> frozenset[str]:
    shown = Run.objects.filter(status=Run.Status.DONE, published_at__isnull=False).order_by()
    return frozenset(shown.values_list("kind", flat=True).distinct())


def _count() -> Stock:
    shared = Game.objects.filter(
        status=Game.Status.ENDED, share_replay__in=(True,), source__in=OF_THIS_SITE
    )
    replays = shared.order_by().values("pk")[: MOST_COUNTED + 1].count()
    told = Shelf((), replays).count_text if replays else ""
    return Stock(told, MOST_BUYERS)


def _window() -> list[Offered]:
    today = timezone.localdate().toordinal()
    return [offered(listing) for listing in featured(today, IN_THE_WINDOW)]


PAPER, MADDER = "#faf5ec", "#9c2f22"
ICONS = (("img/icon-192.png", "192x192"), ("img/icon-512.png", "512x512"))


@require_safe
@vary_on_cookie  # the language may stand in one
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    """Tell a phone how to install the site; what is shared with it becomes an own item."""
    described = {
        "name": "BazaarBATNA",
        "short_name": "Bazaar",
        "description": say("bargain_against_a_buyer_that_was"),
        "lang": get_language(),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": MADDER,
        "icons": [
            {"src": static(file), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for file, sizes in ICONS
            for purpose in ("any", "maskable")
        ],
        "shortcuts": [
            {"name": say("sell_something"), "url": reverse("sell")},
            {"name": say("arena"), "url": reverse("arena")},
        ],
        "share_target": {
            "action": reverse("sell-new"),
            "method": "GET",
            "params": {"title": "title", "text": "description"},
        },
    }
    return JsonResponse(described, content_type="application/manifest+json")


@require_safe
@vary_on_cookie
@cache_control(max_age=0, must_revalidate=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Give the browser what it keeps for when there is no net: one page and what it looks like."""
    kept = [reverse("offline"), *map(static, OFFLINE_FILES)]
    return render(request, "service-worker.js", {"kept": kept}, "text/javascript")


OFFLINE_FILES = (
    *(f"css/{name}.css" for name in ("layers", "tokens", "base", "frame", "buttons", "cards")),
    "img/logo.svg",
)


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show that there is no net; kept by the service worker, in the visitor's language."""
    return render(request, "offline.html")
