"""What a person at the table asks for, turned into the move that goes into the envelope.

Talk without a price closes no envelope: the seller's remark on it goes to that person alone and
stands in no log, so the same words give the same match.
"""

from collections import OrderedDict

import msgspec
from django.utils.translation import gettext

from agents.sellers.speaking import SellerSpeaker
from arena.auction.web import matches
from arena.auction.web.game import Position
from arena.errors import NoSeat
from bazaarbatna.auction.events import ArenaMove, AskLowered, Bid, Signal, Take
from bazaarbatna.auction.match import ArenaState
from bazaarbatna.auction.observe import observe
from bazaarbatna.bargain.episode import MAX_TEXT, Turn
from bazaarbatna.bargain.errors import IllegalMove, NotYourTurn
from bazaarbatna.bargain.observe import REMEMBERED_TURNS, SellerObservation
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.bargain.scenario import SellerRules
from bazaarbatna.money import rupees_text
from negotiation.bargain.commands import confirmed
from negotiation.bargain.purchases import SUITE
from negotiation.errors import NoPrice, TwoPrices
from negotiation.games.live import Asked
from negotiation.games.visitors import visitor_of
from negotiation.readers import SaleContext, reader

SEATS = 2_000
"""Latest seats whose remarks are remembered; after a restart one may come again."""

_said: OrderedDict[tuple[int, int], tuple[str, ...]] = OrderedDict()


class Say(msgspec.Struct, frozen=True):
    """Free text with a price or an acceptance inside."""

    text: str
    signal: Signal | None = None
    asked: Asked = Asked()
    """What the person was asked back just before."""


Command = Say | ArenaMove


def place(match_id: str, visitor: str, command: Command, seen: int | None = None) -> int:
    """Close a person's envelope and return its event's number; errors as for ``place_for``."""
    # A socket may outlive its session.
    if not visitor_of(visitor):
        raise NoSeat
    return matches.place_for(
        match_id, visitor, lambda position, seat: move_of(position, seat, command, seen)
    )


def move_of(position: Position, index: int, command: Command, seen: int | None = None) -> ArenaMove:
    """Return the move that a person asks for; too many words, two prices, or none are refused.

    ``seen`` is the number of the last event the person knew of: before the seller's last ask the
    command is a second click or from an old page (``NotYourTurn``). None: not checked.
    """
    if isinstance(command, Say) and command.asked.prices and reader().confirms(command.text):
        # A question of the round before is nobody's any more.
        seen = min(command.asked.seq, seen or command.asked.seq)
    if seen is not None and any(isinstance(new, AskLowered) for new in position.events[seen:]):
        told = gettext("A new round has begun since you sent that; look at the new ask first.")
        raise NotYourTurn(told)
    if len(command.text) > MAX_TEXT:
        told = gettext("A message has at most %(count)s characters.") % {"count": MAX_TEXT}
        raise IllegalMove(told)
    if not isinstance(command, Say):
        return command
    return _read(position, index, command)


def _read(position: Position, index: int, said: Say) -> ArenaMove:
    own = observe(position.state, index)
    currency = own.item.currency
    context = SaleContext(
        asks=own.asks,
        bids=own.bids,
        turns=own.turns,
        condition=own.item.condition_label,
        currency=currency,
        side="buyer",
    )
    price = confirmed(said.text, said.asked.prices, currency)
    if price is not None:
        return Bid(price, said.text, said.signal)
    intent = reader().intent(said.text, context)
    match intent.kind:
        case "price":
            assert intent.price is not None
            return Bid(intent.price, said.text, said.signal)
        case "accept":
            return Take(said.text, said.signal)
        case "ambiguous":
            raise TwoPrices(intent.question, intent.candidates, currency)
        case "none":
            ask = rupees_text(to_rupees(own.standing_ask), currency)
            remark = remark_to(position.state, index, said.text)
            told = gettext("%(remark)s Name a price, or take the ask of %(ask)s.")
            remark = remark or gettext("There was no price in that.")
            raise NoPrice(told % {"remark": remark, "ask": ask})


def remark_to(state: ArenaState, index: int, text: str) -> str:
    """Return the seller's answer to a person's words; "" where nothing new may be said."""
    seat = (state.scenario.sealed.seed, index)
    said = _said.get(seat, ())
    remark = SellerSpeaker(sum(seat), lambda *_: ()).reply(_as_seller(state, index, text, said))
    if remark:
        _said[seat] = (*said, remark)
        _said.move_to_end(seat)
        if len(_said) > SEATS:
            _said.popitem(last=False)
    return remark


def _as_seller(
    state: ArenaState, index: int, text: str, said: tuple[str, ...]
) -> SellerObservation:
    own, sealed = observe(state, index), state.scenario.sealed
    turn = Turn("buyer", own.round, "message", None, text)
    return SellerObservation(
        suite=SUITE,
        item=own.item,
        round=own.round,
        max_rounds=own.max_rounds,
        asks=own.asks,
        bids=own.bids,
        reservation=sealed.reservation,
        cost=sealed.cost,
        persona="",
        rules=SellerRules(),
        turns=(*own.turns, turn)[-REMEMBERED_TURNS:],
        done=False,
        outcome=None,
        earlier=said,
    )
