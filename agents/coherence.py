"""What a message of the buyer may say: its own price, never the budget, one short plain line.

The budget must not appear even where a legitimate price happens to equal it: such a move is
spoken without any number (the price still stands in the move itself).
"""

import re
import unicodedata
from collections.abc import Iterable

from agents.disguises import hides_number
from agents.leaks import amounts_in as amounts_in
from agents.leaks import is_secret as is_secret
from agents.leaks import names_secret
from negotiation.engine.moves import Accept, Move, Offer
from negotiation.engine.observe import BuyerObservation

MAX_MESSAGE = 240
"""Characters of a message."""

LIKE_A_PRICE = 0.1
"""A number of at least this share of the ask is taken for a price; smaller ones are counts."""

MAX_ITEM = 42
"""Characters of a title that can be said in a sentence."""

_MARKUP = re.compile(r"[<>`{}\[\]|\\]|\*\*|__|https?:|www\.|^#|\]\(")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SPACE = re.compile(r"\s+")
_SAYABLE = re.compile(r"[^\W_][\w '&+./-]*\Z")


def tidy(text: str) -> str:
    r"""Make one line of a text: no control, direction or invisible characters, single spaces.

    >>> tidy("ek\u200b baat\n\nsuniye ")
    'ek baat suniye'
    """
    spaced = _SPACE.sub(" ", text)
    kept = [c for c in spaced if c.isascii() or unicodedata.category(c) not in _INVISIBLE]
    plain = "".join(c for c in kept if c == " " or c.isprintable())
    return _SPACE.sub(" ", plain).strip()


def is_plain(text: str, longest: int = MAX_MESSAGE) -> bool:
    """Tell whether a text is one line of at most ``longest`` characters, without markup."""
    return len(text) <= longest and tidy(text) == text and not _MARKUP.search(text)


def sayable(title: str) -> str:
    """Shorten a title to what fits into a sentence; nothing if that cannot be done.

    >>> sayable("Prestige Cooker, 5 litre (with box)")
    'Prestige Cooker'
    """
    short = re.split(r"\s*[,(|:;\u2013\u2014]|\s-\s", tidy(title), maxsplit=1)[0]
    fits = len(short) <= MAX_ITEM and _SAYABLE.match(short) and is_plain(short)
    return short if fits else ""


def names_budget(text: str, budget: int) -> bool:
    """Tell whether a text gives the budget (in paise) away; see ``agents.leaks``."""
    return names_secret(text, budget)


def names_price(text: str, observation: BuyerObservation, move: Move) -> bool:
    """Tell whether the prices in a text are those of the move.

    An offer with prices in its text names its own; beside it only the standing ask may stand. An
    acceptance names the ask, a walk the ask or the own last bid. Numbers of the item's title, and
    numbers too small to be a price, are left alone.
    """
    ask = observation.standing_ask
    title = amounts_in(observation.item.title)
    said = {a for a in amounts_in(text) if a >= LIKE_A_PRICE * ask and a not in title}
    if isinstance(move, Offer):
        return not said or (move.price in said and said <= {move.price, ask})
    if isinstance(move, Accept):
        return said <= {ask}
    return said <= {ask, observation.own_last_bid}


def is_coherent(text: str, observation: BuyerObservation, move: Move) -> bool:
    """Tell whether a message may be sent with a move."""
    ask = observation.standing_ask
    # Whatever is large enough for a price is judged as one.
    known = {amount for amount in amounts_in(text) if amount >= LIKE_A_PRICE * ask}
    known |= {*observation.asks, *observation.bids}
    known |= {move.price} if isinstance(move, Offer) else set()
    return (
        bool(text)
        and is_plain(text)
        and not names_budget(text, observation.budget)
        and names_price(text, observation, move)
        and not hides_number(text, observation.budget, observation.item, frozenset(known))
    )


def first_coherent(texts: Iterable[str], observation: BuyerObservation, move: Move) -> str:
    """Give the first text that may be sent with the move; no words if none may.

    Args:
        texts: wordings from the preferred to the safest, made only as far as needed.
        observation: the position before the move.
        move: what is played.
    """
    return next((t for t in map(tidy, texts) if is_coherent(t, observation, move)), "")
