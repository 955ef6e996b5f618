"""One seller of the population: what it remembers becomes a move."""

import copy
import tomllib
from functools import cache
from pathlib import Path
from random import Random
from typing import Self

import msgspec

from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.people.families import Family, family_of
from bazaarbatna.bargain.people.manner import Manner, named_price
from bazaarbatna.bargain.people.signals import Memory, remember, signals
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.tells import Tells

LANGUAGES = ("english", "hinglish", "hindi")
CLAIMS = 0.5
"""Share of its bluff that a bluffer's turns claim a rival or a last price."""
URGENT = 0.6
"""From this urgency on a seller may say that it has to sell."""


def mood_of(manner: Manner, memory: Memory, seen: SellerObservation, price: Paise) -> str:
    """Name the kind of line that goes with naming ``price``; it must fit the move."""
    if price == seen.asks[-1]:
        return "hold"
    if manner.split_from and memory.named == manner.split_from:
        return "split"
    if memory.insults and seen.bids[-1] < manner.insult * seen.asks[0]:
        return "insulted"
    # What is claimed hangs on the round, not on the luck of the move: words betray no draw.
    if manner.bluff * CLAIMS > _fraction(seen.round):
        return "rival" if seen.round % 2 else "final"
    if manner.urgency > URGENT and seen.round % 2:
        return "urgent"
    return "list_price" if manner.floor > 0.8 and seen.round % 3 == 1 else "counter"


def language_of(seed: int) -> str:
    """Draw the language of a game."""
    return LANGUAGES[Random(f"language:{seed}").choices(range(3), (5, 4, 2))[0]]


def line(mood: str, seed: int, seen: SellerObservation, price: Paise | None = None) -> str:
    """Return a line of a mood (a key of ``lines.toml``) in the game's language.

    The seed draws the language and where the lines begin; ``price`` is named, in paise.
    """
    return wordings(mood, language_of(seed), seed + seen.round, price)[0]


def wordings(mood: str, language: str, first: int, price: Paise | None = None) -> tuple[str, ...]:
    """Return all lines of a mood, one after the other, from number ``first`` round."""
    lines = all_lines()[language][mood]
    start = first % len(lines)
    turned = (*lines[start:], *lines[:start])
    if price is None:
        return turned
    return tuple(said.replace("{price}", _rupees(price)) for said in turned)


def _rupees(price: int) -> str:
    rupees, paise = divmod(price, 100)
    return f"{rupees:,}.{paise:02d}" if paise else f"{rupees:,}"


def _fraction(round_: int) -> float:
    return round_ * 0.618034 % 1.0


@cache
def all_lines() -> dict[str, dict[str, tuple[str, ...]]]:
    """Read the lines: language -> mood -> lines."""
    text = Path(__file__).with_name("lines.toml").read_text(encoding="utf-8")
    return {
        language: {mood: tuple(lines) for mood, lines in moods.items()}
        for language, moods in tomllib.loads(text).items()
    }


STANDING_STILL = 0.004
"""A planned step below this share of the opening ask is none."""


class Luck(msgspec.Struct, frozen=True, gc=False):
    """The draws of one turn, each 0..1; there are always as many, whatever was bid."""

    leave: float
    pride: float
    hold: float
    spread: float


def respond(manner: Manner, memory: Memory, seen: SellerObservation, luck: Luck) -> Paise | None:
    """Answer the standing bid with a price in paise: at most the bid to take it, None to leave."""
    bid, ask, floor = seen.bids[-1], seen.asks[-1], seen.reservation
    last = manner.deadline_round(seen.max_rounds)
    is_last = seen.round >= min(last, seen.max_rounds)
    if _takes(manner, seen, is_last):
        return bid
    if seen.round >= last or _leaves(manner, memory, seen, luck):
        return None
    wanted = _planned(manner, seen) if manner.path else ask - _step(manner, memory, seen, luck)
    asked = max(named_price(wanted, seen.asks[0]), floor)
    return Paise(min(asked, ask))


def _takes(manner: Manner, seen: SellerObservation, is_last: bool) -> bool:
    bid, ask, floor = seen.bids[-1], seen.asks[-1], seen.reservation
    if bid < floor:
        return False
    if manner.path and len(seen.asks) <= len(manner.path) and not is_last:
        # What comes next is named soon enough: less is not taken before.
        return False
    greed = manner.last_greed if is_last else manner.greed
    return bid >= floor + greed * (ask - floor) or ask - bid <= manner.close * seen.asks[0]


