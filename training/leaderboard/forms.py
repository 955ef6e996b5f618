"""What a visitor fills in to stand on the board."""

from django import forms


class NameForm(forms.Form):
    """A name; its rules are in ``training.bots.names``."""

    name = forms.CharField(max_length=200, strip=False, error_messages={
        "required": "Write the name you want to be known by.",
        "max_length": "A name has at most 24 characters.",
    })  # fmt: skip
