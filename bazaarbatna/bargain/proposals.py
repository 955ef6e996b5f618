"""Any proposal becomes a legal move: what stands between a model's output and the rules."""

from bazaarbatna.bargain.episode import MAX_TEXT, State, highest_ask, legal_moves
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import MAX_PRICE, MIN_PRICE, Paise, Side, clamp_price

MAGNITUDE = 10.0 * MAX_PRICE
"""Beyond this a price is nonsense of one sign; rounding an infinity is not possible."""


def repair(state: State, side: Side, proposal: object) -> Move:
    """Turn a proposal into a legal move of ``side``; a legal proposal comes back as it is.

    A price out of the side's range is held at the nearer end of it. A price that is no number, an
    acceptance that is not allowed and anything that is no move at all become "hold": the side
    names its last price again (a buyer without one bids the least there is). Words that are no
    text are dropped, too many are cut.
    """
    if type(proposal) is Offer:
        least, most = _price_range(state, side)
        price, text = proposal.price, proposal.text
        if type(price) is int and least <= price <= most and _is_text(text):
            return proposal
        held = _held_price(price, least, most)
        return _hold(state, side, text) if held is None else Offer(held, _words(text))
    if type(proposal) is Accept and "accept" in legal_moves(state, side):
        return proposal if _is_text(proposal.text) else Accept(_words(proposal.text))
    if type(proposal) is Walk:
        return proposal if _is_text(proposal.text) else Walk(_words(proposal.text))
    return _hold(state, side, getattr(proposal, "text", ""))


def _price_range(state: State, side: Side) -> tuple[Paise, Paise]:
    sealed = state.scenario.sealed
    if side == "buyer":
        return MIN_PRICE, sealed.budget
    return sealed.reservation, min(highest_ask(state), MAX_PRICE)


def _held_price(price: object, least: Paise, most: Paise) -> Paise | None:
    if isinstance(price, bool) or not isinstance(price, int | float) or price != price:
        return None
    return clamp_price(min(max(price, -MAGNITUDE), MAGNITUDE), least, most)


def _hold(state: State, side: Side, text: object) -> Offer:
    if side == "seller":
        return Offer(state.standing_ask, _words(text))
    bid = state.standing_bid
    return Offer(MIN_PRICE if bid is None else bid, _words(text))


def _is_text(text: object) -> bool:
    return type(text) is str and len(text) <= MAX_TEXT


def _words(text: object) -> str:
    return text[:MAX_TEXT] if isinstance(text, str) else ""
