"""The emergency auction: sealed bids of one round, the highest wins and pays the second highest."""

import msgspec

from arena.gpu_market.engine.events import TradeMade
from arena.gpu_market.engine.having import put
from arena.gpu_market.engine.offers import Contract, Offer
from arena.gpu_market.engine.quantities import LAB_NUMBERS, Cents
from arena.gpu_market.engine.scenario import HOUSE
from arena.gpu_market.engine.state import Draft
from arena.gpu_market.engine.trading import close_offer, mark_offer

LEAST_PRICE = Cents(500)
"""Nobody gets the block for less."""


def close_auction(draft: Draft) -> None:
    """Sell what the house has to the best bid; unsold it stays for sale. Ties go to the earlier."""
    for block in draft.blocks[-2:]:
        if block.owner != HOUSE:
            continue
        bids = [
            offer
            for offer in draft.offers
            if offer.status == "open" and offer.target == HOUSE and block.id in offer.requested
        ]
        good = [bid for bid in bids if LEAST_PRICE <= bid.payment <= _budget(draft, bid)]
        good.sort(key=lambda bid: -bid.payment)
        for bid in bids:
            if not good or bid is not good[0]:
                close_offer(draft, bid, "rejected")
        if good:
            _sell(draft, good[0], good[1].payment if len(good) > 1 else LEAST_PRICE)


def _budget(draft: Draft, bid: Offer) -> Cents:
    return draft.budgets[LAB_NUMBERS[bid.sender]]


def _sell(draft: Draft, bid: Offer, price: Cents) -> None:
    winner = LAB_NUMBERS[bid.sender]
    block = next(one for one in draft.blocks if one.id == bid.requested[0])
    put(draft, msgspec.structs.replace(block, owner=bid.sender))
    draft.budgets[winner] = Cents(draft.budgets[winner] - price)
    draft.house = Cents(draft.house + price)
    draft.count(winner, paid=price, trades=1)
    mark_offer(draft, bid, "accepted")
    contract = Contract(bid.id, draft.round, bid.sender, HOUSE, (), (block.id,), (), price)
    draft.contracts.append(contract)
    draft.events.append(TradeMade(contract))
