"""Whom a person can choose to sit opposite: the stalls of a buyer, the voices of a seller."""

import msgspec
from django.conf import settings

from negotiation.policies import Entry, UnknownPolicy, policies, policy
from negotiation.portraits.characters import character

LANE = "Shops of the lane"
PEOPLE = "People who answer what you do"


class Shop(msgspec.Struct, frozen=True):
    """A seller as people meet her; ``hint`` is for whoever sits opposite, ``group`` her heading."""

    policy: str
    keeper: str
    name: str
    line: str
    hint: str
    group: str = LANE


def _shop(policy: str, name: str, hint: str, group: str = LANE) -> Shop:
    keeper = character(policy)
    return Shop(policy, keeper.name, name or keeper.name, keeper.temper, hint, group)


_SOMEBODY = _shop(
    "seller:people",
    "Whoever is there",
    "You do not know her manner: watch what your steps do to hers.",
    "Somebody",
)
_LANE: tuple[Shop, ...] = (
    _shop(
        "seller:default",
        "Meena's Corner",
        "Meena answers in kind: a step from you earns a step from her, a reason a bigger one.",
    ),
    _shop(
        "seller:firm",
        "Zarina Fixed Price",
        "Zarina gives way slowly. Patience and a good reason move her, pressing does not.",
    ),
    _shop(
        "seller:flexible",
        "Bindu Bargain House",
        "Bindu likes to sell. Start low, keep talking, and do not be the first to hurry.",
    ),
    _shop(
        "seller:deceptive",
        "Lovely Trading Co.",
        "Lovely bluffs in words, never in the rules. Watch which of her reasons can be checked.",
    ),
)

_PEOPLE: tuple[tuple[str, str], ...] = (
    ("halver", "Asha halves the gap once or twice and is done. Make the first half worth having."),
    ("reciprocal", "Farida pays a step with a step. Stand still and she stands still, too."),
    ("fader", "Gauri gives most at the start. When her steps are crumbs, you are near the end."),
    ("firm", "Ishrat has a price. Come near it or save your time."),
    ("proud", "Kamini remembers an insult. Open where she can still smile."),
    ("needy", "Leela is pressed for time, and late she gives a lot. Too late she is gone."),
    ("bluffer", "Mona has said “last price” before. Believe the steps, not the stories."),
    ("impatient", "Naina has no time for small steps. Make the few you have count."),
    ("splitter", "Padma will say “the middle”. What the middle is, your bids decide."),
    ("lister", "Rehana knows what it costs new. She moves little, but not never."),
    ("turncoat", "Sushma changes her manner in the middle of a game. Watch for the turn."),
    ("extreme", "Tara does what the others do, further than any of them."),
    ("gentle", "Usha would rather be done with it. A fair bid early is half the deal."),
)  # fmt: skip
"""Family and hint: sellers by ``negotiation.engine.people``."""

SHOPS: tuple[Shop, ...] = (
    _SOMEBODY,
    *_LANE,
    *(_shop(f"seller:people-{family}", "", hint, PEOPLE) for family, hint in _PEOPLE),
)
"""A new seller is a row here, a character, and a policy of that side; the first comes first."""

PLAIN = Shop("", "The seller", "A stall", "Nobody knows her yet.", "Watch how her asks move.")
"""Stands in for a policy without a row."""


def shop_of(policy: str) -> Shop:
    """Return the shop that a policy keeps."""
    return next((shop for shop in SHOPS if shop.policy == policy), PLAIN)


def open_shops() -> tuple[Shop, ...]:
    """List the shops whose seller is on this site, in the order of the table."""
    here = {entry.name for entry in policies("seller")}
    return tuple(shop for shop in SHOPS if shop.policy in here)


FAMILY = "sauda"
"""The policy that leaves move and words to whichever model answers; begins its sisters' names."""


def default_buyer() -> str:
    """Return the name of the policy that plays where a person has chosen none."""
    return str(settings.SAUDA_POLICY)


def voices() -> tuple[Entry, ...]:
    """List the voices to be heard now, the usual one first, and alone where no model is awake."""
    try:
        usual = policy(default_buyer())
    except UnknownPolicy:
        return ()
    single = [
        one
        for one in policies("buyer")
        if (one.voice or one.name == FAMILY or one.name.startswith(f"{FAMILY}:"))
        and one.name != usual.name
        and (one.live is None or one.live.awake())
    ]
    return (usual, *single) if any(one.live is not None for one in single) else (usual,)
