"""Whom a person can choose to sit opposite: the stalls of a buyer, the voices of a seller."""

import msgspec
from django.conf import settings

from negotiation.policies import Entry, UnknownPolicy, policies, policy

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


_SOMEBODY = Shop(
    "seller:people",
    "A stranger",
    "Whoever is there",
    "One of the people at the end of this list, drawn when you start.",
    "You do not know her manner: watch what your steps do to hers.",
    "Somebody",
)
_LANE: tuple[Shop, ...] = (
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

_PEOPLE: tuple[tuple[str, str, str, str], ...] = (
    ("halver", "Asha", "Meets you halfway, then stops.",
     "Asha halves the gap once or twice and is done. Make the first half worth having."),
    ("reciprocal", "Farida", "Moves as far as you moved.",
     "Farida pays a step with a step. Stand still and she stands still, too."),
    ("fader", "Gauri", "Her steps get smaller and smaller.",
     "Gauri gives most at the start. When her steps are crumbs, you are near the end."),
    ("firm", "Ishrat", "One step at most, then none.",
     "Ishrat has a price. Come near it or save your time."),
    ("proud", "Kamini", "Hardens, or leaves, when a bid is an insult.",
     "Kamini remembers an insult. Open where she can still smile."),
    ("needy", "Leela", "Has a deadline and shows it.",
     "Leela is pressed for time, and late she gives a lot. Too late she is gone."),
    ("bluffer", "Mona", "Claims rivals and last prices, and goes on.",
     "Mona has said “last price” before. Believe the steps, not the stories."),
    ("impatient", "Naina", "Names two or three prices, then goes.",
     "Naina has no time for small steps. Make the few you have count."),
    ("splitter", "Padma", "Proposes the middle and insists on it.",
     "Padma will say “the middle”. What the middle is, your bids decide."),
    ("lister", "Rehana", "Argues with the list price and the condition.",
     "Rehana knows what it costs new. She moves little, but not never."),
    ("turncoat", "Sushma", "Bargains one way, then another.",
     "Sushma changes her manner in the middle of a game. Watch for the turn."),
    ("extreme", "Tara", "Like one of the others, only more so.",
     "Tara does what the others do, further than any of them."),
    ("gentle", "Usha", "Takes a fair price quickly, gives little to a low one.",
     "Usha would rather be done with it. A fair bid early is half the deal."),
)  # fmt: skip
"""Family, keeper, what is said of her, hint: sellers by ``negotiation.engine.people``."""

SHOPS: tuple[Shop, ...] = (
    _SOMEBODY,
    *_LANE,
    *(
        Shop(f"seller:people-{family}", keeper, keeper, line, hint, PEOPLE)
        for family, keeper, line, hint in _PEOPLE
    ),
)
"""A new seller is a row here and a policy with ``side="seller"``; the first is offered first."""

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
