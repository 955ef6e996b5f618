"""Money, names and their numbers: hundredths of a credit inside, credits only at the edge."""

from typing import NewType

Cents = NewType("Cents", int)
"""Money, worth and energy in hundredths of a credit."""

LabId = str
BlockId = str

MOST_LABS = 5
LAB_IDS: tuple[LabId, ...] = tuple(f"lab_{number}" for number in range(MOST_LABS))
LAB_NUMBERS: dict[LabId, int] = {name: number for number, name in enumerate(LAB_IDS)}

# Made once, looked up often: an episode has no more blocks or coalitions than these tables hold.
BLOCK_IDS: tuple[BlockId, ...] = tuple(f"block_{number}" for number in range(64))
BLOCK_NUMBERS: dict[BlockId, int] = {name: number for number, name in enumerate(BLOCK_IDS)}
COALITION_IDS: tuple[str, ...] = tuple(f"coalition_{number}" for number in range(64))
COALITION_NUMBERS: dict[str, int] = {name: number for number, name in enumerate(COALITION_IDS)}


def job_id(lab: int, number: int) -> str:
    """Name a lab's job.

    >>> job_id(0, 2)
    'job_0_2'
    """
    return f"job_{lab}_{number}"


def offer_id(sender: LabId, target: LabId, number: int) -> str:
    """Name an offer by its two sides, who know of all the earlier ones between them.

    A number over all offers would tell everybody how many others have made in private.

    >>> offer_id("lab_2", "lab_0", 1), offer_id("lab_0", "house", 0)
    ('offer_2_0_1', 'offer_0_house_0')
    """
    return f"offer_{sender.removeprefix('lab_')}_{target.removeprefix('lab_')}_{number}"


def to_cents(credits_: float) -> Cents:
    """Turn credits into hundredths, rounding half up.

    >>> to_cents(4.5)
    450
    """
    return Cents(int(credits_ * 100 + 0.5) if credits_ >= 0 else -int(-credits_ * 100 + 0.5))


def to_credits(cents: int) -> float:
    """Turn hundredths into credits.

    >>> to_credits(450)
    4.5
    """
    return cents / 100
