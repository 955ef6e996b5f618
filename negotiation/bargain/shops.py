"""Whom a person can choose to sit opposite: the stalls of a buyer, the voices of a seller."""

import msgspec
from django.conf import settings
from django.utils.translation import gettext

from bazaarbatna.marking import gettext_noop
from negotiation.bargain.terms import PERSON, terms_of
from negotiation.models import PAIR, Game
from negotiation.policies import Entry, UnknownPolicy, policies, policy
from negotiation.portraits.characters import character

LANE = "Shops of the lane"
PEOPLE = "People who answer what you do"


class Shop(msgspec.Struct, frozen=True):
    """A seller as people meet her; ``hint`` is for whoever sits opposite, ``group`` her heading.

    ``sign`` and ``tip`` are her stall's name and the hint as they stand here; "": she has no sign.
    """

    policy: str
    sign: str
    tip: str
    group: str = LANE

    @property
    def keeper(self) -> str:
        """Her name."""
        return character(self.policy).name if self.policy else gettext("The seller")

    @property
    def name(self) -> str:
        """What stands above her stall."""
        return gettext(self.sign) if self.sign else self.keeper

    @property
    def line(self) -> str:
        """One line about her."""
        return character(self.policy).temper if self.policy else gettext("Nobody knows her yet.")

    @property
    def hint(self) -> str:
        """What helps against her."""
        return gettext(self.tip)


_SOMEBODY = Shop(
    "seller:people",
    gettext_noop("Whoever is there"),
    gettext_noop("You do not know her manner: watch what your steps do to hers."),
    "Somebody",
)
_LANE: tuple[Shop, ...] = (
    Shop(
        "seller:default",
        gettext_noop("Meena's Corner"),
        gettext_noop(
            "Meena answers in kind: a good step from you earns one from her, a crumb earns nothing."
        ),
    ),
    Shop(
        "seller:firm",
        gettext_noop("Zarina Fixed Price"),
        gettext_noop(
            "Zarina does not come down. Come near her price in good time, and she says yes."
        ),
    ),
    Shop(
        "seller:flexible",
        gettext_noop("Bindu Bargain House"),
        gettext_noop(
            "Bindu gives a little more than you give. Below half her price she hears nothing."
        ),
    ),
    Shop(
        "seller:deceptive",
        gettext_noop("Lovely Trading Co."),
        gettext_noop(
            "Lovely bluffs in words, never in the rules. She stands still until your steps add up."
        ),
    ),
)

_PEOPLE: tuple[tuple[str, str], ...] = (
    (
        "halver",
        gettext_noop(
            "Asha halves the gap once or twice, as far as your steps allow. Make them count early."
        ),
    ),
    (
        "reciprocal",
        gettext_noop("Farida pays a step with a step. Stand still and she stands still, too."),
    ),
    (
        "fader",
        gettext_noop(
            "Gauri gives most at the start. When her steps are crumbs, you are near the end."
        ),
    ),
    ("firm", gettext_noop("Ishrat has a price. Come near it or save your time.")),
    ("proud", gettext_noop("Kamini remembers an insult. Open where she can still smile.")),
    (
        "needy",
        gettext_noop(
            "Leela is pressed for time. Do not keep your steps for the end: too late she is gone."
        ),
    ),
    (
        "bluffer",
        gettext_noop("Mona has said “last price” before. Believe the steps, not the stories."),
    ),
    ("impatient", gettext_noop("Naina has no time for small steps. Make the few you have count.")),
    (
        "splitter",
        gettext_noop("Padma will say “the middle”. What the middle is, your bids decide."),
    ),
    ("lister", gettext_noop("Rehana knows what it costs new. She moves little, but not never.")),
    (
        "turncoat",
        gettext_noop("Sushma changes her manner in the middle of a game. Watch for the turn."),
    ),
    ("extreme", gettext_noop("Tara does what the others do, further than any of them.")),
    (
        "gentle",
        gettext_noop("Usha would rather be done with it. A fair bid early is half the deal."),
    ),
    (
        "recorded",
        gettext_noop(
            "Wahida goes the way of a person who once sold, as far as your steps carry her."
        ),
    ),
)
"""Family and hint: sellers by ``bazaarbatna.bargain.people``."""

SHOPS: tuple[Shop, ...] = (
    _SOMEBODY,
    *_LANE,
    *(Shop(f"seller:people-{family}", "", hint, PEOPLE) for family, hint in _PEOPLE),
)
"""A new seller is a row here, a character, and a policy of that side; the first comes first."""

PLAIN = Shop("", gettext_noop("A stall"), gettext_noop("Watch how her asks move."))
"""Stands in for a policy without a row."""


def shop_of(policy: str) -> Shop:
    """Return the shop that a policy keeps."""
    return next((shop for shop in SHOPS if shop.policy == policy), PLAIN)


NO_BRACES = {ord("{"): None, ord("}"): None}
"""In words to fill in, what people call themselves must not look like a place for an amount."""


def rival_of(game: Game) -> str:
    """Name whoever sits opposite, within a sentence."""
    sells = game.seat != Game.Seat.BUYER
    if not terms_of(game).persona_told:
        return gettext("the buyer") if sells else gettext("the seller")
    name = str(game.names.get("buyer" if sells else "seller", "")).translate(NO_BRACES)
    if game.policy == PERSON:
        return name or (gettext("the buyer") if sells else gettext("the seller"))
    house = gettext("Sauda") if sells else shop_of(game.policy).keeper
    if name and game.suite == PAIR:
        return gettext("%(house)s for %(name)s") % {"house": house, "name": name}
    return house


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
