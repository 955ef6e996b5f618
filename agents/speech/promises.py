"""Words of Sauda's that bind her: a step for a step, and the warning before she leaves.

The words themselves are the promise, whoever found them: the bank, a small model or a large one.
Nothing else is remembered, so another process that goes on with the game is bound as well.
"""

import re
from functools import lru_cache

from agents.speech.bank import SLOTS, WARNINGS, Exchange, corpus, look, read_exchanges
from agents.speech.sides import own_step, own_words, rivals_step
from agents.text.rounding import people_price
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SALE
from bazaarbatna.lazily import lazily
from bazaarbatna.players.guard import guard

STEP = 0.02
"""The longest step that a promise asks for, as a share of the opening ask; never longer than the
seller's own, so that a rupee is answered with a rupee."""


@lru_cache(maxsize=4096)  # each turn asks it of every line of hers so far
def is_promise(text: str) -> bool:
    """Whether a line of hers promises a step for a step.

    >>> is_promise("If your 5,500 takes one step, my 2,700 takes one too.")
    True
    >>> is_promise("My 2,700 is a fair start.")
    False
    """
    return bool(text) and (
        look("promised").search(text) is not None or any(one.fullmatch(text) for one in _by_heart())
    )


@lru_cache(maxsize=4096)
def is_warning(text: str) -> bool:
    """Whether a line of hers says that she will leave unless the seller comes down a good deal."""
    return any(one.fullmatch(text) for one in _warnings())


def has_warned(seen: BuyerObservation) -> bool:
    """Whether she has said that she will leave, in all that the position remembers."""
    return any(map(is_warning, own_words(seen)))


def can_promise(seen: BuyerObservation, move: Move | None) -> bool:
    """Whether a promise makes sense: a round and money are left, and it is not her turn."""
    price = move.price if isinstance(move, Offer) else seen.own_last_bid
    if price is None or not (move is None or isinstance(move, Offer)):
        return False
    if isinstance(move, Offer) and own_step(seen, move.price) <= 0 < rivals_step(seen):
        return False
    # Words alone are said in the seller's turn: the round after it is this side's next.
    return seen.rounds_left > 0 and price + _longest(seen) <= seen.budget


def owed(seen: BuyerObservation) -> int:
    """Return by how many paise her next bid has to rise by her own word; 0: by none."""
    conceded, promised = 0, False
    for turn in reversed(seen.turns):
        if turn.actor == "seller" and turn.kind == "offer":
            conceded += 1
        elif turn.actor == "buyer":
            promised = promised or is_promise(turn.text)
            if turn.kind == "offer":
                break
        if promised:
            break
    if not promised or not 0 < conceded < len(seen.asks):
        return 0
    drop = seen.asks[-1 - conceded] - seen.asks[-1]
    return max(0, min(drop, _longest(seen)))


def keep(seen: BuyerObservation, move: Move) -> Move:
    """Make of a move one that keeps what was promised; the suites' published games bind nobody."""
    step, last = owed(seen) if seen.suite == SALE else 0, seen.own_last_bid
    if not step or last is None or isinstance(move, Accept):
        return move
    if isinstance(move, Offer) and move.price > last:
        return move
    rounded = people_price(last + step, seen.standing_ask, change=step)
    price = rounded if rounded > last else Paise(last + step)
    return guard(seen, Offer(price, move.text))


def _longest(seen: BuyerObservation) -> int:
    return max(100, int(STEP * seen.opening_ask))


@lazily
def _by_heart() -> tuple[re.Pattern[str], ...]:
    return tuple(_pattern(one.line) for one in corpus() if one.promise)


@lazily
def _warnings() -> tuple[re.Pattern[str], ...]:
    return tuple(_pattern(one.line) for one in read_exchanges(WARNINGS, Exchange))


def _pattern(line: str) -> re.Pattern[str]:
    parts = re.split(f"({'|'.join(SLOTS)})", line)
    fixed = (".+?" if part in SLOTS else re.escape(part) for part in parts)
    return re.compile("".join(fixed))
