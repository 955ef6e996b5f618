"""What a person at the table asks for, turned into the move that goes into the envelope."""

import msgspec

from arena.auction.web import matches
from arena.auction.web.game import Position
from arena.errors import NoSeat
from arena.words import say
from bazaarbatna.auction.events import ArenaMove, AskLowered, Bid, Signal, Take
from bazaarbatna.auction.observe import observe
from bazaarbatna.bargain.episode import MAX_TEXT
from bazaarbatna.bargain.errors import IllegalMove, NotYourTurn
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.money import rupees_text
from negotiation.bargain.commands import confirmed
from negotiation.errors import NoPrice, TwoPrices
from negotiation.games.live import Asked
from negotiation.games.visitors import visitor_of
from negotiation.readers import SaleContext, reader


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
    says_yes = reader().besides_yes(command.text) is not None
    if isinstance(command, Say) and command.asked.prices and says_yes:
        # A question of the round before is nobody's any more.
        seen = min(command.asked.seq, seen or command.asked.seq)
    if seen is not None and any(isinstance(new, AskLowered) for new in position.events[seen:]):
        told = say("a_new_round_has_begun_since_you")
        raise NotYourTurn(told)
    if len(command.text) > MAX_TEXT:
        told = say("a_message_has_at_most_count_characters", count=MAX_TEXT)
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
        title=own.item.title,
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
            raise NoPrice(say("there_was_no_price_in_that_name", ask=ask))
