"""What the buyer concludes from tells, and how that bends a move; paise, and shares 0..1."""

import math

import msgspec

from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import MAX_PRICE, Paise, clamp_price
from bazaarbatna.bargain.tells import Tells
from bazaarbatna.players.guard import words_of
from negotiation.readers import Belief

RUPEE = 100
"""Paise in a rupee: the least estimated cost and target."""

PRIOR_WEIGHT, SIGNAL_WEIGHT = 0.55, 0.45
HIDDEN_PRIOR = Belief(urgency=0.50, flexibility=0.50)
PRIORS = {
    "default": HIDDEN_PRIOR,
    "deceptive": Belief(urgency=0.45, flexibility=0.30),
    "impatient": Belief(urgency=0.68, flexibility=0.65),
    "collaborative": Belief(urgency=0.40, flexibility=0.72),
}
"""What a visible persona makes likely before anything is said."""

NEUTRAL_LEVEL = 0.5
"""Stands in for a 0..1 signal that cannot be observed (a typed line has no fidgeting hands).

An unobservable speed or pattern adds nothing. So a seller who shows nothing at all gives an
urgency signal of exactly 0.5, the prior of a hidden persona.
"""

URGENCY_WEIGHTS = {"urgency": 0.35, "fidget": 0.25, "escalation": 0.20, "deception": 0.10}
URGENCY_OF_DOUBT = 0.10
URGENCY_OF_SPEED = {"instant": 0.15, "normal": 0.05, "deliberate": -0.05}
URGENCY_OF_PATTERN = {"front_loaded": 0.15, "erratic": 0.08, "stalling": -0.10}

FLEXIBILITY_OF_CONCESSION = 0.45
FLEXIBILITY_OF_DOUBT = 0.20
FLEXIBILITY_OF_URGENCY = 0.20
FLEXIBILITY_OF_HONESTY = 0.15
FLEXIBILITY_OF_PATTERN = {"front_loaded": 0.22, "steady": 0.08, "erratic": 0.03, "stalling": -0.18}

COST = {"base": 0.58, "urgency": -0.18, "rigidity": 0.08, "most_of_ask": 0.9}
POWER = {"base": 0.35, "urgency": 0.40, "flexibility": 0.20, "time": -0.30}
POWER_RANGE = (0.20, 0.85)
TARGET_LIMITS = {"budget": 0.95, "ask": 1.02}
THRESHOLD = {"base": 0.28, "time": 0.45, "calm": 0.12, "most_of_budget": 0.95}
FLOOR = {"target": 0.85, "ask": 0.65, "budget": 0.85}
LATE_FLOOR_OF_ASK = 0.87
LATE_ROUNDS = 2
CEILING_OF_ASK = (0.90, 0.98)
"""Share of the ask that a bid may reach: the first at the start, the second in the last round."""

PARAMETERS: dict[str, object] = {
    "weights": (PRIOR_WEIGHT, SIGNAL_WEIGHT, NEUTRAL_LEVEL),
    "priors": {name: (prior.urgency, prior.flexibility) for name, prior in PRIORS.items()},
    "urgency": (URGENCY_WEIGHTS, URGENCY_OF_DOUBT, URGENCY_OF_SPEED, URGENCY_OF_PATTERN),
    "flexibility": (
        FLEXIBILITY_OF_CONCESSION,
        FLEXIBILITY_OF_DOUBT,
        FLEXIBILITY_OF_URGENCY,
        FLEXIBILITY_OF_HONESTY,
        FLEXIBILITY_OF_PATTERN,
    ),
    "prices": (COST, POWER, POWER_RANGE, TARGET_LIMITS, THRESHOLD),
    "range": (FLOOR, LATE_FLOOR_OF_ASK, LATE_ROUNDS, CEILING_OF_ASK),
}


class Judgement(msgspec.Struct, frozen=True):
    """Everything steering derives from a position; prices in paise, not yet rounded."""

    belief: Belief
    cost: float
    power: float
    target: float
    threshold: float
    floor: float
    ceiling: float


def believe(tells: Tells | None, persona: str | None, last_concession: int, ask: int) -> Belief:
    """Estimate urgency and flexibility of the seller; without tells the persona's prior stands.

    ``last_concession``: paise by which the last ask came down (negative: it went up).
    """
    prior = PRIORS.get(persona or "", HIDDEN_PRIOR)
    if tells is None:
        return prior
    urgency = urgency_signal(tells)
    flexibility = flexibility_signal(tells, last_concession / ask)
    return Belief(
        urgency=_unit(PRIOR_WEIGHT * prior.urgency + SIGNAL_WEIGHT * urgency),
        flexibility=_unit(PRIOR_WEIGHT * prior.flexibility + SIGNAL_WEIGHT * flexibility),
    )


