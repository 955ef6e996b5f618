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


_SOMEBODY = Shop(
    "seller:people",
    say.text("whoever_is_there"),
    say.text("you_do_not_know_her_manner"),
    "Somebody",
)
_LANE: tuple[Shop, ...] = (
    Shop(
        "seller:default",
        say.text("meenas_corner"),
        say.text("meena_answers_in_kind_a_good"),
    ),
    Shop(
        "seller:firm",
        say.text("zarina_fixed_price"),
        say.text("zarina_does_not_come_down_come"),
    ),
    Shop(
        "seller:flexible",
        say.text("bindu_bargain_house"),
        say.text("bindu_gives_a_little_more_than"),
    ),
    Shop(
        "seller:deceptive",
        say.text("lovely_trading_co"),
        say.text("lovely_bluffs_in_words_never_in"),
    ),
)

_PEOPLE: tuple[tuple[str, str], ...] = (
    (
        "halver",
        say.text("asha_halves_the_gap_once_or"),
    ),
    (
        "reciprocal",
        say.text("farida_pays_a_step_with_a"),
    ),
    (
        "fader",
        say.text("gauri_gives_most_at_the_start"),
    ),
    ("firm", say.text("ishrat_has_a_price_come_near")),
    ("proud", say.text("kamini_remembers_an_insult_open_where")),
    (
        "needy",
        say.text("leela_is_pressed_for_time_do"),
    ),
    (
        "bluffer",
        say.text("mona_has_said_last_price_before"),
    ),
    ("impatient", say.text("naina_has_no_time_for_small")),
    (
        "splitter",
        say.text("padma_will_say_the_middle_what"),
    ),
    ("lister", say.text("rehana_knows_what_it_costs_new")),
    (
        "turncoat",
        say.text("sushma_changes_her_manner_in_the"),
    ),
    ("extreme", say.text("tara_does_what_the_others_do")),
    (
        "gentle",
        say.text("usha_would_rather_be_done_with"),
    ),
    (
        "recorded",
        say.text("wahida_goes_the_way_of_a"),
    ),
)
"""Family and hint: sellers by ``bazaarbatna.bargain.people``."""

SHOPS: tuple[Shop, ...] = (
    _SOMEBODY,
    *_LANE,
    *(Shop(f"seller:people-{family}", "", hint, PEOPLE) for family, hint in _PEOPLE),
)
"""A new seller is a row here, a character, and a policy of that side; the first comes first."""

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
        return say("the_buyer") if sells else say("the_seller_2")
    name = str(game.names.get("buyer" if sells else "seller", "")).translate(NO_BRACES)
    if game.policy == PERSON:
        return name or (say("the_buyer") if sells else say("the_seller_2"))
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
