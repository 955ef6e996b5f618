"""The sellers' answers: exchanges written by hand, to be said alone or before a price."""

from functools import cache
from typing import Literal, get_args

from agents.lines.register import Register
from agents.speaking.bank import CORPUS, ITEM, LAST, SLOTS, Exchange, read_exchanges
from negotiation.plans import MoveName

FOLDER = CORPUS / "sellers"
FACT = "<fact>"
"""Slot: words of the listing that answer a question."""


class SellerExchange(Exchange, frozen=True, forbid_unknown_fields=True):
    """One exchange of a seller with a buyer.

    ``said`` is the buyer's line. A line of move "talk" answers it alone, or goes before the words
    with a price. ``facts``: the line quotes the listing, or says that it is silent.
    """

    facts: Literal["", "told", "silent"] = ""


@cache
def corpus() -> tuple[SellerExchange, ...]:
    """Read all exchanges, once for each process."""
    paths = sorted(FOLDER.glob("*.jsonl"))
    return tuple(one for path in paths for one in read_exchanges(path, SellerExchange))


@cache
def pool(language: Register, move: MoveName) -> tuple[SellerExchange, ...]:
    """Return the exchanges of a language that go with a move."""
    return tuple(one for one in corpus() if one.language == language and one.move == move)


MOVES = tuple(move for move in get_args(MoveName) if move != "open")
"""What a seller can play: the first price stands in the listing."""

__all__ = ["FACT", "ITEM", "LAST", "MOVES", "SLOTS", "SellerExchange", "corpus", "pool"]
