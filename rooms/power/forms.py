"""The form that describes a study: percent as people write them."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from rooms.power.outcomes import BUYERS
from rooms.power.simulating import MEASURES, Question

USUAL: dict[str, Any] = {
    "against": "people",
    "measure": "share",
    "effect": 10,
    "arms": 2,
    "lost": 10,
    "power": 80,
    "alpha": 5,
    "games": 1,
    "icc": 0,
}


PARTS = ("effect", "lost", "power", "alpha", "icc")
"""Fields in percent."""


class PowerForm(forms.Form):
    """What a study looks like; all parts in percent."""

    against = forms.ChoiceField(label=gettext_lazy("Who sits opposite?"))
    measure = forms.ChoiceField(label=gettext_lazy("What do you compare?"))
    effect = forms.DecimalField(
        label=gettext_lazy("The smallest difference that matters to you"),
        min_value=0.5,
        max_value=50,
        decimal_places=1,
    )
    arms = forms.IntegerField(label=gettext_lazy("Groups"), min_value=2, max_value=6)
    lost = forms.DecimalField(
        label=gettext_lazy("People who leave before the end"),
        min_value=0,
        max_value=90,
        decimal_places=1,
    )
    power = forms.DecimalField(
        label=gettext_lazy("Chance to find the difference"),
        min_value=50,
        max_value=99,
        decimal_places=1,
    )
    alpha = forms.DecimalField(
        label=gettext_lazy("Chance of a false alarm"),
        min_value=0.1,
        max_value=20,
        decimal_places=1,
    )

    games = forms.IntegerField(label=gettext_lazy("Games each plays"), min_value=1, max_value=20)
    icc = forms.DecimalField(
        label=gettext_lazy("How alike the games of one person are"),
        min_value=0,
        max_value=100,
        decimal_places=1,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, words in (("against", BUYERS), ("measure", MEASURES)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [(value, gettext(said)) for value, said in words.items()]

    def question(self) -> Question:
        """Return the study that was described."""
        told = self.cleaned_data
        parts = {name: float(told[name]) / 100 for name in PARTS}
        return Question(
            against=told["against"],
            measure=told["measure"],
            arms=told["arms"],
            games=told["games"],
            **parts,
        )
