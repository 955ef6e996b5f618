"""What somebody asks for when starting a match, checked and ready to be stored."""

import random
import secrets
from collections.abc import Callable, Sequence

import msgspec
from django.conf import settings
from django.utils.translation import gettext

from arena.auction.web.buyers import STAND_IN, seat_version
from arena.models import Match, MatchSeat
from arena.words import say
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.scenario import FEWEST_BUYERS, MOST_BUYERS, Seat
from bazaarbatna.bargain.goods import ListingPrices
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.sellers import SELLERS
from negotiation.bargain.purchases import item_of
from negotiation.bargain.scenarios import SEED_LIMIT
from negotiation.errors import BadSale
from negotiation.models import Listing
from negotiation.policies import UnknownPolicy, policy, title_of
from negotiation.portraits.characters import character

DRAWN = ""

PERSONAS: tuple[tuple[str, str, str], ...] = (
    (DRAWN, say.text("whoever_comes"), say.text("drawn_by_chance_opened_at_the")),
    ("default", say.text("even_tempered"), say.text("comes_down_steadily")),
    ("deceptive", say.text("deceptive"), say.text("asks_more_fakes_haste_pulls_back")),
    ("impatient", say.text("impatient"), say.text("two_big_drops_then_hardly_any")),
    ("collaborative", say.text("collaborative"), say.text("leans_to_the_middle")),
)

_WORDS = {
    "default": say.text("even_tempered_within"),
    "deceptive": say.text("deceptive_within"),
    "impatient": say.text("impatient_within"),
    "collaborative": say.text("collaborative_within"),
}


def persona_word(name: str) -> str:
    """Return a persona's name within a sentence.

    >>> persona_word("default"), persona_word("stern")
    ('even-tempered', 'stern')
    """
    return gettext(_WORDS[name]) if name in _WORDS else name


PERSON = "person"  # in a line-up: somebody who plays by hand

PERSON_NAME = say.text("person_name")  # how the others see a person

QUICK_RIVALS = ("sauda", "rules:aggressive", "rules:smart")
"""Who bids against whoever takes a seat at once."""
QUICK_PAUSE_S = 2.0
"""At most so long between two rounds of a match that a person began at once."""
QUICK_DRAWS, FIRST_DRAWS = 60, 600
AFFORDS = 1.1
"""Of the reservation price: what the person of such a match can pay at least."""
RICHER = 1.15
"""Times the largest budget of the others: what a newcomer has at least in the first match."""

WORTH = (0.85, 1.1)
"""Part of the street price an item goes for: drawn, else earlier matches tell the limit."""


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """A match to start; ``pause_s`` between two rounds, None: as the site is set.

    ``wait_s`` is how long several people are waited for, None: ``matches.WAIT_FOR_PEOPLE_S``.
    ``is_listed``: others find the match and its replay.
    ``line_up`` names two to four buyers, or "person"; ``persona`` "" and ``seed`` None are drawn.
    """

    listing: Listing
    line_up: tuple[str, ...]
    persona: str = ""
    seed: int | None = None
    pause_s: float | None = None
    wait_s: float | None = None
    is_listed: bool = True

    @property
    def people(self) -> int:
        """How many chairs are meant for people."""
        return self.line_up.count(PERSON)


class Plan(msgspec.Struct, frozen=True):
    """An order whose blanks are filled in."""

    persona: str
    seed: int


def checked(order: Order, below: Callable[[int], int] = secrets.randbelow) -> Plan:
    """Fill in what an order leaves open, or raise ``BadSale`` or ``UnknownPolicy``."""
    if not FEWEST_BUYERS <= len(order.line_up) <= MOST_BUYERS:
        raise BadSale(
            say("a_match_has_few_to_many_buyers", few=FEWEST_BUYERS, many=MOST_BUYERS), "lineup"
        )
    for name in order.line_up:
        if name != PERSON and policy(name).side != "buyer":
            raise UnknownPolicy(f"{name!r} sells; choose buyers.")
    if order.persona and order.persona not in SELLERS:
        raise BadSale(f"A seller is one of {', '.join(SELLERS)}.", "persona")
    if order.seed is not None:
        if not 0 <= order.seed < SEED_LIMIT:
            raise BadSale(say("a_seed_is_a_whole_number_from", most=SEED_LIMIT - 1), "seed")
        if order.people > 1:
            # Whoever knows the seed can work out what the others keep secret.
            told = say("several_people_play_for_real_leave_the")
            raise BadSale(told, "seed")
    seed = below(SEED_LIMIT) if order.seed is None else order.seed
    return Plan(order.persona or random.Random(f"persona:{seed}").choice(list(SELLERS)), seed)


