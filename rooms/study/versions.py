"""Two versions of a study: whether somebody has changed it meanwhile, and what differs."""

from collections.abc import Sequence
from hashlib import sha256

import msgspec

from rooms.study.design import Design
from rooms.study.fields import Field, every


class Difference(msgspec.Struct, frozen=True):
    """A field that two hosts have filled in differently; "" where one of them has nothing."""

    path: str
    label: str
    theirs: str
    mine: str


def mark_of(design: Design | None, names: Sequence[str] = ()) -> str:
    """Sum up some fields of a study as it is stored, or all of them; "" where there is none."""
    if design is None:
        return ""
    values = msgspec.to_builtins(design)
    told = msgspec.json.encode([values.get(name) for name in names or sorted(values)])
    return sha256(told).hexdigest()[:16]


def differences(theirs: Sequence[Field], mine: Sequence[Field]) -> list[Difference]:
    """Return the fields of a form that two versions of it have differently."""
    one, two = ({field.path: field for field in every(form)} for form in (theirs, mine))
    pairs = ((path, one.get(path), two.get(path)) for path in one | two)
    return [
        Difference(path, (there or here or NONE).label, _told(there), _told(here))
        for path, there, here in pairs
        if _told(there) != _told(here)
    ]


NONE = Field("", "", "")


def _told(field: Field | None) -> str:
    chosen = [pick.words for pick in field.picks if pick.is_chosen] if field else ()
    return " · ".join(chosen) or (field.value if field else "")
