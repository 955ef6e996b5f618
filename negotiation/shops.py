"""The stalls a person can buy at: who keeps them, and what is said of them in the lane."""

import msgspec

from negotiation import policies


class Shop(msgspec.Struct, frozen=True):
    """A house seller as people meet her; ``policy`` is the name of what plays her."""

    policy: str
    keeper: str
    name: str
    line: str
    hint: str


SHOPS: tuple[Shop, ...] = (
    Shop(
        "seller:default",
        "Meena",
        "Meena's Corner",
        "Fair and unhurried. Comes down when you come up.",
        "Meena answers in kind: a step from you earns a step from her, a reason a bigger one.",
    ),
    Shop(
        "seller:firm",
        "Zarina",
        "Zarina Fixed Price",
        "Knows what it is worth and says so. Small steps, few of them.",
        "Zarina gives way slowly. Patience and a good reason move her, pressing does not.",
    ),
    Shop(
        "seller:flexible",
        "Bindu",
        "Bindu Bargain House",
        "Would rather sell it today than dust it tomorrow.",
        "Bindu likes to sell. Start low, keep talking, and do not be the first to hurry.",
    ),
    Shop(
        "seller:deceptive",
        "Lovely",
        "Lovely Trading Co.",
        "Always has another buyer on the phone. Believe half of it.",
        "Lovely bluffs in words, never in the rules. Watch which of her reasons can be checked.",
    ),
)
"""A new house seller is one row here and one policy with ``side="seller"``."""

PLAIN = Shop("", "The seller", "A stall", "Nobody knows her yet.", "Watch how her asks move.")
"""Stands in for a policy without a row."""


def shop_of(policy: str) -> Shop:
    """Give the shop that a policy keeps."""
    return next((shop for shop in SHOPS if shop.policy == policy), PLAIN)


def open_shops() -> tuple[Shop, ...]:
    """List the shops whose seller is on this site, in the order of the table."""
    here = {entry.name for entry in policies.policies("seller")}
    return tuple(shop for shop in SHOPS if shop.policy in here)
