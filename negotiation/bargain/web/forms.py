"""What people fill in: a search, an item of their own, a move without JavaScript."""

import contextlib
import zlib
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms

from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import InvalidPrice, Paise, to_paise, to_rupees
from bazaarbatna.bargain.tells import CONDITIONS
from bazaarbatna.money import rupees_text
from negotiation.bargain.commands import Command, Say, Withdraw
from negotiation.bargain.purchases import LEAST_BUDGET, NewPurchase, deal_budget
from negotiation.bargain.shops import PATIENT, default_buyer, open_shops, voices
from negotiation.models import Game, Listing
from negotiation.sentences import sentences
from negotiation.words import clean

say = sentences(__file__)

CONDITION_WORDS: dict[str, Any] = say.lazies("condition_words")
"""Condition label and its words, best first."""

SORTS: tuple[tuple[str, Any], ...] = (
    ("", say.lazy("best_match")),
    ("price-low", say.lazy("cheapest_first")),
    ("price-high", say.lazy("dearest_first")),
    ("title", say.lazy("by_name")),
)

MOST_ASKED = 10

assert set(CONDITION_WORDS) == set(CONDITIONS)


class PriceField(forms.CharField):
    """A price as people write it ("₹1,800", "1800.50"), cleaned to paise."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=24, **options)

    def to_python(self, value: Any) -> Any:
        """Read the price; None for an empty optional field."""
        text = super().to_python(value) or ""
        for ornament in (",", " ", "\N{NO-BREAK SPACE}", "₹", "$", "Rs.", "Rs", "rs"):
            text = text.replace(ornament, "")
        text = text.removesuffix("/-")
        if not text:
            return None
        try:
            return to_paise(float(Decimal(text)))
        except (InvalidOperation, InvalidPrice, OverflowError):
            raise forms.ValidationError(say("write_a_price_above_0_and"), code="invalid") from None

    def validate(self, value: Any) -> None:
        """Ask for a price where one is needed."""
        if value is None and self.required:
            raise forms.ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: Any) -> None:
        """Skip the text validators: the value is a number of paise by now."""


def asked_in(posted: Any) -> tuple[Paise, ...]:
    """Return the prices that a posted page had asked back; what is none is left out."""
    found: list[Paise] = []
    for text in posted.getlist("asked")[:MOST_ASKED] if hasattr(posted, "getlist") else ():
        with contextlib.suppress(forms.ValidationError):
            found.append(PriceField().clean(text))
    return tuple(found)


class SearchForm(forms.Form):
    """Which listings to show; wrong values are ignored rather than complained about."""

    q = forms.CharField(required=False, max_length=100)
    category = forms.CharField(required=False, max_length=80)
    min = PriceField(required=False)
    max = PriceField(required=False)
    sort = forms.ChoiceField(required=False, choices=SORTS)
    page = forms.IntegerField(required=False, min_value=1, max_value=10_000)

    def asked(self) -> dict[str, Any]:
        """Return the readable filters; the others are None."""
        self.is_valid()
        return {name: self.cleaned_data.get(name) or None for name in self.fields}


class StartForm(forms.Form):
    """What is asked before any game: may the replay be shown to others?"""

    share_replay = forms.BooleanField(required=False)


class SaleForm(StartForm):
    """What is asked before any sale: besides, who speaks for Sauda?"""

    policy = forms.ChoiceField(
        required=False,
        error_messages={"invalid_choice": say.lazy("that_voice_cannot_be_heard_now")},
    )

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        choice = self.fields["policy"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(voice.name, voice.title) for voice in voices()]

    def clean_policy(self) -> str:
        """Take the usual voice when none was chosen."""
        return self.cleaned_data["policy"] or default_buyer()


class OwnItemForm(SaleForm):
    """An item that the visitor brings along."""

    title = forms.CharField(
        max_length=200, error_messages={"required": say.lazy("give_it_a_name_as_you")}
    )
    category = forms.CharField(max_length=80, required=False)
    description = forms.CharField(max_length=1000, required=False)
    condition_label = forms.ChoiceField(
        choices=tuple(CONDITION_WORDS.items()), initial="good", required=False
    )
    asking_price = PriceField(error_messages={"required": say.lazy("what_will_you_ask_for_it")})
    reservation_price = PriceField(
        error_messages={"required": say.lazy("below_which_price_would_you_rather")}
    )

    photo = forms.FileField(
        required=False, error_messages={"empty": say.lazy("that_file_is_empty_choose_another")}
    )

    def clean_condition_label(self) -> str:
        """Take the middle of the scale when nothing was chosen."""
        return self.cleaned_data["condition_label"] or "good"

    def clean(self) -> dict[str, Any]:
        """Refuse a reservation price above the asking price."""
        cleaned = super().clean() or self.cleaned_data
        asking: Paise | None = cleaned.get("asking_price")
        reservation: Paise | None = cleaned.get("reservation_price")
        if asking is not None and reservation is not None and reservation >= asking:
            self.add_error("reservation_price", say("your_floor_must_be_below_the"))
        return cleaned


class MoveForm(forms.Form):
    """A move sent by a plain form post."""

    action = forms.ChoiceField(
        choices=[(name, name) for name in ("say", "accept", "walk", "withdraw")], required=False
    )
    text = forms.CharField(required=False, max_length=2000)
    meant = forms.CharField(required=False, max_length=2000)
    price = PriceField(required=False)
    choice = PriceField(required=False)
    seq = forms.IntegerField(required=False, min_value=0)

    def command(self) -> Command:
        """Return what is asked for; a price pressed (``choice``) or filled in is an offer."""
        words = clean(self.cleaned_data["text"])
        price = self.cleaned_data["choice"] or self.cleaned_data["price"]
        match self.cleaned_data["action"]:
            case "accept":
                return Accept(words)
            case "walk":
                return Walk(words)
            case "withdraw":
                return Withdraw()
            case _:
                meant = clean(self.cleaned_data["meant"])
                said = Say(words, self.asked(), meant)
                return said if price is None else Offer(price, words)

    def asked(self) -> tuple[Paise, ...]:
        """Return the prices that the form's page had asked back."""
        return asked_in(self.data)

    def seen(self) -> int | None:
        """Return the number of the last event that the form's page showed."""
        seq: int | None = self.cleaned_data["seq"]
        return seq


