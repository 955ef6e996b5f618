"""How one seller bargains: a few numbers, drawn anew for every game."""

from random import Random

import msgspec

from bazaarbatna.bargain.quantities import Paise, clamp_price


class Manner(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The numbers of one seller. Prices are shares of the opening ask, chances 0..1.

    Attributes:
        floor: reservation price.
        gap: share of the way from the ask to the bid that a move goes.
        fade: each further move goes this share of the one before.
        mirror: part of the buyer's last step up that is answered on top.
        idle: part of a move that is still made when the buyer has stood still.
        hold: chance to stand still in a turn.
        moves: prices that are named at most after the opening ask.
        split_from: after this many moves the middle is proposed, and insisted on; 0: never.
        greed: part of what the ask leaves above the floor that a bid has to bring to be taken.
        last_greed: the same at the end.
        close: a gap below this share of the opening ask is not argued about.
        patience: rounds without a step of the buyer that are borne.
        leave: chance to leave in each such round after that.
        insult: bids below this share of the opening ask are insults.
        pride: chance to leave at an insult.
        harden: moves are this share of what they were after an insult.
        deadline: own last round, as a share of the game's rounds; 0: none.
        rush: share of the gap that a move goes when the deadline is near.
        spread: half the width of the luck in a move's size, as a share of it.
        urgency: how pressed the seller is.
        bluff: how much of what is said is invented: rivals, last prices.
        honesty: chance that a signal shows what is so; else it is noise.
        turn_at: from this round on the seller bargains as ``turned`` says; 0: never.
        path: prices that are named one after the other, whatever is bid; empty: none. What a
            move goes is not asked then, a bid is taken from the price that would be named next
            on, and patience counts how often the last price is repeated.
    """

    floor: float
    gap: float = 0.5
    fade: float = 0.7
    mirror: float = 0.0
    idle: float = 0.5
    hold: float = 0.2
    moves: int = 20
    split_from: int = 0
    greed: float = 0.7
    last_greed: float = 0.3
    close: float = 0.03
    patience: int = 2
    leave: float = 0.3
    insult: float = 0.4
    pride: float = 0.05
    harden: float = 1.0
    deadline: float = 0.0
    rush: float = 0.0
    spread: float = 0.3
    urgency: float = 0.2
    bluff: float = 0.1
    honesty: float = 0.7
    turn_at: int = 0
    path: tuple[float, ...] = ()

    def deadline_round(self, rounds: int) -> int:
        """Return the round after which this seller is gone; ``rounds`` + 1 without a deadline."""
        if not self.deadline:
            return rounds + 1
        return max(2, int(self.deadline * rounds + 0.5))


Ranges = dict[str, tuple[int | float, int | float]]
"""Versions follow from the numbers as they are written: 1 and 1.0 are two."""

WHOLE_FIELDS = frozenset({"moves", "split_from", "patience", "turn_at"})


def draw_manner(ranges: Ranges, dice: Random) -> Manner:
    """Draw a seller, each number evenly from its range, in order; others keep their defaults."""
    values = {name: low + (high - low) * dice.random() for name, (low, high) in ranges.items()}
    return Manner(**{name: whole(name, value) for name, value in values.items()})  # type: ignore[arg-type]


def whole(name: str, value: float) -> float:
    """Round the value of a field that counts."""
    return int(value + 0.5) if name in WHOLE_FIELDS else value


def price_unit(anchor: int) -> int:
    """Return the step in paise in which people name prices: 1 or 5 times a power of ten.

    It is the largest such step of at most a fiftieth of the opening ask.
    """
    most = max(1, anchor // 50)
    step: int = 10 ** (len(str(most)) - 1)
    return 5 * step if 5 * step <= most else step


def named_price(price: float, anchor: int) -> Paise:
    """Round a computed price in paise to one that a person would name."""
    unit = price_unit(anchor)
    return clamp_price(unit * int(price / unit + 0.5), low=unit)
