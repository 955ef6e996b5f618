"""The form that describes a study: percent as people write them."""

from typing import Any

from django import forms
from django.utils.translation import gettext

from negotiation.sentences import sentences
from rooms.power.outcomes import BUYERS
from rooms.power.simulating import FEWEST_ARMS, MEASURES, MOST_ARMS, Question

say = sentences(__file__)

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

    against = forms.ChoiceField(label=say.lazy("who_sits_opposite"))
    measure = forms.ChoiceField(label=say.lazy("what_do_you_compare"))
    effect = forms.DecimalField(
        label=say.lazy("the_smallest_difference_that_matters_to"),
        min_value=0.5,
        max_value=50,
        decimal_places=1,
    )
    arms = forms.IntegerField(label=say.lazy("groups"), min_value=FEWEST_ARMS, max_value=MOST_ARMS)
    lost = forms.DecimalField(
        label=say.lazy("people_who_leave_before_the_end"),
        min_value=0,
        max_value=90,
        decimal_places=1,
    )
    power = forms.DecimalField(
        label=say.lazy("chance_to_find_the_difference"),
        min_value=50,
        max_value=99,
        decimal_places=1,
    )
    alpha = forms.DecimalField(
        label=say.lazy("chance_of_a_false_alarm"), min_value=0.1, max_value=20, decimal_places=1
    )

    games = forms.IntegerField(label=say.lazy("games_each_plays"), min_value=1, max_value=20)
    icc = forms.DecimalField(
        label=say.lazy("how_alike_the_games_of_one"), min_value=0, max_value=100, decimal_places=1
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
