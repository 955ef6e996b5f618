"""What a host fills in to open a room, and a visitor to come in."""

from typing import Any

import msgspec
from django import forms
from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext

from bazaarbatna.cases.case import Case
from negotiation.bargain.shops import default_buyer, open_shops
from negotiation.cases.own import playable, titled
from negotiation.policies import policies
from rooms.hosting import LONGEST_NAME
from rooms.joining import MOST_PEOPLE
from rooms.plan import Plan
from rooms.seating.dealing import goods_of
from rooms.study.fields import offered

CHOSEN = ("meeting", "zone", "partners", "roles", "absence", "language", "reveal", "talk")
"""Fields whose choices have words of their own, the same as in the forms of a study."""

BUYERS = ("sauda-network", "sauda", "rules:tit-for-tat", "rules:boulware", "rules:conceder")
"""Buyers that a host may choose, where they are on this site."""


class PlanForm(forms.Form):
    """A room's name and its plan; every field has a value that works."""

    name = forms.CharField(max_length=LONGEST_NAME)
    case = forms.ChoiceField(required=False)
    meeting = forms.ChoiceField(initial="people")
    zone = forms.ChoiceField(initial="usual")
    games = forms.IntegerField(min_value=1, max_value=20, initial=1)

    partners = forms.ChoiceField(initial="strangers")
    roles = forms.ChoiceField(initial="random")
    buyer = forms.ChoiceField()
    seller = forms.ChoiceField()
    least_price = forms.IntegerField(required=False, min_value=0, max_value=1_000_000_000)
    most_price = forms.IntegerField(required=False, min_value=0, max_value=1_000_000_000)
    listings = forms.CharField(required=False, max_length=200)
    rounds = forms.IntegerField(min_value=1, max_value=30, initial=10)
    clock_s = forms.IntegerField(required=False, min_value=0, max_value=7200, initial=0)
    move_s = forms.IntegerField(required=False, min_value=0, max_value=7200, initial=300)
    absent_s = forms.IntegerField(required=False, min_value=0, max_value=3600, initial=120)
    absence = forms.ChoiceField(initial="policy")
    odd_s = forms.IntegerField(min_value=0, max_value=3600, initial=45)
    unmet_s = forms.IntegerField(min_value=0, max_value=3600, initial=600)
    most = forms.IntegerField(required=False, min_value=0, max_value=MOST_PEOPLE, initial=0)
    language = forms.ChoiceField(required=False)
    reveal = forms.ChoiceField(required=False, initial="all")
    talk = forms.ChoiceField(initial="free")
    chat = forms.BooleanField(required=False, initial=True)
    tells = forms.BooleanField(required=False, initial=True)
    persona_told = forms.BooleanField(required=False, initial=True)
    feelings = forms.BooleanField(required=False)
    reputation = forms.BooleanField(required=False)
    starts_itself = forms.BooleanField(required=False)

    def __init__(self, *args: Any, host: User | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in CHOSEN:
            self._offer(name, offered(name), str(self.fields[name].initial or ""))
        self._cases = playable(host or AnonymousUser())
        own = [(key, titled(key, case)) for key, case in self._cases.items()]
        self._offer("case", [("", gettext("One thing, one price")), *own], "")
        self._offer("buyer", _buyers(), default_buyer())
        self._offer("seller", [(shop.policy, shop.name) for shop in open_shops()], "seller:default")

    def clean_case(self) -> Case | None:
        """Read which case is played; None: a sale."""
        return self._cases.get(self.cleaned_data["case"])

    def clean_listings(self) -> tuple[int, ...]:
        """Read the numbers of goods."""
        text = self.cleaned_data["listings"].replace(",", " ")
        words = text.split()
        if not all(word.isascii() and word.isdecimal() and len(word) < 12 for word in words):
            raise forms.ValidationError(
                gettext("Write the numbers of goods with commas between, like 12, 31."),
                code="invalid",
            )
        return tuple(dict.fromkeys(map(int, words)))

    def clean(self) -> dict[str, Any]:
        """Check that there is something to bargain about."""
        data = super().clean() or {}
        for field in ("least_price", "most_price", "clock_s", "move_s", "absent_s", "most"):
            data[field] = data.get(field) or 0
        data["reveal"] = data.get("reveal") or "all"
        if data.get("case") is not None and not data.get("persona_told"):
            words = gettext(
                "Tick this with a case: the house answers at once, and a person does not."
            )
            self.add_error("persona_told", words)
        is_sale = not self.errors and data.get("case") is None
        if is_sale and not goods_of(self._plan(data)).exists():
            wide = gettext("No goods of ours fit these prices and numbers; choose a wider range.")
            self.add_error("listings" if data["listings"] else "most_price", wide)
        return data

    @property
    def plan(self) -> Plan:
        """The plan as filled in."""
        return self._plan(self.cleaned_data)

    @property
    def has_folded_errors(self) -> bool:
        """Whether something is wrong in the folded part."""
        return bool(set(self.errors) - {"name", "case", "meeting", "zone", "games"})

    def _plan(self, data: dict[str, Any]) -> Plan:
        told = {name: data[name] for name in Plan.__struct_fields__ if name in self.fields}
        told.pop("case")
        return msgspec.structs.replace(msgspec.convert(told, Plan), case=data["case"])

    def _offer(self, name: str, choices: list[tuple[str, str]], usual: str) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        names = [value for value, _ in choices]
        field.initial = usual if usual in names else (names or [""])[0]


def _buyers() -> list[tuple[str, str]]:
    here = {entry.name: entry.title for entry in policies("buyer")}
    wanted = dict.fromkeys((default_buyer(), *BUYERS))
    return [(name, gettext(here[name])) for name in wanted if name in here]
