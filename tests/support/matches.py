"""Matches as tests need them: any listing, persona and line-up, each from one number."""

from arena.buyers import player_of, seat_version
from arena.engine.events import ArenaEvent, Ended, Placed
from arena.engine.making import make_match
from arena.engine.playing import play_match
from arena.engine.scenario import ArenaScenario, Seat
from arena.manners import LINE_UP
from negotiation.engine.goods import SAMPLE_LISTINGS
from negotiation.engine.sellers import SELLERS
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
