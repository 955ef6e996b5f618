"""The parts of a prompt that both sides of the table share: prices, words, what has happened."""

from agents.prompts.quoting import quote
from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.quantities import Paise, Side, to_rupees
from bazaarbatna.bargain.scenario import Item

TITLE, CATEGORY, DETAILS, WORDS = 120, 40, 240, 200

SHOWN_PRICES = 6


def amount(paise: Paise) -> str:
    """Write a price as a model should: digits, decimals only where needed.

    >>> amount(Paise(3450050))
    '34500.50'
    """
    rupees = to_rupees(paise)
    return f"{rupees:.0f}" if rupees == int(rupees) else f"{rupees:.2f}"


def path(prices: tuple[Paise, ...]) -> str:
    """Write a side's prices in their order; the middle of a long list is left out."""
    if not prices:
        return "none yet"
    written = [amount(price) for price in prices]
    if len(written) > SHOWN_PRICES:
        written = [written[0], "...", *written[-(SHOWN_PRICES - 2) :]]
    return ", ".join(written)


def goods(item: Item) -> list[str]:
    """Describe what is for sale in two lines."""
    category = f" ({quote(item.category, CATEGORY)})" if item.category else ""
    lines = [f"item: {quote(item.title, TITLE)}{category}, condition {item.condition_label}"]
    if item.condition:
        lines.append(f"details: {quote(item.condition, DETAILS)}")
    return lines


def history(turns: tuple[Turn, ...], own: Side) -> list[str]:
    """Return the last turns with their words, a line each."""
    if not turns:
        return ["nothing has been said yet"]
    return [_told(turn, own) for turn in turns]


def _told(turn: Turn, own: Side) -> str:
    who = "you" if turn.actor == own else turn.actor
    did = {"offer": "offer", "accept": "accept", "walk": "walk", "message": "say"}[turn.kind]
    price = "" if turn.price is None else f" {amount(turn.price)}"
    said = f": {quote(turn.text, WORDS)}" if turn.text else ""
    return f"{turn.round} {who} {did}{price}{said}"
