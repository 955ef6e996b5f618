"""From a suite's id and a seed to the scenario of one episode."""

from random import Random

from bazaarbatna.bargain.career import Career
from bazaarbatna.bargain.errors import UnknownSuite
from bazaarbatna.bargain.goods import GOODS, SAMPLE_LISTINGS, ListingPrices
from bazaarbatna.bargain.people.dealing import ROUNDS, USUAL_ROUNDS
from bazaarbatna.bargain.people.families import family_of
from bazaarbatna.bargain.people.suites import PeopleSuite, people_suite, people_words
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues, SellerRules
from bazaarbatna.bargain.sellers import SELLERS, VERSIONS, persona_of
from bazaarbatna.bargain.sellers.persona import Persona
from bazaarbatna.bargain.suites import SUITES, VARIANTS, Suite, Variant, suite_id

__all__ = [
    "SUITES", "ListingPrices", "Suite", "make_scenario", "pinned_suite", "seller_name", "suite",
    "suite_ids",
]  # fmt: skip

FIXED_COST = Paise(3000)
FIXED_BUDGET = Paise(10000)
SAMPLED_COST = (2000, 4500)
LEAST_BUDGET_OVER_COST = 500
HIGHEST_BUDGET = 13000
HOPELESS_SHARE = 0.1
"""How many episodes of the sampled variant have no zone of possible agreement."""
HOPELESS_BUDGET = (0.75, 0.98)
"""Budget of such an episode as a share of the reservation price."""
LISTING_COST = 0.7
"""Cost as a share of the street price."""
LISTING_BUDGET = 1.08
"""Lowest budget for a sampled listing, as a multiple of the reservation price."""
MOST_EPISODES = 1 << 10

_by_id: dict[str, tuple[Suite, Variant]] = {
    suite_id(row.name, variant): (row, variant) for row in SUITES for variant in VARIANTS
}


def suite_ids() -> tuple[str, ...]:
    """List the ids of all suites with pinned sellers, both variants, in the table's order."""
    return tuple(_by_id)


def suite(id_: str) -> Suite:
    """Look a suite up, with pinned sellers or of the population; raises ``UnknownSuite``."""
    people = people_suite(id_)
    return _find(id_)[0] if people is None else _row(people)


def pinned_suite(id_: str) -> Suite:
    """Look up a suite with pinned sellers: what sweeps play."""
    if people_suite(id_) is not None:
        raise UnknownSuite(
            f"{id_} has no pinned seller; sweeps play those only: {', '.join(_by_id)}."
        )
    return _find(id_)[0]


def seller_name(id_: str, seller: str) -> str:
    """Return the bare name of a persona, or family, that may stand in for a suite's own seller.

    Raises:
        UnknownSeller: there is none, or the label is of a version that is not played here.
    """
    return persona_of(seller) if people_suite(id_) is None else family_of(seller).name


def make_scenario(
    id_: str,
    seed: int,
    episode: int = 0,
    career: Career | None = None,
    listing: ListingPrices | None = None,
    *,
    listings: tuple[ListingPrices, ...] | None = None,
    seller: str | None = None,
) -> Scenario:
    """Draw the scenario of one episode; same arguments, same scenario.

    Args:
        id_: a suite's id, for example ``single_deal@sampled-1``.
        seed: 0 or more.
        episode: place in the suite's game, from 0.
        career: earlier episodes of the same pair (suites with a career).
        listing: the goods; only for ``amazon_realistic``.
        listings: goods to draw one of when ``listing`` is missing (default: a built-in sample).
        seller: persona (or family) or version label of another seller than the suite's own; what is
            drawn stays as it is.

    Raises:
        UnknownSuite, UnknownSeller: there is none of that name.
        ValueError: the seed or episode is out of range, or the listing does not fit the suite.
    """
    if (people := people_suite(id_)) is not None:
        return _met(people, seed, episode, listing, seller)
    row, variant = _find(id_)
    if seed < 0 or not 0 <= episode < MOST_EPISODES:
        raise ValueError(f"A seed is 0 or more and an episode 0..{MOST_EPISODES - 1}.")
    if listing is not None and not row.listings:
        raise ValueError(f"{id_} brings its own goods; a listing goes with amazon_realistic.")
    rng = Random(seed * MOST_EPISODES + episode)
    persona = _persona(row, seller)
    if row.listings:
        listing = listing or _pick(rng, listings or SAMPLE_LISTINGS)
        item, cost = listing.item, clamp_price(LISTING_COST * listing.street_price)
        list_price = listing.list_price
    else:
        item, cost = _goods(rng, variant)
        list_price = clamp_price(row.anchor_factor * cost)
    reservation = clamp_price(persona.reservation_factor * cost)
    budget = _budget(rng, variant, cost, reservation, listing)
    return Scenario(
        suite=id_,
        item=item,
        max_rounds=row.rounds,
        anchor=clamp_price(persona.anchor_factor * list_price, low=reservation),
        sealed=SealedValues(
            reservation, cost, budget, rng.getrandbits(53), persona.name, row.deadline
        ),
        salt=f"{rng.getrandbits(128):032x}",
        seller=VERSIONS[persona.name],
        persona_visible=row.persona_visible,
        rules=seller_rules(id_, career or Career(), seller),
    )


