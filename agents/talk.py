"""What Sauda may say when nothing moves: no new price, never the budget, one short plain line."""

from agents.coherence import LIKE_A_PRICE, amounts_in, is_plain, names_budget
from agents.disguises import hides_number
from negotiation.engine.observe import BuyerObservation


def is_coherent_talk(text: str, observation: BuyerObservation) -> bool:
    """Tell whether words without a move may be said; only standing prices may stand in them."""
    standing = {observation.standing_ask, observation.own_last_bid}
    title = amounts_in(observation.item.title)
    floor = LIKE_A_PRICE * observation.standing_ask
    said = {a for a in amounts_in(text) if a >= floor and a not in title}
    known = frozenset({*observation.asks, *observation.bids} | said)
    return (
        bool(text)
        and is_plain(text)
        and not names_budget(text, observation.budget)
        and said <= standing
        and not hides_number(text, observation.budget, observation.item, known)
    )
