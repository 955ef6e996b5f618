"""What visitors of the arena send: a match to start, a move of their own."""

from typing import Any

import msgspec
from django import forms
from django.utils.translation import gettext

from arena.auction.charts.course import spoken
from arena.auction.web import matches
from arena.auction.web.game import Position
from arena.auction.web.orders import DRAWN, PERSON, PERSONAS, Order, name_of
from arena.errors import NoSeat
from arena.words import say
from bazaarbatna.auction.events import (
    SIGNALS,
    ArenaMove,
    AskLowered,
    Bid,
    Hold,
    Leave,
    Signal,
    Take,
)
from bazaarbatna.auction.observe import observe
from bazaarbatna.auction.scenario import FEWEST_BUYERS, MOST_BUYERS
from bazaarbatna.bargain.episode import MAX_TEXT
from bazaarbatna.bargain.errors import IllegalMove, NotYourTurn
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.money import rupees_text
from negotiation.bargain.commands import confirmed
from negotiation.bargain.scenarios import SEED_LIMIT
from negotiation.bargain.web.forms import PriceField, asked_in
from negotiation.errors import NoPrice, TwoPrices
from negotiation.games.live import Asked
from negotiation.games.visitors import visitor_of
from negotiation.models import Listing
from negotiation.policies import Entry, policies
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
    if isinstance(command, Say) and command.asked.prices and reader().confirms(command.text):
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


EMPTY = ""
SIGNALS_OR_NONE = (EMPTY, *SIGNALS)


def seat_choices() -> list[tuple[str, str]]:
    """Return who can sit in a seat: you, nobody, or any buyer."""
    buyers = [(entry.name, _called(entry)) for entry in policies("buyer")]
    return [(EMPTY, say("nobody_2")), (PERSON, say("you")), *buyers]


def _called(entry: Entry) -> str:
    who = name_of(entry.name)
    title = gettext(entry.title)
    return title if who == entry.title else f"{spoken(who)} · {title}"


class StartForm(forms.Form):
    """A match: what is sold, by whom, to whom, and with which seed."""

    listing = forms.ModelChoiceField(
        Listing.objects.all(),
        error_messages={
            "required": say.lazy("choose_what_is_sold"),
            "invalid_choice": say.lazy("that_is_not_for_sale_any"),
        },
    )
    persona = forms.ChoiceField(
        required=False, choices=[(value, name) for value, name, _ in PERSONAS]
    )
    seed = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=SEED_LIMIT - 1,
        error_messages={"invalid": say.lazy("a_seed_is_a_whole_number")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = seat_choices()
        for number in range(1, MOST_BUYERS + 1):
            self.fields[f"seat_{number}"] = forms.ChoiceField(required=False, choices=choices)

    def clean(self) -> dict[str, Any]:
        """Check the line-up as a whole."""
        cleaned = super().clean() or {}
        seats = [cleaned.get(f"seat_{number}", "") for number in range(1, MOST_BUYERS + 1)]
        cleaned["line_up"] = tuple(name for name in seats if name)
        if self.errors:
            return cleaned
        if len(cleaned["line_up"]) < FEWEST_BUYERS:
            told = say("seat_at_least_few_buyers", few=FEWEST_BUYERS)
            self.add_error(None, told)
        if cleaned["line_up"].count(PERSON) > 1:
            self.add_error(None, say("you_can_sit_in_one_seat"))
        return cleaned

    def order(self) -> Order:
        """Return the match that was asked for; the form must be valid."""
        asked = self.cleaned_data
        return Order(
            listing=asked["listing"],
            line_up=asked["line_up"],
            persona=asked["persona"] if asked["persona"] in SELLERS else DRAWN,
            seed=asked["seed"],
        )


class TableForm(forms.Form):
    """A table for people who come by its link."""

    people = forms.IntegerField(min_value=2, max_value=MOST_BUYERS)


class EnvelopeForm(forms.Form):
    """A move sent without scripts."""

    action = forms.ChoiceField(
        choices=[(name, name) for name in ("say", "accept", "hold", "walk")], required=False
    )
    text = forms.CharField(required=False, max_length=MAX_TEXT)
    price = PriceField(required=False)
    signal = forms.ChoiceField(required=False, choices=[(name, name) for name in SIGNALS_OR_NONE])
    choice = PriceField(required=False)
    seq = forms.IntegerField(required=False, min_value=0)

    def command(self) -> Command:
        """Return the move that was asked for; the form must be valid.

        A price pressed (``choice``) or filled in is a bid.
        """
        asked = self.cleaned_data
        text = asked["text"]
        signal: Signal | None = asked["signal"] or None
        match asked["action"]:
            case "accept":
                return Take(text, signal)
            case "hold":
                return Hold(text, signal)
            case "walk":
                return Leave(text, signal)
            case _:
                price = asked["choice"] or asked["price"]
                if price is not None:
                    return Bid(price, text, signal)
                return Say(text, signal, Asked(asked_in(self.data), asked["seq"] or 0))
