"""The seller by rule: when to take a bid, when to leave, how far to come down, and its words."""

import math
from collections.abc import Mapping
from functools import partial

import msgspec

from agents.sellers.persona import PERSONAS, Persona, Temper, earned, is_reciprocal
from agents.sellers.speaking import SellerSpeaker, listens
from agents.sellers.voice import PARAMETERS as VOICE_PARAMETERS
from agents.sellers.voice import SellerVoice
from agents.text.rounding import STEPS, people_price
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.players.guard import BAD_FAITH, OFFENCES, guard, is_patient, may_walk
from bazaarbatna.versions import version_label
from negotiation.policies import SellerFactory

LONGEST = 0.12
"""Longest step of a patient seller, as a share of the ask: no single bid is worth more."""

TOKEN = 0.01
"""What a patient seller gives to a buyer who stood still once, as a share of the ask."""

CLOSE = 0.02
"""A gap below this share of the opening ask is not argued about."""


def propose(observation: SellerObservation, temper: Temper) -> Move:
    """Choose a move without words; the guard still follows."""
    bid = observation.standing_bid
    if bid is not None and bid >= observation.reservation and _takes(observation, temper):
        return Accept()
    if may_walk(observation, temper.walks_after):
        return Walk()
    return Offer(counter(observation, temper))


def _takes(observation: SellerObservation, temper: Temper) -> bool:
    if not is_patient(observation) or observation.round >= observation.max_rounds:
        return True
    bid, ask = observation.standing_bid or 0, observation.standing_ask
    if is_reciprocal(observation):
        room = ask - observation.reservation
        if bid >= observation.reservation + temper.greed * room:
            return True
    return bid >= counter(observation, temper) or ask - bid <= CLOSE * observation.asks[0]


def counter(observation: SellerObservation, temper: Temper) -> Paise:
    """Compute the next ask as people say prices, hardly ever the reservation price itself."""
    ask = observation.standing_ask
    down = step(observation, temper)
    least = floor(observation, temper)
    if is_reciprocal(observation):
        # Rounded up: what was not earned is not given.
        return min(_above(max(math.ceil(ask - down), least), ask), ask)
    wish = people_price(ask - down, ask, change=down)
    return Paise(wish if wish >= least else min(_above(least, ask), ask))


def step(observation: SellerObservation, temper: Temper) -> float:
    """Return the paise of the next concession: the larger of two shares, of the ask and of the gap.

    Where steps are answered by their size it is a part of the buyer's own and nothing else.
    A bid in bad faith counts as half the ask: next to nothing must not earn the largest step.
    """
    if is_reciprocal(observation):
        return temper.answer * earned(observation, temper.enough)
    ask = observation.standing_ask
    bid = max(observation.standing_bid or 0, BAD_FAITH * ask)
    made = len(observation.asks) - 1
    share = temper.gap_shares[made % len(temper.gap_shares)]
    wish = max(temper.least_step * ask, share * (ask - bid))
    return min(wish, _earned(observation, share)) if is_patient(observation) else wish


def _earned(observation: SellerObservation, share: float) -> float:
    ask = observation.standing_ask
    if len(observation.bids) < 2:
        return LONGEST * ask
    answer = (1 + share) * _buyers_step(observation)
    return min(LONGEST * ask, max(answer, 0 if _stood_still_before(observation) else TOKEN * ask))


def _stood_still_before(observation: SellerObservation) -> bool:
    return len(observation.bids) > 2 and observation.bids[-2] == observation.bids[-3]


def floor(observation: SellerObservation, temper: Temper) -> int:
    """Return the lowest ask of this round: the reservation price and what is left on top."""
    rounds, left = observation.max_rounds, observation.max_rounds - observation.round
    kept = temper.cushion * left / max(rounds - 1, 1)
    return max(observation.reservation, round(observation.reservation * (1 + kept)))


def _above(price: int, ask: int) -> Paise:
    fine = next(row[2] for row in STEPS if ask / 100 < row[0])
    said = people_price(price, ask, change=0)
    return said if said >= price else Paise(said + 100 * fine)


def _buyers_step(observation: SellerObservation) -> int:
    """A bid in bad faith counts as half the ask that it answered."""
    if len(observation.bids) < 2:
        return 0
    asks, bids = observation.asks, observation.bids
    before = max(bids[-2], BAD_FAITH * asks[len(bids) - 2])
    return max(0, round(bids[-1] - before))


NUMBER = 6


class RuleSeller:
    """Comes down in steps, sells as soon as a bid will do, and talks."""

    def __init__(self, seed: int, persona: str = "default") -> None:
        self.seed = seed
        self.persona = PERSONAS[persona]

    def act(self, observation: SellerObservation) -> Move:
        """Choose a legal move and the words for it."""
        return self.dress(observation, self.decide(observation))

    def decide(self, observation: SellerObservation) -> Move:
        """Choose a legal move without words."""
        return guard(observation, self.propose(observation))

    def propose(self, observation: SellerObservation) -> Move:
        """Choose a move that need not be legal yet."""
        return propose(observation, self.persona.temper)

    def dress(self, observation: SellerObservation, move: Move) -> Move:
        """Add this seller's words to a guarded move."""
        voice = self.tongue() if listens(observation) else SellerVoice(self.seed, self.persona)
        text = voice.line(observation, move)
        return msgspec.structs.replace(move, text=text)

    def reply(self, observation: SellerObservation) -> str:
        """Answer words that named no price."""
        voice = self.tongue() if listens(observation) else SellerVoice(self.seed, self.persona)
        return voice.reply(observation)

    def tongue(self) -> SellerSpeaker:
        """Return what answers a person."""
        return SellerSpeaker(self.seed, SellerVoice(self.seed, self.persona).manner)


def version(persona: Persona) -> str:
    """Write the version label that results of a seller carry."""
    parameters: Mapping[str, object] = {
        "persona": msgspec.to_builtins(persona),
        "faith": (BAD_FAITH, OFFENCES),
        "reciprocity": 1,
        "steps": STEPS,
        "words": VOICE_PARAMETERS,
    }
    return version_label(f"seller:{persona.name}", NUMBER, parameters)


class SellerRow(msgspec.Struct, frozen=True):
    """What the registry needs of a seller: ``register(row.name, row.make, side="seller", ...)``."""

    name: str
    make: SellerFactory
    version: str
    title: str
    persona: str


_SELLERS = tuple(
    SellerRow(
        name=f"seller:{persona.name}",
        make=partial(RuleSeller, persona=persona.name),
        version=version(persona),
        title=persona.title,
        persona=persona.name,
    )
    for persona in PERSONAS.values()
)


def sellers() -> tuple[SellerRow, ...]:
    """List the sellers; each call gives the same factories, so registering twice is safe."""
    return _SELLERS
