"""Whom a person can choose to sit opposite: the stalls of a buyer, the voices of a seller."""

import msgspec
from django.conf import settings
from django.utils.translation import gettext

from negotiation.bargain.terms import PERSON, terms_of
from negotiation.models import PAIR, Game
from negotiation.policies import Entry, UnknownPolicy, policies, policy
from negotiation.portraits.characters import character
from negotiation.sentences import sentences

say = sentences(__file__)

LANE = "Shops of the lane"
PATIENT = "seller:default"
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
        return character(self.policy).name if self.policy else say("the_seller")

    @property
    def name(self) -> str:
        """What stands above her stall."""
        return gettext(self.sign) if self.sign else self.keeper

    @property
    def line(self) -> str:
        """One line about her."""
        return character(self.policy).temper if self.policy else say("nobody_knows_her_yet")

    @property
    def hint(self) -> str:
        """What helps against her."""
        return gettext(self.tip)


_SIGNS = say.texts("signs")


def _group(policy: str) -> str:
    if policy == "seller:people":
        return "Somebody"
    return LANE if policy in _SIGNS else PEOPLE


SHOPS: tuple[Shop, ...] = tuple(
    Shop(policy, _SIGNS.get(policy, ""), tip, _group(policy))
    for policy, tip in say.texts("hints").items()
)
"""A new seller is a hint in ``words.toml``, a character, and a policy of that side; the first comes
first."""

PLAIN = Shop("", say.text("a_stall"), say.text("watch_how_her_asks_move"))
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
        return say("within_the_buyer") if sells else say("within_the_seller")
    name = str(game.names.get("buyer" if sells else "seller", "")).translate(NO_BRACES)
    if game.policy == PERSON:
        return name or (say("within_the_buyer") if sells else say("within_the_seller"))
    house = say("sauda") if sells else shop_of(game.policy).keeper
    if name and game.suite == PAIR:
        return say("house_for_name", house=house, name=name)
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
