"""Offers and coalitions as cards: what changes hands, who has consented, what lies in the pool."""

from collections.abc import Iterable

import msgspec

from arena.gpu_market.board.names import blocks_text, gpus_words, listed, money_text, short, told
from arena.gpu_market.board.parts import Board, LabSeat
from arena.gpu_market.board.titles import TITLES, words_of
from arena.gpu_market.board.wants import gains
from arena.words import say
from bazaarbatna.market.blocks import Coalition, Offer
from bazaarbatna.market.scenario import HOUSE


class OfferCard(msgspec.Struct, frozen=True):
    """An offer in words; ``role`` is ``for-you``, ``from-you`` or ``others``.

    ``gain`` is what an offer to answer would bring the viewer, in hundredths of a credit.
    """

    offer: Offer
    sender: str
    target: str
    gives: str
    wants: str
    words: str
    until: str
    conditions: tuple[str, ...]
    role: str
    answerable: bool
    gain: int | None = None


class Member(msgspec.Struct, frozen=True):
    """A lab in a coalition: ``consent`` is ``founder``, ``joined`` or ``asked``."""

    lab: LabSeat
    consent: str
    pooled: str


class CoalitionCard(msgspec.Struct, frozen=True):
    """A coalition in words; ``pool`` counts what still lies in it."""

    coalition: Coalition
    name: str
    members: tuple[Member, ...]
    pool: str
    until: str
    breach: str
    asks_you: bool


def offer_cards(board: Board) -> tuple[OfferCard, ...]:
    """Make a card of every open offer this viewer knows of, the best that wait for it first."""
    brings = gains(board)
    cards = [_offer(board, offer, brings.get(offer.id)) for offer in board.open_offers]
    order = {"for-you": 0, "from-you": 1, "others": 2}
    return tuple(sorted(cards, key=lambda card: (order[card.role], -(card.gain or 0))))


def coalition_cards(board: Board) -> tuple[CoalitionCard, ...]:
    """Make a card of every coalition, the open ones first."""
    cards = [_coalition(board, one) for one in board.coalitions]
    return tuple(sorted(cards, key=lambda card: not card.coalition.open))


def _offer(board: Board, offer: Offer, gain: int | None) -> OfferCard:
    own = board.own
    me = own.id if own else ""
    sender, target = board.lab_name(offer.sender), board.lab_name(offer.target)
    gives = _side(board, offer.offered, offer.payment, yours=offer.sender == me)
    wants = _side(board, offer.requested, 0, yours=offer.target == me)
    role = "for-you" if offer.target == me else "from-you" if offer.sender == me else "others"
    until = say("this_round")
    if offer.expires > board.round:
        until = say("round_number", number=offer.expires + 1)
    answerable = role == "for-you" and board.is_own_turn
    if offer.target == HOUSE:
        until = say("this_round_when_the_house_decides")
    words = say("who_gives_whom_gives_for_wants")
    if offer.sender == me:
        words = say("you_give_whom_gives_for_wants")
    elif offer.target == me:
        words = say("who_gives_gives_for_wants")
    return OfferCard(
        offer,
        sender,
        target,
        gives,
        wants,
        words % {"who": sender, "whom": target, "gives": gives, "wants": wants},
        until,
        tuple(words_of(TITLES.conditions, one) for one in offer.conditions),
        role,
        answerable,
        gain if answerable else None,
    )


def _side(board: Board, names: Iterable[str], payment: int, *, yours: bool) -> str:
    found = [block for name in names if (block := board.block(name)) is not None]
    parts = [told(block.id, board.names) for block in found]
    if payment:
        parts.append(money_text(payment, due=yours))
    words = listed(parts) or say("nothing")
    return say("your_things", things=words) if yours and found else words


def _coalition(board: Board, one: Coalition) -> CoalitionCard:
    members = [
        _member(board, one, name, "founder" if name == one.founder else "joined")
        for name in one.members
    ]
    members += [_member(board, one, name, "asked") for name in one.invited]
    pooled = [block for block in board.blocks if block.pool == one.id]
    free = [block for block in pooled if block.status == "committed"]
    gpus = sum(block.gpus for block in free)
    pool = (
        f"{blocks_text([block.id for block in free], board.names)}: {gpus_words(gpus)}"
        if free
        else say("empty")
    )
    own = board.own
    return CoalitionCard(
        one,
        short(one.id).capitalize(),
        tuple(member for member in members if member is not None),
        pool,
        say("until_round_number", number=one.expires + 1) if one.open else say("over"),
        words_of(TITLES.breaches, one.breach, otherwise=""),
        bool(own and one.open and own.id in one.invited),
    )


def _member(board: Board, one: Coalition, name: str, consent: str) -> Member | None:
    lab = board.lab(name)
    if lab is None:
        return None
    return Member(lab, consent, blocks_text(one.pledged(name), board.names))