def seller_rules(id_: str, career: Career, seller: str | None = None) -> SellerRules:
    """Return what a suite's seller is made from after the career so far; see ``make_scenario``."""
    row, _ = _find(id_)
    # A seller with a career sells from one stock; it never quite runs out.
    sold = min(career.deals, row.inventory - 1)
    return SellerRules(
        concession_rate=row.concession_rate,
        batna_walk_p=row.batna_walk_p,
        inventory=row.inventory - sold,
        inventory_start=row.inventory,
        capitulation_rate=career.capitulation_rate,
        bluff_raise=_persona(row, seller).bluff_raise,
    )


def costs_behind(id_: str, opening_ask: Paise, title: str) -> tuple[Paise, ...]:
    """List the costs in paise that a game of a suite can have which opens with this ask.

    Nobody is told a cost; whoever knows the table can reckon it, because every anchor is a multiple
    of the cost, or the list price of one of the built-in listings.
    """
    row, _ = _find(id_)
    persona = _persona(row)
    if row.listings:
        return tuple(
            clamp_price(LISTING_COST * one.street_price)
            for one in SAMPLE_LISTINGS
            if one.title == title
            and clamp_price(persona.anchor_factor * one.list_price) == opening_ask
        )
    guess = round(opening_ask / (persona.anchor_factor * row.anchor_factor))
    near = (Paise(cost) for cost in range(max(guess - 2, 1), guess + 3))
    return tuple(cost for cost in near if _anchor(row, persona, cost) == opening_ask)


def _anchor(row: Suite, persona: Persona, cost: Paise) -> Paise:
    list_price = clamp_price(row.anchor_factor * cost)
    least = clamp_price(persona.reservation_factor * cost)
    return clamp_price(persona.anchor_factor * list_price, low=least)


def _persona(row: Suite, seller: str | None = None) -> Persona:
    return SELLERS[row.persona if seller is None else persona_of(seller)].persona


def _find(id_: str) -> tuple[Suite, Variant]:
    try:
        return _by_id[id_]
    except KeyError:
        known = ", ".join((*_by_id, *(f"{word}@1" for word in people_words())))
        raise UnknownSuite(f"There is no suite {id_[:60]!r}. Known: {known}.") from None


def _row(people: PeopleSuite) -> Suite:
    # Who sells is drawn with the game: nothing of a pinned seller is fixed.
    return Suite(
        name=people.id.partition("@")[0],
        title=people.title,
        level="hard",
        success=0.3,
        rounds=people.rounds or (USUAL_ROUNDS if people.as_on_site else ROUNDS[1]),
        persona="people",
        concession_rate=0.0,
        batna_walk_p=0.0,
    )


def _met(
    people: PeopleSuite,
    seed: int,
    episode: int,
    listing: ListingPrices | None,
    seller: str | None,
) -> Scenario:
    if episode or listing is not None:
        raise ValueError(f"A game of {people.id} is one bargain over goods of its own.")
    return people.deal(seed, seller)


def _goods(rng: Random, variant: Variant) -> tuple[Item, Paise]:
    if variant == "fixed":
        return GOODS[0], FIXED_COST
    return GOODS[int(rng.random() * len(GOODS))], clamp_price(_between(rng, *SAMPLED_COST))


def _budget(
    rng: Random, variant: Variant, cost: int, reservation: int, listing: ListingPrices | None
) -> Paise:
    if variant == "fixed":
        return listing.list_price if listing else FIXED_BUDGET
    if rng.random() < HOPELESS_SHARE:
        return clamp_price(_between(rng, *HOPELESS_BUDGET) * reservation)
    if listing is None:
        return clamp_price(_between(rng, cost + LEAST_BUDGET_OVER_COST, HIGHEST_BUDGET))
    least = LISTING_BUDGET * reservation
    return clamp_price(_between(rng, least, max(least, listing.list_price)))


def _pick(rng: Random, listings: tuple[ListingPrices, ...]) -> ListingPrices:
    return listings[int(rng.random() * len(listings))]


def _between(rng: Random, low: float, high: float) -> float:
    return low + (high - low) * rng.random()
