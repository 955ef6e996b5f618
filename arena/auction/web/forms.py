"""What visitors of the arena send: a match to start, a move of their own."""

from typing import Any

from django import forms
from django.utils.translation import gettext

from arena.auction.charts.course import spoken
from arena.auction.web.commands import Command, Say
from arena.auction.web.orders import DRAWN, PERSON, PERSONAS, Order, name_of
from arena.words import say
from bazaarbatna.auction.events import SIGNALS, Bid, Hold, Leave, Signal, Take
from bazaarbatna.auction.scenario import FEWEST_BUYERS, MOST_BUYERS
from bazaarbatna.bargain.episode import MAX_TEXT
from bazaarbatna.bargain.sellers import SELLERS
from negotiation.bargain.scenarios import SEED_LIMIT
from negotiation.bargain.web.forms import PriceField, asked_in
from negotiation.games.live import Asked
from negotiation.models import Listing
from negotiation.policies import Entry, policies

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
