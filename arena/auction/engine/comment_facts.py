"""What a comment needs of a finished match, picked from its log once."""

from collections.abc import Sequence

import msgspec

from arena.auction.engine.events import (
    ArenaEvent,
    AskLowered,
    Bidding,
    Ended,
    Opened,
    RoundRevealed,
)
from arena.auction.engine.scenario import ArenaScenario, Seat
from negotiation.engine.errors import BrokenLog
from negotiation.engine.quantities import Paise, to_rupees
from negotiation.money import rupees_text

NUMBER_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


class Remark(msgspec.Struct, frozen=True):
    """One sentence about a finished match.

    ``buyer`` is the seat it is about (None: nobody alone); ``numbers`` holds the figures of the
    sentence by name: prices in paise, shares 0..1, rounds and counts.
    """

    kind: str
    buyer: int | None
    text: str
    numbers: dict[str, float] = {}


class Facts(msgspec.Struct, frozen=True):
    """A finished match. ``asks`` holds each round's ask, ``left`` by seat the round it left."""

    scenario: ArenaScenario
    events: tuple[ArenaEvent, ...]
    ended: Ended
    rounds: tuple[RoundRevealed, ...]
    asks: tuple[Paise, ...]
    left: dict[int, int]

    @property
    def budgets(self) -> tuple[Paise, ...]:
        """What each buyer could have paid."""
        return self.scenario.sealed.budgets

    @property
    def reservation(self) -> Paise:
        """What the seller would have taken."""
        return self.scenario.sealed.reservation

    @property
    def richest(self) -> int:
        """The buyer with the highest budget; of several the first."""
        return self.budgets.index(max(self.budgets))

    def name(self, seat: int) -> str:
        """Return a buyer's name; two of one name are told apart by their seats."""
        seats = self.scenario.seats
        own = seats[seat].name
        return own if _is_alone(own, seats) else f"{own} (seat {seat + 1})"

    def whose(self, seat: int) -> str:
        """Return the possessive of a buyer."""
        return "their" if self.scenario.seats[seat].person else "its"

    def money(self, paise: float) -> str:
        """Return a price in the currency of the match."""
        return rupees_text(to_rupees(round(paise)), self.scenario.item.currency)

    def bids_of(self, seat: int) -> list[tuple[int, Bidding]]:
        """Return a buyer's opened envelopes with their rounds."""
        return [
            (revealed.round, bid)
            for revealed in self.rounds
            for bid in revealed.bids
            if bid.buyer == seat
        ]


def facts(scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> Facts:
    """Return the facts of a finished match from its log.

    Raises:
        BrokenLog: the match has not ended.
    """
    last = events[-1] if events else None
    if not isinstance(last, Ended):
        raise BrokenLog("Only a finished match has a comment; this log has no end.")
    rounds = tuple(event for event in events if isinstance(event, RoundRevealed))
    return Facts(
        scenario=scenario,
        events=tuple(events),
        ended=last,
        rounds=rounds,
        asks=tuple(event.price for event in events if isinstance(event, Opened | AskLowered)),
        left={
            bid.buyer: revealed.round
            for revealed in rounds
            for bid in revealed.bids
            if bid.action == "walk"
        },
    )


def percent(share: float) -> str:
    """Return a share of 0..1 as whole percents.

    >>> percent(0.314)
    '31 %'
    """
    return f"{round(100 * share)} %"


def rounds_text(count: int) -> str:
    """Return a count of rounds in words.

    >>> rounds_text(1), rounds_text(2), rounds_text(30)
    ('one round', 'two rounds', '30 rounds')
    """
    word = NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else str(count)
    return f"{word} round{'' if count == 1 else 's'}"


def in_rounds(numbers: Sequence[int]) -> str:
    """Return numbers of rounds in words.

    >>> in_rounds([4]), in_rounds([2, 4, 7])
    ('in round 4', 'in rounds 2, 4 and 7')
    """
    if len(numbers) == 1:
        return f"in round {numbers[0]}"
    head = ", ".join(str(number) for number in numbers[:-1])
    return f"in rounds {head} and {numbers[-1]}"


def _is_alone(name: str, seats: Sequence[Seat]) -> bool:
    return sum(seat.name == name for seat in seats) == 1
