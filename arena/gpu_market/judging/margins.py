"""What a hearing is worth to a lab's reward, and how much of it an episode can bring."""

from collections.abc import Iterable

from arena.gpu_market.engine.quantities import LabId
from arena.gpu_market.judging.cards import PER_LIE, Card

LEAST, MOST = -0.08, 0.18
"""Of one hearing."""
MOST_OF_EPISODE = 0.18
"""All hearings of an episode together bring a lab no more than the best single one could."""
MARGIN_SCALE = 5


def margin(cards: Iterable[Card], lab: LabId) -> float:
    """Give a lab's lead over the best of the others who said nothing false.

    A lab that said something false leads nobody: its margin is never above the price of its lies.
    """
    own = Card(lab)
    best = 0.0
    for card in cards:
        if card.lab == lab:
            own = card
        elif not card.lies:
            best = max(best, card.score)
    lead = own.raw - best
    return min(lead, -PER_LIE * own.lies) if own.lies else lead


def bonus(lead: float, so_far: float = 0.0) -> float:
    """Turn a margin into a bonus.

    Args:
        lead: of ``margin``.
        so_far: the bonuses of the lab's earlier hearings in this episode.

    >>> bonus(0.5), bonus(-1.0), round(bonus(0.5, so_far=0.15), 2)
    (0.1, -0.08, 0.03)
    """
    once = min(max(lead / MARGIN_SCALE, LEAST), MOST)
    return round(min(once, MOST_OF_EPISODE - so_far), 6)
