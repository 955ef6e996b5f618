"""Sellers of `buy@2` give a step for a step, and are not talked down by careless bids."""

import msgspec
import pytest

from agents.sellers.persona import PERSONAS
from agents.sellers.rule_seller import LONGEST, RuleSeller
from bazaarbatna.bargain.moves import Accept, Offer
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SECOND_PURCHASE
from bazaarbatna.players.guard import guard
from negotiation.bargain.purchases import FIRST_SUITE
from tests.support.selling import a_stall


def position(
    asks: tuple[float, ...], bids: tuple[float, ...], suite: str = SECOND_PURCHASE
) -> SellerObservation:
    return msgspec.structs.replace(a_stall(asks, bids, reservation=855), suite=suite)


def after(persona: str, bids: tuple[float, ...], suite: str = SECOND_PURCHASE) -> list[float]:
    """Play bids in rupees; gives the asks, with the bid at the end if it was taken."""
    asks: list[float] = [1500]
    for count in range(1, len(bids) + 1):
        move = RuleSeller(1, persona).decide(position(tuple(asks), bids[:count], suite))
        if not isinstance(move, Offer):
            return [*asks, bids[count - 1]] if isinstance(move, Accept) else asks
        asks.append(move.price / 100)
    return asks


@pytest.mark.parametrize("persona", PERSONAS)
def test_three_careless_bids_do_not_bring_a_seller_far_down(persona: str) -> None:
    asks = after(persona, (700, 720, 900))
    assert len(asks) == 4
    assert asks[-1] >= 1500 * (1 - LONGEST) ** 3 > 1000
    assert after("default", (700, 720, 900), FIRST_SUITE)[-1] == 900


@pytest.mark.parametrize("persona", PERSONAS)
def test_who_stands_still_is_given_next_to_nothing(persona: str) -> None:
    asks = after(persona, (900,) * 5)
    assert asks[1] - asks[-1] <= 0.03 * asks[1]


@pytest.mark.parametrize("persona", PERSONAS)
def test_who_comes_up_meets_the_seller(persona: str) -> None:
    asks = after(persona, tuple(range(760, 1500, 70)))
    assert 900 <= asks[-1] <= 1250


def test_the_last_round_takes_what_the_reservation_price_allows() -> None:
    asks, bids = (1500.0,) * 10, (855.0,) * 10
    assert isinstance(guard(position(asks, bids), Offer(Paise(120_000))), Accept)
    low = position(asks, (854.0,) * 10)
    assert guard(low, Accept()) == Offer(Paise(150_000))


def test_a_counter_at_the_bid_is_a_yes() -> None:
    seen = position((1500.0,), (1200.0,))
    assert isinstance(guard(seen, Offer(Paise(119_000))), Accept)
    assert guard(seen, Offer(Paise(130_000))) == Offer(Paise(130_000))
