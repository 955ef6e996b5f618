"""Form fields from the fields of a validated configuration: types, ranges, words."""

from typing import Any, Literal, get_args, get_origin

import annotated_types as limits
import msgspec
from django import forms
from pydantic.fields import FieldInfo

NUMBERS: dict[type, type[forms.IntegerField]] = {int: forms.IntegerField, float: forms.FloatField}


class End(msgspec.Struct, frozen=True):
    """An end of a range: which attribute holds it, and how a person is told."""

    attribute: str
    words: str = ""


ENDS: dict[type, End] = {
    limits.Ge: End("ge", "from {:,}"),
    limits.Gt: End("gt", "above {:,}"),
    limits.Le: End("le", "up to {:,}"),
    limits.Lt: End("lt", "below {:,}"),
    limits.MultipleOf: End("multiple_of", "in steps of {}"),
    limits.MaxLen: End("max_length"),
}


def field_for(name: str, about: FieldInfo, choices: dict[str, tuple[str, ...]]) -> forms.Field:
    """Make a form field.

    Args:
        name: of the setting.
        about: its type, range and description.
        choices: what a list of names may hold, by setting.

    Raises:
        TypeError: there is no form field for its type.
    """
    kind = about.annotation
    common: dict[str, Any] = {"label": label_of(name), "help_text": _help(about)}
    if get_origin(kind) is Literal:
        return forms.ChoiceField(choices=[(one, one) for one in get_args(kind)], **common)
    if get_origin(kind) is tuple:
        pairs = [(one, one) for one in choices[name]]
        widget = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(choices=pairs, widget=widget, **common)
    if kind is bool:
        return forms.BooleanField(required=False, **common)
    if kind in NUMBERS:
        field = NUMBERS[kind](**common, **_range(about))
        field.widget.attrs["step"] = "any" if kind is float else 1
        return field
    if kind is str:
        return forms.CharField(required=False, max_length=_limit(about, limits.MaxLen), **common)
    raise TypeError(f"There is no form field for {name}, which is {kind}.")


def label_of(name: str) -> str:
    """Write the name of a setting for people.

    >>> label_of("lora_rank")
    'LoRA rank'
    """
    return name.replace("_", " ").replace("lora", "LoRA")


def _range(about: FieldInfo) -> dict[str, Any]:
    """Give the ends that belong to a range; of open ends the configuration itself tells."""
    ends = {"min_value": _limit(about, limits.Ge), "max_value": _limit(about, limits.Le)}
    return {name: value for name, value in ends.items() if value is not None}


def _limit(about: FieldInfo, kind: type) -> Any:
    found = (one for one in about.metadata if isinstance(one, kind))
    return next((getattr(one, ENDS[kind].attribute) for one in found), None)


def _help(about: FieldInfo) -> str:
    ends = ((end.words, _limit(about, kind)) for kind, end in ENDS.items() if end.words)
    told = ", ".join(words.format(value) for words, value in ends if value is not None)
    return f"{about.description} {told.capitalize()}.".strip() if told else about.description or ""
