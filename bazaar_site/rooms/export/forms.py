"""The form that says until when a room is kept."""

import datetime as dt
from typing import Any, ClassVar

from django import forms
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from bazaar_site.rooms.models import Room

LONGEST = dt.timedelta(days=3660)


class KeepForm(forms.ModelForm[Room]):
    """The last day on which a room and its games are kept."""

    class Meta:
        model = Room
        fields: ClassVar = ["keep_until"]
        labels: ClassVar = {"keep_until": gettext_lazy("Last day")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["keep_until"].required = True
        self.fields["keep_until"].widget = forms.DateInput(
            format="%Y-%m-%d",
            attrs={"type": "date", "min": timezone.localdate().isoformat()},
        )

    def clean_keep_until(self) -> dt.date:
        """Take today or a later day."""
        day: dt.date = self.cleaned_data["keep_until"]
        today = timezone.localdate()
        if day < today:
            raise forms.ValidationError(gettext("That day is over. To delete now, use the button."))
        if day - today > LONGEST:
            raise forms.ValidationError(gettext("Choose a day within ten years."))
        return day
