"""The game that moves on the landing page: two agents, played by the engine.

Item, stall and seed are fixed; what is said, bid, noticed and agreed is what the policies of this
site make of them, so a better Sauda changes the page.
"""

import functools
import hashlib
from typing import Any

import msgspec
from django.utils.safestring import SafeString, mark_safe

from negotiation.bargain import opponent
from negotiation.bargain.scenarios import NewSale, scenario_of
from negotiation.bargain.shops import shop_of
from negotiation.bargain.visibility import ending, frame
from negotiation.bargain.web.bubbles import Frame, bubble_of
from negotiation.bargain.web.rendering import event_html
from negotiation.bargain.web.seats import Cast
from negotiation.charts.price_path import price_path
from negotiation.engine.episode import start
from negotiation.engine.events import Ended, Event
from negotiation.engine.quantities import Paise
from negotiation.engine.scenario import Scenario
from negotiation.engine.sealed import commitment
from negotiation.games.event_log import kind_of, to_payload
from negotiation.models import EventRow, Game
from negotiation.policies import policy

BUYER, SELLER, SEED = "sauda", "seller:deceptive", 3
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
    """One item of the talk; ``letters`` counts what there is to read."""

    seq: int
    letters: int
    html: SafeString


class DemoGame(msgspec.Struct, frozen=True):
    """A finished game, ready to be played back; ``ended`` is its last event, seal opened."""

    title: str
    buyer: str
    seller: str
    shop: str
    beats: tuple[Beat, ...]
    chart: SafeString
    versions: tuple[str, ...]
    ended: dict[str, Any]
    seed: int = SEED


@functools.cache
def demo_game() -> DemoGame:
    """Play and draw it, once per process."""
    shop = shop_of(SELLER)
    cast = Cast(shop.keeper, policy(BUYER).title, is_reader=False)
    frames = demo_frames()
    return DemoGame(
        title=CARPET.title,
        buyer=cast.buyer,
        seller=cast.seller,
        shop=shop.name,
        beats=_beats(frames, cast),
        chart=price_path(frames, width=520, height=400, place="haggle"),
        versions=(policy(BUYER).version, policy(SELLER).version),
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