class PurchaseForm(StartForm):
    """A seller and a secret budget for one listing."""

    policy = forms.ChoiceField(
        required=False,
        error_messages={"invalid_choice": say.lazy("that_stall_is_closed_choose_another")},
    )
    budget = PriceField(required=False)

    def __init__(self, listing: Listing, owner: str, data: Any = None, *, is_new: bool) -> None:
        super().__init__(data)
        self.listing = listing
        shops = open_shops()
        # Whoever is drawn may name two prices and go: the first games are against one who stays.
        usual = [shop for shop in shops if is_new and shop.policy == PATIENT]
        choice = self.fields["policy"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(shop.policy, shop.name) for shop in shops]
        # What was shown is what is played, however often the page is opened before the start.
        played = Game.objects.filter(owner=owner, kind="buy", listing=listing).count()
        seed = zlib.crc32(f"{owner} {listing.pk} {played}".encode())
        self.dealt = to_rupees(deal_budget(listing.list_price, seed))
        self.initial = {
            "policy": next((shop.policy for shop in (*usual, *shops)), ""),
            "budget": f"{self.dealt:.2f}".removesuffix(".00"),
        }

    def clean_budget(self) -> Paise | None:
        """Refuse what leaves nothing to haggle; where nothing is filled in it is the dealt one."""
        budget: Paise | None = self.cleaned_data["budget"]
        if budget is None:
            return None
        asking = self.listing.list_price
        if budget > asking:
            raise forms.ValidationError(
                say("she_asks_price_with_more_than", price=self._text(asking))
            )
        least = LEAST_BUDGET * asking
        if budget < least:
            raise forms.ValidationError(
                say("with_less_than_price_nobody_would", price=self._text(round(least)))
            )
        return budget

    def purchase(self) -> NewPurchase:
        """Turn the valid form into a purchase."""
        cleaned = self.cleaned_data
        return NewPurchase(
            listing=self.listing,
            budget=cleaned["budget"] or to_paise(self.dealt),
            policy=cleaned["policy"] or self.initial["policy"],
            share_replay=cleaned["share_replay"],
        )

    def _text(self, paise: int) -> str:
        return rupees_text(to_rupees(Paise(paise)), self.listing.currency)
