"""Offers and contracts: blocks and money change hands when the other side accepts."""

import msgspec

from bazaarbatna.market.actions import MarketAction
from bazaarbatna.market.blocks import VALID_ROUNDS, Condition, Contract, Offer, OfferStatus
from bazaarbatna.market.errors import Refused
from bazaarbatna.market.events import OfferClosed, OfferMade, TradeMade
from bazaarbatna.market.quantities import (
    LAB_IDS,
    LAB_NUMBERS,
    BlockId,
    Cents,
    LabId,
    offer_id,
)
from bazaarbatna.market.scenario import HOUSE
from bazaarbatna.market.state import Draft, check_tradeable, find_blocks, find_lab, put

TRUST_OF_TRADE = 0.02
"""Both sides of a contract gain so much reputation."""


def send_offer(draft: Draft, lab: int, action: MarketAction) -> None:
    """Put blocks and money of a lab before another one."""
    target = action.target_lab_id
    if target == HOUSE:
        _check_bid(draft, action)
    elif find_lab(draft, target) == lab:
        raise Refused("self_trade", "Trade with another lab.")
    _check_terms(draft, LAB_IDS[lab], target, action)
    _check_payment(draft, lab, action.payment)
    make_offer(
        draft,
        LAB_IDS[lab],
        target,
        action.block_ids,
        action.requested_block_ids,
        action.payment,
        message=action.message,
        conditions=action.conditions,
    )


def counter_offer(draft: Draft, lab: int, action: MarketAction) -> None:
    """Answer an offer with another one; the first is closed."""
    offer = find_offer(draft, lab, action.offer_id)
    _check_terms(draft, LAB_IDS[lab], offer.sender, action)
    _check_payment(draft, lab, action.payment)
    close_offer(draft, offer, "countered")
    make_offer(
        draft,
        LAB_IDS[lab],
        offer.sender,
        action.block_ids,
        action.requested_block_ids,
        action.payment,
        message=action.message,
        conditions=action.conditions,
        linked=offer.id,
    )


def accept_offer(draft: Draft, lab: int, action: MarketAction) -> None:
    """Take an offer: what was promised changes hands at once."""
    offer = find_offer(draft, lab, action.offer_id)
    check_deliverable(draft, offer)
    make_trade(draft, offer)


def reject_offer(draft: Draft, lab: int, action: MarketAction) -> None:
    """Turn an offer down."""
    close_offer(draft, find_offer(draft, lab, action.offer_id), "rejected")


def find_offer(draft: Draft, lab: int, name: str) -> Offer:
    """Look up an open offer to a lab."""
    offer = next((one for one in draft.offers if one.id == name), None)
    # An offer between two others stays unknown, so that nobody can probe for it.
    if offer is None or LAB_IDS[lab] not in (offer.sender, offer.target):
        raise Refused("unknown_offer", f"You know of no offer {name!r}.")
    if offer.target != LAB_IDS[lab]:
        raise Refused("not_offer_recipient", f"{name} is your own offer.")
    if offer.status == "expired" or draft.round > offer.expires:
        raise Refused("expired_offer", f"{name} expired after round {offer.expires}.")
    if offer.status != "open":
        raise Refused("inactive_offer", f"{name} is {offer.status}.")
    return offer


def check_deliverable(draft: Draft, offer: Offer) -> None:
    """Refuse an offer whose sides no longer have what it promises."""
    for block in find_blocks(draft, offer.offered):
        check_tradeable(draft, block, offer.sender, "target_does_not_own_block")
    for block in find_blocks(draft, offer.requested):
        check_tradeable(draft, block, offer.target, "unowned_block")
    if offer.payment > draft.budgets[LAB_NUMBERS[offer.sender]]:
        raise Refused("budget_overspend", "The sender can no longer pay that.")


def make_offer(
    draft: Draft,
    sender: LabId,
    target: LabId,
    offered: tuple[BlockId, ...],
    requested: tuple[BlockId, ...],
    payment: Cents,
    *,
    message: str = "",
    conditions: tuple[Condition, ...] = (),
    linked: str = "",
) -> None:
    """Open an offer, unchecked."""
    earlier = sum([one.sender == sender and one.target == target for one in draft.offers])
    offer = Offer(
        offer_id(sender, target, earlier),
        sender,
        target,
        offered,
        requested,
        payment,
        message,
        conditions,
        draft.round,
        draft.round + (0 if target == HOUSE else VALID_ROUNDS),
        "open",
        linked,
    )
    draft.offers.append(offer)
    draft.events.append(OfferMade(draft.round, offer))
    draft.count(LAB_NUMBERS[sender], offers=1)


def make_trade(draft: Draft, offer: Offer) -> None:
    """Let blocks and money change hands, unchecked."""
    sender, target = LAB_NUMBERS[offer.sender], LAB_NUMBERS[offer.target]
    for blocks, owner in ((offer.offered, offer.target), (offer.requested, offer.sender)):
        for block in find_blocks(draft, blocks):
            moved = msgspec.structs.replace(block, owner=owner, terms=offer.conditions)
            put(draft, moved)
    draft.budgets[sender] = Cents(draft.budgets[sender] - offer.payment)
    draft.budgets[target] = Cents(draft.budgets[target] + offer.payment)
    draft.count(sender, paid=offer.payment, trades=1)
    draft.count(target, received=offer.payment, trades=1)
    draft.trust(sender, TRUST_OF_TRADE)
    draft.trust(target, TRUST_OF_TRADE)
    mark_offer(draft, offer, "accepted")
    contract = Contract(
        offer.id,
        draft.round,
        offer.sender,
        offer.target,
        offer.offered,
        offer.requested,
        offer.conditions,
        offer.payment,
    )
    draft.contracts.append(contract)
    draft.events.append(TradeMade(contract))


def close_offer(draft: Draft, offer: Offer, status: OfferStatus) -> None:
    """Close an offer; nothing moves."""
    mark_offer(draft, offer, status)
    draft.events.append(OfferClosed(draft.round, offer.id, status))


def mark_offer(draft: Draft, offer: Offer, status: OfferStatus) -> None:
    """Write down what became of an offer."""
    place = next(n for n, one in enumerate(draft.offers) if one.id == offer.id)
    draft.offers[place] = msgspec.structs.replace(offer, status=status)


def close_all_of(draft: Draft, lab: LabId) -> None:
    """Withdraw the open offers of a lab that leaves."""
    for offer in draft.offers:
        if offer.status == "open" and offer.sender == lab:
            close_offer(draft, offer, "withdrawn")


def _check_terms(draft: Draft, lab: LabId, target: LabId, action: MarketAction) -> None:
    if not action.block_ids and not action.requested_block_ids:
        raise Refused("empty_block_list", "Offer or request at least one block.")
    for block in find_blocks(draft, action.block_ids):
        check_tradeable(draft, block, lab, "unowned_block")
    for block in find_blocks(draft, action.requested_block_ids):
        check_tradeable(draft, block, target, "target_does_not_own_block")


def _check_payment(draft: Draft, lab: int, payment: Cents) -> None:
    if payment < 0:
        raise Refused("negative_payment", "A payment is 0 or more.")
    if payment > draft.budgets[lab]:
        raise Refused("budget_overspend", "That is more than your budget.")


def _check_bid(draft: Draft, action: MarketAction) -> None:
    on_sale = any(block.owner == HOUSE for block in draft.blocks)
    if not on_sale or action.block_ids:
        raise Refused("unknown_lab", "The house takes bids in money while an auction is open.")
