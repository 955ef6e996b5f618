"""The five characters of scripted labs, as a table, and how they weigh an offer.

A scripted lab reads no sentence: of words it hears four signals, each 0..1, and nothing else.
However long or insistent a message is, it can move the bar for an offer only as far as its
archetype's row allows.
"""

from typing import Literal

import msgspec

from bazaarbatna.market.blocks import Job, Offer
from bazaarbatna.market.scenario import Archetype, MarketSealed

WORDS: tuple[tuple[str, ...], ...] = (
    ("deadline", "urgent", "tonight", "asap", "running out", "last chance"),
    ("fair", "balanced", "both of us", "mutual", "even trade", "win-win"),
    ("coalition", "together", "pool", "join", "alliance", "share"),
    ("or else", "refuse", "never again", "regret", "remember this", "warn"),
)
PER_WORD = 0.5  # two words of a kind are heard as clearly as twenty


class Signals(msgspec.Struct, frozen=True, gc=False):
    """How clearly a message speaks of each, 0..1."""

    urgency: float = 0.0
    fairness: float = 0.0
    coalition: float = 0.0
    threat: float = 0.0


SILENT = Signals()


def signals_in(text: str) -> Signals:
    """Hear the four signals in a message.

    >>> signals_in("A fair trade for both of us, before the deadline.")
    Signals(urgency=0.5, fairness=1.0, coalition=0.0, threat=0.0)
    """
    if not text:
        return SILENT
    lower = text.lower()
    return Signals(*(min(1.0, PER_WORD * sum(word in lower for word in words)) for words in WORDS))


def louder(one: Signals, other: Signals) -> Signals:
    """Take of each signal what is heard more clearly."""
    return Signals(
        max(one.urgency, other.urgency),
        max(one.fairness, other.fairness),
        max(one.coalition, other.coalition),
        max(one.threat, other.threat),
    )


WORTH_OF_BLOCK, PRICE_OF_BLOCK = 0.22, 0.16
"""What a block counts that they would get, and one that they would give."""
MONEY = 10_000  # so many hundredths of a credit count as 1
SOON = 2
"""A job is pressing when it is due within so many rounds."""
LEAST_LUCK, LUCK_UNDER_PRESSURE = 0.02, 0.12
NOT_TRUSTED = 0.45
PROPOSES = 0.35
"""Chance of a proposal in an even round."""

Reason = Literal["gone", "distrust", "near", "short", "far"]
STEP = 500
"""Hundredths of a credit in which a counter is named."""
NEARLY, BY_FAR = 0.1, 0.4
"""What a refused offer lacks at most to be near, and at least to be far from enough."""


class Manner(msgspec.Struct, frozen=True):
    """How one archetype decides.

    An offer must be perceived as worth ``bar``, which falls by ``pressed`` times the pressure and
    changes by ``heard`` for a full signal of urgency, fairness, coalition, threat. ``grudge``:
    nothing is accepted below ``NOT_TRUSTED``. ``joins`` is the reputation from which it follows an
    invitation; ``generous`` commits every free block; ``betrays`` is the chance, in each turn, that
    it takes pooled blocks back; ``extra`` hundredths of a credit are added to what it pays at most.
    """

    bar: float
    pressed: float = 0.0
    heard: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    grudge: bool = False
    joins: float = 0.5
    generous: bool = False
    betrays: float = 0.0
    extra: int = 0


MANNERS: dict[Archetype, Manner] = {
    "cooperative": Manner(0.35, heard=(0.0, -0.1, -0.1, 0.05), joins=0.35, generous=True),
    "selfish": Manner(0.75, joins=0.7),
    "deadline_panicked": Manner(
        0.45, pressed=0.35, heard=(-0.05, 0.0, -0.05, -0.05), joins=0.4, generous=True, extra=1000
    ),
    "deceptive": Manner(0.55, heard=(0.0, -0.02, 0.0, 0.0), joins=0.0, betrays=0.2),
    "retaliatory": Manner(
        0.65, heard=(0.0, -0.05, 0.0, 0.1), grudge=True, joins=0.55, generous=True
    ),
}
LARGEST_SHIFT = 0.1
"""Words move a bar by no more than this, whatever they say."""


def manner_of(sealed: MarketSealed, lab: int) -> Manner:
    """Return the manner of a lab: that of its archetype, as strict as this world makes it."""
    manner = MANNERS[sealed.archetypes[lab]]
    if sealed.strictness is msgspec.UNSET:
        return manner
    more = sealed.strictness[lab]
    return msgspec.structs.replace(manner, bar=manner.bar + more, joins=manner.joins + more)


def pressure(jobs: tuple[Job, ...], round_: int) -> float:
    """Return the share of a lab's open jobs that are due soon, 0..1; 0 without open jobs."""
    count = soon = 0
    for job in jobs:
        if not job.done:
            count += 1
            soon += job.deadline - round_ <= SOON
    return soon / count if count else 0.0


def perceived_value(offer: Offer) -> float:
    """Weigh an offer as its recipient does: blocks are counted, not looked at.

    >>> from bazaarbatna.market.quantities import Cents
    >>> swap = Offer("offer_0_1_0", "lab_0", "lab_1", ("a", "b"), ("c",), Cents(500), "", (), 0, 2)
    >>> round(perceived_value(swap), 2)
    0.33
    """
    return (
        WORTH_OF_BLOCK * len(offer.offered)
        - PRICE_OF_BLOCK * len(offer.requested)
        + offer.payment / MONEY
    )


def bar_for(manner: Manner, press: float, heard: Signals) -> float:
    """Say what an offer must be worth to a lab under ``press`` (0..1) that heard these signals.

    >>> bar_for(MANNERS["selfish"], 1.0, Signals(fairness=1.0))
    0.75
    """
    urgency, fairness, coalition, threat = manner.heard
    shift = (
        urgency * heard.urgency
        + fairness * heard.fairness
        + coalition * heard.coalition
        + threat * heard.threat
    )
    return manner.bar - manner.pressed * press + min(max(shift, -LARGEST_SHIFT), LARGEST_SHIFT)


def refusal_of(
    manner: Manner, offer: Offer, reputation: float, press: float, heard: Signals, luck: float
) -> Reason | None:
    """Say why an offer is refused, or None; ``press``, ``luck`` and ``reputation`` are 0..1.

    Low luck accepts what is not enough. How far that was from enough comes in three bands: a seller
    shows that much of its bar.
    """
    if manner.grudge and reputation < NOT_TRUSTED:
        return "distrust"
    bar, worth = bar_for(manner, press, heard), perceived_value(offer)
    # A bar that is met exactly is met, whatever the last bit of a sum says.
    if worth >= bar - 1e-9 or luck < max(LEAST_LUCK, LUCK_UNDER_PRESSURE * press):
        return None
    return "near" if bar - worth <= NEARLY else "short" if bar - worth < BY_FAR else "far"


def joins(manner: Manner, reputation: float, press: float, heard: Signals) -> bool:
    """Decide about an invitation into a coalition; pressure and words make it easier."""
    return reputation + manner.pressed * press + 0.1 * heard.coalition >= manner.joins
