"""What a person at the table asks for, turned into the move that goes into the envelope."""

import msgspec

from arena.answering import remark_to
from arena.auction_game import Position
from arena.engine.events import AskLowered
from arena.engine.moves import ArenaMove, Bid, Hold, Leave, Signal, Take
from arena.engine.observe import observe
from negotiation.engine.episode import MAX_TEXT
from negotiation.engine.errors import IllegalMove, NotYourTurn
from negotiation.engine.quantities import to_rupees
from negotiation.errors import NoPrice, TwoPrices
from negotiation.money import rupees_text
from negotiation.readers import SaleContext, reader


class Say(msgspec.Struct, frozen=True):
    """Free text with a price or an acceptance inside."""

    text: str
    signal: Signal | None = None


Command = Say | ArenaMove


def move_of(position: Position, index: int, command: Command, seen: int | None = None) -> ArenaMove:
    """Read what a person asks for in a position.

    Args:
        position: where the match stands.
        index: the person's seat.
        command: words or a move.
        seen: number of the last event the person knew of; a command that was given before the
            seller's last ask is a second click or comes from an old page. None: not checked.

    Raises:
        NotYourTurn: the seller has named a new ask since.
        IllegalMove: too many words.
        TwoPrices: the words could mean several prices.
        NoPrice: the words name none; they are answered.
    """
    if seen is not None and any(isinstance(new, AskLowered) for new in position.events[seen:]):
        raise NotYourTurn("A new round has begun since you sent that; look at the new ask first.")
    if len(command.text) > MAX_TEXT:
        raise IllegalMove(f"A message has at most {MAX_TEXT} characters.")
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
            remark = remark_to(position.state, index, said.text) or "There was no price in that."
            raise NoPrice(f"{remark} Name a price, or take the ask of {ask}.")


__all__ = ["Bid", "Command", "Hold", "Leave", "Say", "Take", "move_of"]
