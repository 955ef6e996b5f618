"""What an opponent can tell of a hidden number from the first price, measured by simple guesses.

A guess knows what the other side sees: the opening ask, and where there is one the first bid. Three
rules are tried on one half of the games, and the best of them is measured on the other half: a
fixed part of the ask, a fixed multiple of the bid, and a straight line through both.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from arena.auction.web.buyers import player_of
from bazaarbatna.auction.events import Bid
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.match import start as begin
from bazaarbatna.auction.observe import observe
from bazaarbatna.auction.scenario import Seat
from bazaarbatna.bargain.episode import start
from bazaarbatna.bargain.goods import SAMPLE_LISTINGS
from bazaarbatna.bargain.moves import Offer
from bazaarbatna.bargain.observe import observe_buyer
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.tasks import make_scenario, suite_ids
from negotiation.bargain.pairs import pair_scenario
from negotiation.bargain.purchases import NewPurchase, purchase_scenario
from negotiation.bargain.scenarios import NewSale, scenario_of
from negotiation.models import Listing
from negotiation.policies import Entry, policies, policy
from rooms.plan import Zone
from rooms.seating.dealing import draw_limits

RECORD = Path(__file__).with_suffix(".json")
"""What the page shows: written by ``manage.py given_away --write``."""

GIVEN_AWAY = 0.02
"""A guess that is off by less than this in the median leaves nothing to hide."""

AS_GOOD_AS_NONE = 0.001
"""Paise are whole numbers: a fixed multiple is off by that."""

NARROWED = 0.75
"""A bid that brings the error below this part of what it was before tells something."""

ZONES: tuple[Zone, ...] = ("usual", "wide", "narrow", "none")

Place = Literal["sale", "arena", "suite", "purchase", "pair", "room"]
Verdict = Literal["given away", "tells something", "tells nothing"]


class Row(msgspec.Struct, frozen=True):
    """How well one hidden number is guessed; errors are medians, as parts of the number.

    ``before`` knows the ask alone. ``after`` knows the first bid too, ``r2`` is how much of the
    spread a straight line explains then; both are None where there is no bid.
    """

    place: Place
    who: str
    hidden: Literal["budget", "floor", "cost"]
    games: int
    before: float
    after: float | None = None
    r2: float | None = None

    @property
    def verdict(self) -> Verdict:
        """Say in a word what an opponent gets."""
        best = self.before if self.after is None else self.after
        if best < GIVEN_AWAY:
            return "given away"
        if self.after is not None and self.after < NARROWED * self.before:
            return "tells something"
        return "tells nothing"


class Seen(msgspec.Struct, frozen=True):
    """One game: what was asked first, the first bid (0: none), and the hidden number; in paise."""

    ask: float
    bid: float
    hidden: float


def measure(games: int) -> list[Row]:
    """Measure all that is shipped; the same number of games gives the same rows."""
    return [
        *_sales(games), *_matches(games), *_suites(games),
        *_purchases(games), *_pairs(games), *_rooms(games),
    ]  # fmt: skip


def recorded() -> list[Row]:
    """Return the rows that the page shows."""
    return msgspec.json.decode(RECORD.read_bytes(), type=list[Row])


def fixed_multiples(rows: Sequence[Row]) -> list[Row]:
    """Return the suites in which the opening ask is a fixed multiple of the cost."""
    return [row for row in rows if row.place == "suite" and row.before < AS_GOOD_AS_NONE]


def row_of(
    place: Place, who: str, hidden: Literal["budget", "floor", "cost"], seen: Sequence[Seen]
) -> Row:
    """Fit the guesses on every second game and measure the best of them on the others."""
    fitted, others = seen[::2], seen[1::2]
    part = float(np.median([one.hidden / one.ask for one in fitted]))
    before = _error([part * one.ask for one in others], others)
    if not all(one.bid for one in seen):
        return Row(place, who, hidden, len(seen), _short(before))
    multiple = float(np.median([one.hidden / one.bid for one in fitted]))
    slope, start_at = _line(fitted)
    along = [(start_at + slope * one.bid / one.ask) * one.ask for one in others]
    errors = (_error([multiple * one.bid for one in others], others), _error(along, others))
    truth = np.array([one.hidden / one.ask for one in others])
    told = np.array([start_at + slope * one.bid / one.ask for one in others])
    spread = float(((truth - truth.mean()) ** 2).sum())
    r2 = max(0.0, 1 - float(((truth - told) ** 2).sum()) / spread) if spread else 1.0
    after = min(before, *errors)
    return Row(place, who, hidden, len(seen), _short(before), _short(after), _short(r2))


def _line(seen: Sequence[Seen]) -> tuple[float, float]:
    bids = np.array([one.bid / one.ask for one in seen])
    if np.ptp(bids) < 1e-9:
        return 0.0, float(np.median([one.hidden / one.ask for one in seen]))
    slope, start_at = np.polyfit(bids, [one.hidden / one.ask for one in seen], 1)
    return float(slope), float(start_at)


def _error(guesses: Sequence[float], seen: Sequence[Seen]) -> float:
    off = [abs(guess - one.hidden) / one.hidden for guess, one in zip(guesses, seen, strict=True)]
    return float(np.median(off))


def _short(value: float) -> float:
    return round(value, 3)


def _listings(games: int) -> Iterator[tuple[int, Listing]]:
    for number in range(games):
        goods = SAMPLE_LISTINGS[number % len(SAMPLE_LISTINGS)]
        yield (
            number,
            Listing(
                title=goods.title,
                category=goods.category,
                list_price=goods.list_price,
                street_price=goods.street_price,
            ),
        )


def _first_bid(scenario: Scenario, name: str, seed: int) -> float:
    state, _ = start(scenario)
    move = policy(name).make(seed).act(observe_buyer(state))
    return float(move.price) if isinstance(move, Offer) else 0.0


def buyers() -> list[Entry]:
    """Return the buyers whose answers take no time, each of them once."""
    # "sauda:hf" and its like are Sauda with one voice alone: the same prices.
    return [entry for entry in policies("buyer") if ":" not in entry.name.removeprefix("rules:")]


def _sales(games: int) -> Iterator[Row]:
    dealt = []
    for number, listing in _listings(games):
        luck = random.Random(f"given-away:{number}")
        dealt.append(scenario_of(NewSale(listing=listing), luck.randrange))
    for entry in buyers():
        seen = [
            Seen(one.anchor, _first_bid(one, entry.name, one.sealed.seed), one.sealed.budget)
            for one in dealt
        ]
        made = [one for one in seen if one.bid]
        if len(made) > len(seen) / 2:
            yield row_of("sale", entry.name, "budget", made)


def _matches(games: int) -> Iterator[Row]:
    for entry in buyers():
        seen = [bid for number in range(games // 4) for bid in _bids_of(entry.name, number)]
        if len(seen) > games / 4:
            yield row_of("arena", entry.name, "budget", seen)


def _bids_of(name: str, number: int) -> Iterator[Seen]:
    goods = SAMPLE_LISTINGS[number % len(SAMPLE_LISTINGS)]
    seats = tuple(Seat(f"Buyer {place}", name, "") for place in range(4))
    match = make_match(goods, seats, "default", number)
    state, _ = begin(match)
    for place in range(len(seats)):
        move = player_of(match, place)(observe(state, place))
        if isinstance(move, Bid):
            yield Seen(match.anchor, move.price, match.sealed.budgets[place])


def _suites(games: int) -> Iterator[Row]:
    for id_ in suite_ids():
        dealt = [make_scenario(id_, seed) for seed in range(games)]
        seen = [Seen(one.anchor, 0, one.sealed.cost) for one in dealt]
        yield row_of("suite", id_, "cost", seen)


def _purchases(games: int) -> Iterator[Row]:
    sellers = [entry for entry in policies("seller") if entry.kind == "rules"]
    seen = []
    for number, listing in _listings(games):
        luck = random.Random(f"given-away:{number}")
        wanted = NewPurchase(listing=listing, policy=sellers[0].name)
        one = purchase_scenario(wanted, luck.randrange)
        seen.append(Seen(one.anchor, 0, one.sealed.reservation))
    yield row_of("purchase", "seller", "floor", seen)


def _pairs(games: int) -> Iterator[Row]:
    dealt = []
    for number, listing in _listings(games):
        luck = random.Random(f"given-away:{number}")
        dealt.append(pair_scenario(listing, luck.randrange))
    yield row_of("pair", "seller", "floor", [_limit(one, "reservation") for one in dealt])
    yield row_of("pair", "buyer", "budget", [_limit(one, "budget") for one in dealt])


def _limit(one: Scenario, name: str) -> Seen:
    return Seen(one.anchor, 0, getattr(one.sealed, name))


def _rooms(games: int) -> Iterator[Row]:
    for zone in ZONES:
        floors, budgets = [], []
        for number, listing in _listings(games):
            seed = random.Random(f"given-away:{number}").getrandbits(53)
            floor, budget = draw_limits(seed, listing, zone)
            floors.append(Seen(listing.list_price, 0, floor))
            # Whoever sells knows the floor: is the budget a fixed step from it?
            budgets.append(Seen(listing.list_price, floor, budget))
        yield row_of("room", zone, "floor", floors)
        yield row_of("room", zone, "budget", budgets)
