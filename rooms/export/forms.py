"""The form that says until when a room is kept."""

import datetime as dt
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.formats import date_format

from negotiation.sentences import sentences

say = sentences(__file__)

LONGEST = dt.timedelta(days=3660)


class KeepForm(forms.Form):
    """The last day on which a room and its games are kept; ``latest``: as people were promised."""

    keep_until = forms.DateField(
        label=say.lazy("last_day"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "input"}),
    )

    def __init__(self, *args: Any, latest: dt.date | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.latest = latest
        attrs = self.fields["keep_until"].widget.attrs
        attrs["min"] = timezone.localdate().isoformat()
        if latest is not None:
            attrs["max"] = latest.isoformat()

    def clean_keep_until(self) -> dt.date:
        """Take today or a later day."""
        day: dt.date = self.cleaned_data["keep_until"]
        today = timezone.localdate()
        if day < today:
            raise forms.ValidationError(say("that_day_is_over_to_delete"))
        if self.latest is not None and day > self.latest:
            raise forms.ValidationError(
                say("the_people_in_it_were_told", day=date_format(self.latest, "j F Y"))
            )
        if day - today > LONGEST:
            raise forms.ValidationError(say("choose_a_day_within_ten_years"))
        return day
