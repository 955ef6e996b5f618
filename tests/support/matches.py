"""Matches as tests need them: any listing, persona and line-up, each from one number."""

from random import Random

import msgspec

from arena.auction.web.bidding import LINE_UP
from arena.auction.web.buyers import player_of, seat_version
from bazaarbatna.auction.events import (
    SIGNALS,
    ArenaEvent,
    ArenaMove,
    Bid,
    Ended,
    Hold,
    Leave,
    Placed,
    Take,
)
from bazaarbatna.auction.making import RULES, make_match
from bazaarbatna.auction.match import ArenaState, start
from bazaarbatna.auction.observe import ArenaObservation, Player, play_match, play_on
from bazaarbatna.auction.scenario import ArenaScenario, ArenaSealed, Seat
from bazaarbatna.bargain.goods import SAMPLE_LISTINGS
from bazaarbatna.bargain.quantities import MIN_PRICE, Paise
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.bargain.sellers import SELLERS
from negotiation.policies import policy


def a_seat(name: str, *, person: bool = False) -> Seat:
    """A chair for a registered policy, or for Asha."""
    if person:
        return Seat("Asha", "person", "person", person=True)
    entry = policy(name)
    return Seat(entry.title, name, seat_version(name))


def a_match(number: int, *, line_up: tuple[str, ...] = LINE_UP) -> ArenaScenario:
    """Match ``number``: two to four of the line-up, in turning seats."""
    count = 2 + number % (len(line_up) - 1)
    seats = tuple(a_seat(line_up[(number + seat) % len(line_up)]) for seat in range(count))
    listing = SAMPLE_LISTINGS[number % len(SAMPLE_LISTINGS)]
    return make_match(listing, seats, list(SELLERS)[number // 8 % 4], number)


def a_full_match(number: int, *, line_up: tuple[str, ...] = LINE_UP) -> ArenaScenario:
    """Match ``number`` with everybody of the line-up."""
    count = len(line_up)
    seats = tuple(a_seat(line_up[(number + seat) % count]) for seat in range(count))
    listing = SAMPLE_LISTINGS[number % len(SAMPLE_LISTINGS)]
    return make_match(listing, seats, list(SELLERS)[number // 8 % 4], number)


def played(scenario: ArenaScenario) -> tuple[ArenaEvent, ...]:
    """The whole log of a match among its own players."""
    return play_match(scenario, lambda seat: player_of(scenario, seat))


def end_of(events: tuple[ArenaEvent, ...]) -> Ended:
    """The last event of a finished match."""
    last = events[-1]
    assert isinstance(last, Ended)
    return last


def envelopes(events: tuple[ArenaEvent, ...]) -> list[Placed]:
    """All closed envelopes, in order."""
    return [event for event in events if isinstance(event, Placed)]


def a_table(
    budgets: tuple[int, ...],
    *,
    anchor: int = 200_000,
    reservation: int = 100_000,
    rounds: int = 12,
    persona: str = "default",
    seed: int = 7,
    names: tuple[str, ...] = ("Asha", "Bilal", "Chetan", "Mallory"),
    person: bool = False,
) -> ArenaScenario:
    """A lamp at 2,000 rupees that the seller gives for 1,000; prices in paise."""
    chairs = tuple(Seat(names[at], "scripted", "scripted@1") for at in range(len(budgets)))
    if person:
        chairs = (msgspec.structs.replace(chairs[0], person=True), *chairs[1:])
    return ArenaScenario(
        suite="marketplace_arena",
        item=Item("Brass lamp", "home"),
        max_rounds=rounds,
        anchor=Paise(anchor),
        sealed=ArenaSealed(
            Paise(reservation),
            Paise(reservation),
            seed,
            persona,
            tuple(Paise(budget) for budget in budgets),
        ),
        salt="5a17",
        seats=chairs,
        seller="rule:arena-default@1#0",
        rules=RULES,
    )


def scripted(
    scenario: ArenaScenario, *scripts: dict[int, ArenaMove]
) -> tuple[ArenaState, tuple[ArenaEvent, ...]]:
    """Play scripts of moves by round; whoever has none, or none for a round, holds."""
    state, opening = start(scenario)
    idle: list[dict[int, ArenaMove]] = [{}] * (len(scenario.seats) - len(scripts))
    rest = play_on(state, [_reader(script) for script in (*scripts, *idle)])
    return rest[0], (*opening, *rest[1])


def _reader(script: dict[int, ArenaMove]) -> Player:
    return lambda seen: script.get(seen.round, Hold())


def chancer(seed: int) -> Player:
    """Any legal move; mostly bids."""

    def act(seen: ArenaObservation) -> ArenaMove:
        dice = Random(f"{seed}:{seen.buyer}:{seen.round}")
        chance = dice.random()
        signal = dice.choice((None, *SIGNALS))
        if chance < 0.08:
            return Leave("bye", signal)
        if chance < 0.13 and seen.standing_ask <= seen.budget:
            return Take("mine", signal)
        if chance < 0.4:
            return Hold("", signal)
        low = seen.own_bid or MIN_PRICE
        high = max(low, min(seen.budget, int(dice.uniform(0.3, 1.1) * seen.standing_ask)))
        return Bid(Paise(dice.randint(low, high)), "more", signal)

    return act