def quick_order(
    listing: Listing, below: Callable[[int], int] = secrets.randbelow, *, is_first: bool = False
) -> Order:
    """Return a match that a person can begin at once, against the house, and could win.

    The seed is drawn again until the person could pay the seller, and at most one rival has more
    money; in somebody's first match none has nearly as much. The pages say so.
    """
    line_up = (PERSON, *QUICK_RIVALS)
    chairs = tuple(Seat(name, name, "") for name in line_up)
    seed = below(SEED_LIMIT)
    for _ in range(FIRST_DRAWS if is_first else QUICK_DRAWS):
        persona = checked(Order(listing=listing, line_up=line_up, seed=seed)).persona
        sealed = make_match(prices_of(listing, seed), chairs, persona, seed).sealed
        own, *others = sealed.budgets
        fair = own >= RICHER * max(others) if is_first else sum(o > own for o in others) <= 1
        if fair and own >= AFFORDS * sealed.reservation:
            break
        seed = below(SEED_LIMIT)
    pause_s = min(settings.ARENA_PAUSE_S, QUICK_PAUSE_S)
    return Order(listing=listing, line_up=line_up, seed=seed, pause_s=pause_s)


def is_newcomer(visitor: str, match_id: str = "") -> bool:
    """Whether a visitor has sat at no table, or at none before this match."""
    sat = MatchSeat.objects.filter(owner=visitor).order_by("match__game__created_at")
    first = sat.values_list("match", flat=True).first() if visitor else match_id or None
    return first in (None, match_id)


def is_quick(line_up: Sequence[str]) -> bool:
    """Return whether it is the line-up of ``quick_order``, which everybody may see."""
    return tuple(line_up) == (PERSON, *QUICK_RIVALS)


def prices_of(listing: Listing, seed: int) -> ListingPrices:
    """Return what a match needs of a listing; its seed draws what the goods go for."""
    # A name of its own: whoever draws from the same seed must not echo this draw.
    worth = random.Random(f"worth:{seed}").uniform(*WORTH)
    return ListingPrices(
        list_price=Paise(listing.list_price),
        street_price=clamp_price(worth * listing.street_price),
        **msgspec.structs.asdict(item_of(listing)),
    )


def chairs_of(match: Match, owner: str, exhibition: bool) -> list[MatchSeat]:
    """Return the chairs of a new match; the first one for a person is the owner's."""
    line_up = match.line_up
    first_person = line_up.index(PERSON) if PERSON in line_up else -1
    return [
        MatchSeat(
            match=match,
            index=index,
            policy=STAND_IN if name == PERSON else name,
            version=seat_version(STAND_IN if name == PERSON else name),
            owner=owner if index == first_person else "",
            is_open=exhibition or name == PERSON,
        )
        for index, name in enumerate(line_up)
    ]


def name_of(policy_name: str) -> str:
    """Return a policy's character as matches store it: its name in the file, else the title."""
    who = character(policy_name)
    return who.written if who.is_known else title_of(policy_name)


def seats_of(chairs: list[MatchSeat]) -> tuple[Seat, ...]:
    """Return who sits at the table; of several with one name the later ones get a number."""
    seats: list[Seat] = []
    for chair in chairs:
        if chair.owner:
            seats.append(Seat(_free_name(PERSON_NAME, seats), PERSON, "", person=True))
        else:
            entry = policy(chair.policy)
            name = _free_name(name_of(entry.name), seats)
            seats.append(Seat(name, entry.name, seat_version(entry.name)))
    return tuple(seats)


def _free_name(name: str, seats: list[Seat]) -> str:
    taken = {seat.name for seat in seats}
    numbers = (f"{name} {number}" for number in range(2, MOST_BUYERS + 1))
    return name if name not in taken else next(one for one in numbers if one not in taken)
