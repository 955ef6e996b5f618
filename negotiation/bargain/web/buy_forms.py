"""What people fill in before a purchase: at whose stall, and with how much in the pocket."""

from typing import Any

from django import forms

from negotiation.bargain.purchases import LEAST_BUDGET, NewPurchase, suggested_budget
from negotiation.bargain.shops import open_shops
from negotiation.bargain.web.forms import PriceField, StartForm
from negotiation.engine.quantities import Paise, to_rupees
from negotiation.models import Listing
from negotiation.money import rupees_text


class PurchaseForm(StartForm):
    """A seller and a secret budget for one listing."""

    policy = forms.ChoiceField(
        required=False, error_messages={"invalid_choice": "That stall is closed; choose another."}
    )
    budget = PriceField(required=False)

    def __init__(self, listing: Listing, data: Any = None) -> None:
        super().__init__(data)
        self.listing = listing
        shops = open_shops()
        choice = self.fields["policy"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(shop.policy, shop.name) for shop in shops]
        self.initial = {
            "policy": shops[0].policy if shops else "",
            "budget": f"{to_rupees(suggested_budget(listing.list_price)):g}",
        }

    def clean_budget(self) -> Paise:
        """Take the suggestion when nothing was filled in; refuse what leaves nothing to haggle."""
        budget: Paise | None = self.cleaned_data["budget"]
        if budget is None:
            return suggested_budget(self.listing.list_price)
        asking = self.listing.list_price
        if budget > asking:
            raise forms.ValidationError(
                f"She asks {self._text(asking)}: with more than that there is nothing to haggle "
                "over."
            )
        least = LEAST_BUDGET * asking
        if budget < least:
            raise forms.ValidationError(
                f"With less than {self._text(round(least))} nobody would listen. A little more?"
            )
        return budget

    def purchase(self) -> NewPurchase:
        """Turn the valid form into a purchase."""
        cleaned = self.cleaned_data
        return NewPurchase(
            listing=self.listing,
            budget=cleaned["budget"],
            policy=cleaned["policy"] or self.initial["policy"],
            share_replay=cleaned["share_replay"],
        )

    def _text(self, paise: int) -> str:
        return rupees_text(to_rupees(Paise(paise)), self.listing.currency)
