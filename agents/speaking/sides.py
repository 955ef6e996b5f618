"""A position as whoever speaks in it sees it: what is the own, and what the other side's."""

from collections.abc import Sequence

from negotiation.engine.observe import BuyerObservation, SellerObservation
from negotiation.engine.quantities import Paise, Side, other

Seen = BuyerObservation | SellerObservation


def own_side(seen: Seen) -> Side:
    """Name the side that sees the position."""
    return "buyer" if isinstance(seen, BuyerObservation) else "seller"


def rival_side(seen: Seen) -> Side:
    """Name the side opposite."""
    return other(own_side(seen))


def last_own(seen: Seen) -> Paise | None:
    """Give the own standing price; None before a buyer's first bid."""
    prices = _prices(seen, own_side(seen))
    return prices[-1] if prices else None


def own_step(seen: Seen, price: Paise) -> int:
    """Give by how many paise a price gives way; below 0 where it takes something back."""
    last = last_own(seen)
    if last is None:
        return 0
    return price - last if own_side(seen) == "buyer" else last - price


def rivals_step(seen: Seen) -> int:
    """Give by how many paise the other side's last price gave way; 0 for a first one."""
    prices = _prices(seen, rival_side(seen))
    if len(prices) < 2:
        return 0
    step = prices[-1] - prices[-2]
    return step if rival_side(seen) == "buyer" else -step


def rounds_left(seen: Seen) -> int:
    """Count the rounds after this one."""
    return seen.max_rounds - seen.round


def rivals_words(seen: Seen) -> str:
    """Give the words of the last turn, if the other side spoke in it."""
    turns = seen.turns
    return turns[-1].text if turns and turns[-1].actor == rival_side(seen) else ""


def own_words(seen: Seen) -> list[str]:
    """Give what this side has said, as far back as the position remembers."""
    recent = (turn.text for turn in seen.turns if turn.actor == own_side(seen) and turn.text)
    return [*seen.earlier, *recent]


def heard_at(seen: Seen, *, speak_only: bool) -> tuple[Paise, Paise | None]:
    """Give ask and bid, in paise, as they stood when the other side's last line was said.

    Args:
        seen: the position after it.
        speak_only: the line named no price.
    """
    bid = seen.bids[-1] if seen.bids else None
    if speak_only:
        return seen.standing_ask, bid
    if own_side(seen) == "buyer":
        return _before(seen.asks) or seen.standing_ask, bid
    return seen.standing_ask, _before(seen.bids)


def _before(prices: Sequence[Paise]) -> Paise | None:
    return prices[-2] if len(prices) > 1 else None


def _prices(seen: Seen, side: Side) -> tuple[Paise, ...]:
    return seen.bids if side == "buyer" else seen.asks
