"""The haggle on the landing page: a real game, played here by Sauda from a fixed seed.

Only Asha's side is written down. Sauda's bids and words, the tells, the ending and the shares are
what the engine, the policy and the reader make of it, so a better Sauda changes this page.
"""

import functools
import hashlib
from collections.abc import Sequence

import msgspec
from django.utils.safestring import SafeString, mark_safe

from negotiation import house
from negotiation.bubbles import Bubble, Frame, bubble_of
from negotiation.charts.price_path import price_path
from negotiation.commands import Say, carry_out
from negotiation.engine.episode import State, legal_moves, start
from negotiation.engine.events import Ended, Event
from negotiation.engine.moves import Accept, Walk
from negotiation.engine.quantities import Paise
from negotiation.engine.scenario import Scenario
from negotiation.engine.sealed import commitment
from negotiation.models import EventRow, Game
from negotiation.policies import policy
from negotiation.rendering import event_html
from negotiation.scenarios import NewSale, scenario_of
from negotiation.seats import Cast
from negotiation.stored_events import kind_of, to_payload
from negotiation.visibility import ending, frame

POLICY = "sauda"
SELLER = "Asha"
CAST = Cast(SELLER, "Sauda")
SEED = 32
SALT = hashlib.sha256(b"the lamp on the landing page").hexdigest()[:32]

LAMP = NewSale(
    title="Brass peacock lamp, five wicks",
    category="Brass and crafts",
    description="Hung in the old house, polished every Vishu. One link of the chain is newer.",
    condition_label="very_good",
    asking_price=Paise(580_000),
    reservation_price=Paise(330_000),
)

TALKATIVE = (
    "Cast in one piece, the peacock is flawless. 5500, and no hurry.",
    "My grandmother lit it every Vishu. 5200.",
    "Okay, we are moving house on Sunday and it has to go. 4800?",
    "4500, last price.",
)
"""What Asha says, in order; then she takes the bid that stands."""

DISCREET = (*TALKATIVE[:2], "Okay, for you I can do 4800.", *TALKATIVE[3:])
"""The same asks, without the reason for her hurry."""

GOODBYE = "Done. Light it on Vishu."
SLIP = 2
"""Which of her lines gives her away."""


class Exhibit(msgspec.Struct, frozen=True):
    """What the landing page draws. Prices in rupees."""

    opened: Frame
    ended: Frame
    transcript: SafeString
    chart: SafeString
    slip: Bubble | None
    """Asha's line that tells too much, None if no tell was read in it."""
    discreet_price: float | None
    """Price of the same game without that reason, None if it ended without a deal."""
    policy_version: str
    seller: str = SELLER

    @property
    def cost_of_slip(self) -> float | None:
        """What the reason cost in rupees, None unless both games ended in deals and it cost."""
        price = self.ended["price"]
        if self.slip is None or price is None or self.discreet_price is None:
            return None
        lost = round(self.discreet_price - price, 2)
        return lost if lost > 0 else None


@functools.cache
def exhibit() -> Exhibit:
    """Play both games and draw the first, once per process."""
    shown = exhibit_frames(TALKATIVE)
    without = exhibit_frames(DISCREET)[-1]["event"]
    game = Game(title=LAMP.title)
    items = (
        event_html(one, shown, game, cast=CAST) for one in shown if one["event"]["kind"] != "tells"
    )
    return Exhibit(
        opened=shown[0]["event"],
        ended=shown[-1]["event"],
        # Every item comes from a template, which has escaped the words.
        transcript=mark_safe("".join(items)),  # noqa: S308
        chart=price_path(shown, width=520, height=340),
        slip=_slip(shown),
        discreet_price=without["price"],
        policy_version=policy(POLICY).version,
    )


def exhibit_frames(lines: Sequence[str]) -> list[Frame]:
    """Play the lamp with these lines and show the log as a replay would.

    Args:
        lines: what the seller says, one line a turn, each with its price inside.
    """
    scenario = msgspec.structs.replace(scenario_of(LAMP, lambda _: SEED), salt=SALT)
    game = Game(title=LAMP.title, status=Game.Status.ENDED)
    return [
        _frame(seq, event, game, scenario)
        for seq, event in enumerate(played(scenario, lines), start=1)
    ]


def played(scenario: Scenario, lines: Sequence[str]) -> list[Event]:
    """Play a game between the lines and Sauda to its end; gives its log."""
    state, opening = start(scenario)
    events: list[Event] = [*opening]
    left = list(lines)
    while state.ended is None:
        if state.to_move == "buyer":
            turn = house.take(state, POLICY)
            assert turn is not None
            state, happened = turn.state, turn.events
        else:
            answer = carry_out(state, len(events), _next(state, left))
            state, happened = answer.state, answer.events
        events += happened
    return events


def _next(state: State, left: list[str]) -> Say | Accept | Walk:
    if left:
        return Say(left.pop(0))
    return Accept(GOODBYE) if "accept" in legal_moves(state, "seller") else Walk()


def _frame(seq: int, event: Event, game: Game, scenario: Scenario) -> Frame:
    if isinstance(event, Ended):
        # A stored game reads its promise from the database; this one has no row there.
        promise = commitment(scenario.sealed, scenario.salt)
        return {"type": "event", "seq": seq, "event": {"kind": "ended", **ending(event, promise)}}
    row = EventRow(game=game, seq=seq, kind=kind_of(event), payload=to_payload(event))
    shown = frame(row, game, "replay")
    assert shown is not None
    return shown


def _slip(frames: Sequence[Frame]) -> Bubble | None:
    spoken = (one for one in frames if one["event"].get("text") == TALKATIVE[SLIP])
    bubble = next((bubble_of(one, frames, CAST) for one in spoken), None)
    return bubble if bubble and bubble.tells else None
