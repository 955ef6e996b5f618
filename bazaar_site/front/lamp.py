"""What a reason cost: one game of Asha's twice, with and without the words that give her away.

Only Asha's side is written down. Sauda's bids and words, the tells, the ending and the shares are
what the engine, the policy and the reader make of it, so a better Sauda changes this page.
"""

import functools
from collections.abc import Sequence

import msgspec

from bazaar_site.front.played import Answer, Turn, by_policy, frames_of, played, scenario_for
from negotiation.bubbles import Bubble, Frame, Tell, bubble_of
from negotiation.commands import Say, carry_out
from negotiation.engine.episode import State, legal_moves
from negotiation.engine.moves import Accept, Walk
from negotiation.engine.quantities import Paise
from negotiation.policies import policy
from negotiation.scenarios import NewSale
from negotiation.seats import Cast

POLICY = "sauda"
SELLER = "Asha"
CAST = Cast(SELLER, "Sauda", is_reader=False)
SEED = 32

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


class Lamp(msgspec.Struct, frozen=True):
    """What the page tells of the lamp. Prices in rupees."""

    opened: Frame
    ended: Frame
    slip: Bubble | None
    """Asha's line that tells too much, None if no tell was read in it."""
    discreet_price: float | None
    """Price of the same game without that reason, None if it ended without a deal."""
    policy_version: str
    seller: str = SELLER

    @property
    def reasons(self) -> tuple[Tell, ...]:
        """What was read in her line, each reason once."""
        tells = self.slip.tells if self.slip else ()
        return tuple({(tell.label, tell.why): tell for tell in tells}.values())

    @property
    def cost_of_slip(self) -> float | None:
        """What the reason cost in rupees, None unless both games ended in deals and it cost."""
        price = self.ended["price"]
        if self.slip is None or price is None or self.discreet_price is None:
            return None
        lost = round(self.discreet_price - price, 2)
        return lost if lost > 0 else None


@functools.cache
def lamp() -> Lamp:
    """Play both games, once per process."""
    shown = lamp_frames(TALKATIVE)
    without = lamp_frames(DISCREET)[-1]["event"]
    return Lamp(
        opened=shown[0]["event"],
        ended=shown[-1]["event"],
        slip=_slip(shown),
        discreet_price=without["price"],
        policy_version=policy(POLICY).version,
    )


def lamp_frames(lines: Sequence[str]) -> list[Frame]:
    """Play the lamp with these lines and show the log as a replay would.

    Args:
        lines: what the seller says, one line a turn, each with its price inside.
    """
    scenario = scenario_for(LAMP, SEED)
    events = played(scenario, seller=_speaking(lines), buyer=by_policy(POLICY))
    return frames_of(scenario, events, LAMP.title)


def _speaking(lines: Sequence[str]) -> Turn:
    left = list(lines)

    def turn(state: State, seq: int) -> Answer:
        answer = carry_out(state, seq, _next(state, left))
        return answer.state, answer.events

    return turn


def _next(state: State, left: list[str]) -> Say | Accept | Walk:
    if left:
        return Say(left.pop(0))
    return Accept(GOODBYE) if "accept" in legal_moves(state, "seller") else Walk()


def _slip(frames: Sequence[Frame]) -> Bubble | None:
    spoken = (one for one in frames if one["event"].get("text") == TALKATIVE[SLIP])
    bubble = next((bubble_of(one, frames, CAST) for one in spoken), None)
    return bubble if bubble and bubble.tells else None