def _leaves(manner: Manner, memory: Memory, seen: SellerObservation, luck: Luck) -> bool:
    if seen.bids[-1] < manner.insult * seen.asks[0] and luck.pride < manner.pride:
        return True
    if manner.path:
        return len(seen.asks) - len(manner.path) > manner.patience
    return memory.stalled > manner.patience and luck.leave < manner.leave


def _planned(manner: Manner, seen: SellerObservation) -> float:
    place = min(len(seen.asks), len(manner.path)) - 1
    return manner.path[place] * seen.asks[0]


def _step(manner: Manner, memory: Memory, seen: SellerObservation, luck: Luck) -> float:
    bid, ask, anchor = seen.bids[-1], seen.asks[-1], seen.asks[0]
    gap, is_hurried = ask - bid, seen.round + 1 >= manner.deadline_round(seen.max_rounds)
    if manner.split_from and memory.named == manner.split_from:
        return gap / 2
    if (memory.named >= manner.moves or _insists(manner, memory)) and not is_hurried:
        return 0.0
    share = manner.gap * manner.fade**memory.named
    if memory.insults:
        share *= manner.harden
    if memory.stalled:
        share *= manner.idle
    if is_hurried:
        share = max(share, manner.rush)
    elif luck.hold < manner.hold:
        return 0.0
    step = share * gap + manner.mirror * memory.step * anchor
    step *= 1 + manner.spread * (2 * luck.spread - 1)
    return step if step >= STANDING_STILL * anchor else 0.0


def _insists(manner: Manner, memory: Memory) -> bool:
    return bool(manner.split_from) and memory.named > manner.split_from


class PersonSeller:
    """A seller who answers what the buyer does. It keeps nothing between turns.

    Description:
        It accepts by aspiration, leaves when nothing moves or a bid insults it, and otherwise
        comes down by a share of the gap, by a part of the buyer's own step, to the middle, or not
        at all; which of these, its family says (``families``, ``held_out``).
    Observation:
        Its own reservation price, both paths of prices, the round.
    Moves:
        Asks in round numbers that never rise and never fall below the reservation price.
    Start:
        The scenario's opening ask stands.
    End:
        It accepts, leaves, or the rounds are over.

    References:
        Faratin, Sierra and Jennings (1998) for tactics that depend on time and on the other side;
        He et al. (2018) for the dialogues that the families are fitted to.
    Versions:
        1: first.
    """

    def __init__(self, scenario: Scenario) -> None:
        sealed = scenario.sealed
        self._draw(family_of(sealed.persona), sealed.seed)

    @classmethod
    def drawn(cls, family: Family, seed: int) -> Self:
        """Return the seller that a family and a seed give, whatever the scenario says."""
        seller = cls.__new__(cls)
        seller._draw(family, seed)
        return seller

    def _draw(self, family: Family, seed: int) -> None:
        self.manners = family.draw(seed)
        self._seed = self._luck_seed = seed

    def twin(self, rng: Random | None = None) -> Self:
        """Return the same seller at the same point of its game, with the same luck or another."""
        twin = copy.copy(self)
        if rng is not None:
            twin._luck_seed = rng.getrandbits(53)
        return twin

    def manner(self, round_: int) -> Manner:
        """Return how it bargains in a round."""
        first, second = self.manners
        return second if first.turn_at and round_ >= first.turn_at else first

    def tells(self, seen: SellerObservation) -> Tells:
        """Show what the state of this turn lets the buyer notice."""
        manner = self.manner(seen.round)
        memory = remember(seen.asks, seen.bids, manner.insult)
        dice = Random(f"tells:{self._luck_seed}:{seen.round}")
        return signals(manner, memory, seen, seen.item.condition_label, dice)

    def act(self, seen: SellerObservation) -> Move:
        """Answer the standing bid."""
        move, mood = self.choose(seen)
        price = move.price if isinstance(move, Offer) else None
        return msgspec.structs.replace(move, text=line(mood, self._seed, seen, price))

    def choose(self, seen: SellerObservation) -> tuple[Move, str]:
        """Answer the standing bid without words; return the move and the mood of its line."""
        manner = self.manner(seen.round)
        memory = remember(seen.asks, seen.bids, manner.insult)
        dice = Random(f"turn:{self._luck_seed}:{seen.round}")
        luck = Luck(dice.random(), dice.random(), dice.random(), dice.random())
        price = respond(manner, memory, seen, luck)
        if price is None:
            return Walk(), "walk"
        if price <= seen.bids[-1]:
            return Accept(), "accept"
        return Offer(price), mood_of(manner, memory, seen, price)
