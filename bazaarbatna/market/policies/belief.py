"""Who the others may be, and how likely they accept: Bayes over five possible casts.

The order of the archetypes is public, where it begins is not. So there are five casts, and every
answer of one lab says something about all of them.
"""

from collections.abc import Callable

from bazaarbatna.market.archetypes import (
    LEAST_LUCK,
    LUCK_UNDER_PRESSURE,
    MANNERS,
    NOT_TRUSTED,
    Manner,
    bar_for,
    joins,
    perceived_value,
    signals_in,
)
from bazaarbatna.market.blocks import Offer
from bazaarbatna.market.making import ARCHETYPES
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.policies.views import own_lab
from bazaarbatna.market.scripted import MOST_PAID

WORDS = "Urgent: a fair deal for both of us, before the deadline; together we share the hours."
"""Says of everything that any archetype likes to hear as much as is heard."""
HEARD = signals_in(WORDS)
DOUBT = 0.02
"""How likely anything at all is, whatever we believe."""
Cast = tuple[Manner, ...]

CASTS: tuple[Cast, ...] = tuple(
    tuple(MANNERS[ARCHETYPES[(first + lab) % len(ARCHETYPES)]] for lab in range(len(ARCHETYPES)))
    for first in range(len(ARCHETYPES))
)
Belief = tuple[float, ...]
"""How likely each cast is; adds up to 1."""


def places_of(seen: Observation) -> dict[str, int]:
    """Return each lab's place in a cast, by the order of turns, in which the archetypes cycle."""
    return {lab.id: place % len(ARCHETYPES) for place, lab in enumerate(seen.labs)}


def believe(seen: Observation) -> Belief:
    """Weigh the casts by answers to own offers, by what others paid, and by what they pooled."""
    weights, places = [1.0] * len(CASTS), places_of(seen)
    for offer in seen.offers:
        if offer.sender == seen.lab:
            _weigh_answer(weights, seen, offer, places.get(offer.target))
        elif offer.payment > MOST_PAID:
            _weigh(weights, places.get(offer.sender), lambda manner: manner.extra > 0)
    for coalition in seen.coalitions:
        for pledge in coalition.pledges:
            if pledge.lab != seen.lab and len(pledge.blocks) > 1:
                _weigh(weights, places.get(pledge.lab), lambda manner: manner.generous)
    return normal(weights)


def _weigh_answer(weights: list[float], seen: Observation, offer: Offer, lab: int | None) -> None:
    if offer.status not in ("accepted", "rejected") or lab is None:
        return
    value = perceived_value(offer)
    press = expected_pressure(seen, offer.created)
    for number, cast in enumerate(CASTS):
        yes = chance(cast[lab], value, press, 1.0)
        weights[number] *= max(yes if offer.status == "accepted" else 1 - yes, DOUBT)


def _weigh(weights: list[float], lab: int | None, fits: Callable[[Manner], bool]) -> None:
    # Doubts the casts in which a lab would not do so; None has no place in any, as the house.
    if lab is None:
        return
    for number, cast in enumerate(CASTS):
        weights[number] *= 1.0 if fits(cast[lab]) else DOUBT


def normal(weights: list[float]) -> Belief:
    """Make weights add up to 1."""
    whole = sum(weights)
    return tuple(weight / whole for weight in weights)


def expected_pressure(seen: Observation, round_: int) -> float:
    """Guess the share of a lab's open jobs that are due within two rounds, 0..1."""
    return min((round_ + 1) / max(seen.rounds - 1, 1), 1.0)


def chance(manner: Manner, value: float, press: float, reputation: float) -> float:
    """Guess how likely a lab of this manner accepts what it perceives as worth ``value``."""
    if manner.grudge and reputation < NOT_TRUSTED:
        return 0.0
    luck = max(LEAST_LUCK, LUCK_UNDER_PRESSURE * press)
    if value >= bar_for(manner, 0.0, HEARD) - 1e-9:
        return 1.0
    # Pressure is hidden: between the bar at rest and the bar at full pressure it is a guess.
    if manner.pressed and value >= bar_for(manner, 1.0, HEARD):
        likely = 0.8 if value >= bar_for(manner, press, HEARD) else 0.6 * press
        return max(likely, luck)
    return luck


def prices(seen: Observation) -> list[float]:
    """List what may be enough for one archetype or another, the lowest first."""
    press = expected_pressure(seen, seen.round)
    bars = {0.0}
    for manner in MANNERS.values():
        bars |= {bar_for(manner, 0.0, HEARD), bar_for(manner, press, HEARD)}
    return sorted(bars)


def join_chance(seen: Observation, belief: Belief, lab: int) -> float:
    """Guess how likely the lab at a place follows an invitation."""
    trust = own_lab(seen).reputation
    return sum(
        weight * joins(cast[lab], trust, 0.0, HEARD)
        for weight, cast in zip(belief, CASTS, strict=True)
    )
