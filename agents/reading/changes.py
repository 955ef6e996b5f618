"""Amounts that move a standing price: "50 kam" off the ask, "20 aur do" on the bid."""

from agents.reading.answer import PriceReading, Standing
from agents.reading.pieces import Said, Text
from agents.reading.questions import ask_without_bid
from agents.reading.role_table import Role
from agents.reading.spelling import word_set
from negotiation.engine.quantities import clamp_price

Change = tuple[Said, Role]

LEAST_LEFT = 0.5
"""A step that leaves less than this share of the ask is asked back: "I came down 170"."""

LEAST_OF_BID = 0.8
"""So is one that lands below this share of the bid."""

_BEFORE = word_set("no not dont cant wont never cannot nahi koi without")
_AFTER = word_set("nahi mat not")
_PERCENT = word_set("percent pc pratishat")


def changes(text: Text, said: list[Change]) -> list[Change]:
    """Find the changes of a text that are not denied ("50 off nahi milega").

    Of a step for a step ("aap 50 badhao, main 50 ghatata hun") the speaker's own counts.
    """
    found = [pair for pair in said if pair[1] in ("off", "more") and not _denied(text, pair[0])]
    return [pair for pair in found if pair[1] == "off"] or found


def _denied(text: Text, item: Said) -> bool:
    begins = max(at for at in range(item.piece + 1) if not at or text.pieces[at].breaks)
    before = {piece.text for piece in text.pieces[max(item.piece - 4, begins) : item.piece]}
    after = {piece.text for piece in text.pieces[item.piece + 2 : item.piece + 5]}
    return bool(before & _BEFORE or after & _AFTER)


def changed_price(text: Text, found: list[Change], standing: Standing) -> PriceReading:
    """Answer with the price that a change leads to, or ask back."""
    prices = dict.fromkeys(moved(text, change, standing) for change in found)
    if len(prices) > 1:
        return standing.one_of(price for price in prices if price is not None)
    item, role = found[0]
    price = moved(text, found[0], standing)
    if price is None:
        return PriceReading(question=ask_without_bid())
    if role == "off" and not _is_step_down(price, standing):
        return standing.off_or_price(item.amount.paise, price)
    if role == "more" and standing.ask is not None and price > standing.ask:
        if (standing.bid or 0) < item.amount.paise <= standing.ask:
            # "1050 aur treat bhi doge": no ask goes up, so this is one, "and" something beside it.
            return standing.price(item.amount.paise, text.span(item.piece, item.piece))
        return standing.one_of([item.amount.paise, price])
    return standing.price(price, text.span(item.piece, item.piece))


def moved(text: Text, change: Change, standing: Standing) -> int | None:
    """Take an amount off the ask, or put it on the bid (paise); None when nothing stands there."""
    item, role = change
    start = standing.bid if role == "more" else standing.ask
    if start is None:
        return None
    by = item.amount.paise
    if is_percent(text, item):
        by = clamp_price(start * min(by / 10_000, 1.0), 0)
    return start + by if role == "more" else start - by


def _is_step_down(price: int, standing: Standing) -> bool:
    ask, bid = standing.ask or 0, standing.bid or 0
    return price >= LEAST_LEFT * ask and price >= LEAST_OF_BID * bid


def is_percent(text: Text, item: Said) -> bool:
    """Tell whether an amount is a share of the price."""
    if item.after.lstrip().startswith("%"):
        return True
    following = text.pieces[item.piece + 1 : item.piece + 2]
    return bool(following) and following[0].text in _PERCENT