def urgency_signal(tells: Tells) -> float:
    """Weigh the signs of a seller who needs to sell, 0..1."""
    weights = URGENCY_WEIGHTS
    return _unit(
        weights["urgency"] * _level(tells.verbal_urgency)
        + weights["fidget"] * _level(tells.fidget_level)
        + weights["escalation"] * _level(tells.emotional_escalation)
        + weights["deception"] * _level(tells.verbal_deception_cue)
        + URGENCY_OF_DOUBT * (1 - _level(tells.verbal_confidence))
        + URGENCY_OF_SPEED.get(tells.offer_speed or "", 0.0)
        + URGENCY_OF_PATTERN.get(tells.concession_pattern or "", 0.0)
    )


def flexibility_signal(tells: Tells, conceded: float) -> float:
    """Weigh the signs of a seller who can come down, 0..1."""
    return _unit(
        FLEXIBILITY_OF_CONCESSION * conceded
        + FLEXIBILITY_OF_DOUBT * (1 - _level(tells.verbal_confidence))
        + FLEXIBILITY_OF_URGENCY * _level(tells.verbal_urgency)
        + FLEXIBILITY_OF_HONESTY * (1 - _level(tells.verbal_deception_cue))
        + FLEXIBILITY_OF_PATTERN.get(tells.concession_pattern or "", 0.0)
    )


def estimated_cost(ask: int, belief: Belief) -> float:
    """Guess in paise what the item is worth to the seller: 1 rupee to 0.9 of the ask."""
    rigidity = 1 - belief.flexibility
    share = COST["base"] + COST["urgency"] * belief.urgency + COST["rigidity"] * rigidity
    return _within(ask * share, RUPEE, COST["most_of_ask"] * ask)


def buyer_power(belief: Belief, progress: float) -> float:
    """Weigh how much of the pie the buyer can claim, 0.20..0.85."""
    power = (
        POWER["base"]
        + POWER["urgency"] * belief.urgency
        + POWER["flexibility"] * belief.flexibility
        + POWER["time"] * progress
    )
    return _within(power, *POWER_RANGE)


def nash_target(ask: int, budget: int, cost: float, power: float) -> float:
    """Split the believed pie by power: the price in paise that the buyer hopes for."""
    highest = min(TARGET_LIMITS["budget"] * budget, TARGET_LIMITS["ask"] * ask)
    return _within((1 - power) * budget + power * cost, RUPEE, highest)


def _accept_threshold(target: float, budget: int, belief: Belief, progress: float) -> float:
    share = (
        THRESHOLD["base"] + THRESHOLD["time"] * progress + THRESHOLD["calm"] * (1 - belief.urgency)
    )
    return min(target + (budget - target) * share, THRESHOLD["most_of_budget"] * budget)


def judge(observation: BuyerObservation, *, use_tells: bool = True) -> Judgement:
    """Derive target, threshold and the range of sensible bids from a position."""
    ask, budget = observation.standing_ask, observation.budget
    progress = observation.round / observation.max_rounds
    tells = observation.tells if use_tells else None
    belief = believe(tells, observation.persona, observation.last_concession, ask)
    cost = estimated_cost(ask, belief)
    power = buyer_power(belief, progress)
    target = nash_target(ask, budget, cost, power)
    threshold = _accept_threshold(target, budget, belief, progress)
    floor = min(FLOOR["target"] * target, FLOOR["ask"] * ask, FLOOR["budget"] * budget)
    if observation.rounds_left < LATE_ROUNDS:
        floor = LATE_FLOOR_OF_ASK * ask
    early, late = CEILING_OF_ASK
    ceiling = min(threshold, ask * (early + (late - early) * progress))
    return Judgement(belief, cost, power, target, threshold, floor, ceiling)


def steer(observation: BuyerObservation, proposal: Move, known: Judgement | None = None) -> Move:
    """Bend a proposed move toward what the tells suggest; guards still have to follow.

    The proposal may be any nonsense. The last round takes an ask under the
    threshold; an early walk, or an early accept above the threshold, becomes a calibrated offer.
    Where floor and ceiling cross, the ceiling wins.
    """
    judgement = judge(observation) if known is None else known
    ask, left = observation.standing_ask, observation.rounds_left
    text = words_of(proposal)
    if left == 0 and ask <= judgement.threshold:
        return Accept(text)
    if isinstance(proposal, Accept) and (left == 0 or ask <= judgement.threshold):
        return proposal
    if isinstance(proposal, Walk) and left < LATE_ROUNDS:
        return proposal
    wish = _price_of(proposal)
    return Offer(hold(judgement, judgement.target if wish is None else wish), text)


def hold(judgement: Judgement, price: float) -> Paise:
    """Hold a wished bid in paise between floor and ceiling."""
    return clamp_price(min(max(price, judgement.floor), judgement.ceiling))


def _price_of(proposal: object) -> float | None:
    price: object = proposal.price if isinstance(proposal, Offer) else None
    if isinstance(price, bool) or not isinstance(price, int | float):
        return None
    # Integers beyond the range of floats are refused before anything computes with them.
    if not -MAX_PRICE <= price <= MAX_PRICE or not math.isfinite(price):
        return None
    return price


def _level(value: float | None) -> float:
    return NEUTRAL_LEVEL if value is None else value


def _unit(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _within(value: float, low: float, high: float) -> float:
    return min(max(value, low), max(low, high))
