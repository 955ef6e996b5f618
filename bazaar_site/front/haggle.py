"""The haggle that moves on the front page when nothing is live: two agents, played by the engine.

Item, stall and seed are fixed; what is said, bid, noticed and agreed is what the policies of this
site make of them.
"""

import functools

import msgspec
from django.utils.safestring import SafeString, mark_safe

from bazaar_site.front.played import by_policy, frames_of, played, scenario_for
from negotiation.bubbles import Frame, bubble_of
from negotiation.charts.price_path import price_path
from negotiation.engine.quantities import Paise
from negotiation.models import Game
from negotiation.policies import policy
from negotiation.rendering import event_html
from negotiation.scenarios import NewSale
from negotiation.seats import Cast
from negotiation.shops import shop_of

BUYER, SELLER, SEED = "sauda", "seller:deceptive", 3

CARPET = NewSale(
    title="Kashmiri carpet, hand-knotted",
    category="Home",
    description="Wool on cotton, four by six feet. One corner faded by the sun.",
    condition_label="very_good",
    asking_price=Paise(2_400_000),
    reservation_price=Paise(1_450_000),
)


class Beat(msgspec.Struct, frozen=True):
    """One item of the talk; ``letters`` counts what there is to read."""

    seq: int
    letters: int
    html: SafeString


class Haggle(msgspec.Struct, frozen=True):
    """A finished haggle, ready to be played back."""

    title: str
    buyer: str
    seller: str
    shop: str
    beats: tuple[Beat, ...]
    chart: SafeString
    versions: tuple[str, ...]
    seed: int = SEED


@functools.cache
def haggle() -> Haggle:
    """Play and draw it, once per process."""
    shop = shop_of(SELLER)
    cast = Cast(shop.keeper, policy(BUYER).title, is_reader=False)
    frames = haggle_frames()
    return Haggle(
        title=CARPET.title,
        buyer=cast.buyer,
        seller=cast.seller,
        shop=shop.name,
        beats=_beats(frames, cast),
        chart=price_path(frames, width=520, height=400, place="haggle"),
        versions=(policy(BUYER).version, policy(SELLER).version),
    )


def haggle_frames() -> list[Frame]:
    """Play the carpet and show its log as a replay would."""
    scenario = scenario_for(CARPET, SEED)
    events = played(scenario, seller=by_policy(SELLER), buyer=by_policy(BUYER))
    return frames_of(scenario, events, CARPET.title)


def _beats(frames: list[Frame], cast: Cast) -> tuple[Beat, ...]:
    game = Game(title=CARPET.title)
    told = [one for one in frames if one["event"]["kind"] != "tells"]
    # Every item comes from a template, which has escaped the words.
    return tuple(
        Beat(
            one["seq"],
            _letters(one, frames, cast),
            mark_safe(event_html(one, frames, game, cast=cast)),  # noqa: S308
        )
        for one in told
    )


def _letters(frame: Frame, frames: list[Frame], cast: Cast) -> int:
    """Count what there is to read, with the reasons of what was noticed."""
    if "actor" not in frame["event"]:
        return 0
    bubble = bubble_of(frame, frames, cast)
    reasons = sum(len(tell.why) for tell in bubble.tells)
    return len(frame["event"].get("text") or "") + reasons
