"""A design as forms that anybody can fill in: fields from its types, values from what was sent.

A field's name is its path in the design, as ``arms.0.plan.chat``; so what is wrong with a file and
with a form is found, and said, by the same code.
"""

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext, override
from msgspec import inspect

from bazaarbatna.bargain.quantities import Side
from bazaarbatna.cases.case import Case
from negotiation.bargain.web import feelings
from negotiation.cases.own import OWN, titled
from negotiation.cases.table import in_language
from negotiation.policies import policies
from negotiation.sentences import sentences
from rooms.plan import Absence, Meeting, Partners, Roles, Talk, Zone
from rooms.study.design import SALE, Deleted, Kept

say = sentences(__file__)

LONG = 500
"""A text that may be longer than so many characters gets a field of many lines."""

COMMON = (
    "meeting", "partners", "roles", "buyer", "seller", "chat", "tells", "persona_told", "feelings",
    "reveal", "case", "bonus", "prompt",
)  # fmt: skip
"""Fields that may be unset and are shown even so; the others are folded away."""

ADDED = ("factors", "levels", "conditions", "beliefs")
"""Lists of what has a name and is no question."""

Values = dict[str, Any]


class Pick(msgspec.Struct, frozen=True):
    """One thing to choose."""

    value: str
    words: str
    is_chosen: bool


class Field(msgspec.Struct, frozen=True):
    """A field of a form, or a group or a list of them."""

    kind: str
    path: str
    label: str
    hint: str = ""
    value: str = ""
    problem: str = ""
    picks: tuple[Pick, ...] = ()
    fields: tuple["Field", ...] = ()
    of: str = ""
    is_rare: bool = False

    @property
    def has_rare(self) -> bool:
        """Whether something in this group is folded away."""
        return any(one.is_rare for one in self.fields)

    @property
    def adds(self) -> str:
        """What a list of things that are no questions gets more of; "" for other lists."""
        name = self.path.rpartition(".")[2]
        return name if name in ADDED else ""

    @property
    def key(self) -> str:
        """The path as an id of a page."""
        return self.path.replace(".", "-")


class Around(msgspec.Struct, frozen=True):
    """What a form is drawn with: what is wrong, by path, and the cases to choose from."""

    problems: Mapping[str, str]
    cases: Mapping[str, Case]


@functools.cache
def _words() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def said(group: str, key: str) -> str:
    """Return the words for a key in the reader's language, "" where there are none."""
    text = _words().get(group, {}).get(key, "")
    return gettext(text) if text else ""


@functools.cache
def info_of(struct: type[msgspec.Struct]) -> inspect.StructType:
    """Return what is known of the fields of a value."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return info


def form_of(
    struct: type[msgspec.Struct], values: Values, names: Sequence[str], around: Around
) -> list[Field]:
    """Return the named fields of a value."""
    return list(_fields(info_of(struct), values, "", around, names))


def read_form(struct: type[msgspec.Struct], posted: QueryDict, names: Sequence[str]) -> Values:
    """Return what was sent for the named fields, as a file would hold it."""
    return _read_struct(info_of(struct), posted, "", names)


def with_cases(values: Any, cases: Mapping[str, Case]) -> Any:
    """Put whole cases where names of own ones were chosen: a study keeps each as it is now."""
    if isinstance(values, dict):
        return {key: with_cases(one, cases) for key, one in values.items()}
    if isinstance(values, list):
        return [with_cases(one, cases) for one in values]
    own = cases.get(values) if isinstance(values, str) and values.startswith(OWN) else None
    return msgspec.to_builtins(own) if own else values


def change(values: Values, do: str) -> None:
    """Add, remove or move an item of a list, as a button asks: ``add:before:likert``."""
    action, _, rest = do.partition(":")
    path, _, what = rest.partition(":")
    *way, last = path.split(".")
    holder: Any = values
    for part in way:
        holder = holder[int(part)] if isinstance(holder, list) else holder[part]
    if action == "add":
        _add(holder, last, what)
    elif action == "remove" and not what:
        holder[last] = None
    elif action in ("remove", "up", "down"):
        items, place = holder[last], int(what)
        item = items.pop(place)
        if action != "remove":
            items.insert(max(place + (-1 if action == "up" else 1), 0), item)
    else:
        raise ValueError(do)


BLOCK = "feelings"
"""Adds the questions that the site asks after a game, ready-made, in the language of the study."""

NEW: dict[str, Values] = {
    "check": {"explain": "…", "right": 0},
    "choice": {"options": ["…", "… …"]},
    "choices": {"options": ["…", "… …"]},
}
"""What a new item must have beside its name and words."""


def _add(holder: Values, last: str, what: str) -> None:
    if last in ("bonus", "prompt"):
        holder[last] = {}
        return
    items = holder.setdefault(last, [])
    if what == BLOCK:
        with override(holder.get("language") or "en"):
            items += [
                _felt(one) | {"name": _free(items, f"svi_{one.name}")} for one in feelings.QUESTIONS
            ]
        return
    number = len(items) + 1
    if last in (*ADDED, "arms"):
        new = {"name": _free(items, f"{last[:-1]}_{number}")}
        two = {"levels": [{"name": "one"}, {"name": "two"}]} if last == "factors" else {}
        items.append(new | two)
        return
    item = {"type": what, "name": _free(items, f"question_{number}"), "ask": "…"}
    item |= NEW.get(what, {})
    if last == "ask":
        item |= NEW["check"] | ({"right": "…"} if what == "choice" else {})
    items.append(item)


def _felt(one: feelings.Question) -> Values:
    asked = {"ask": feelings.worded(one, say("the_other_side")), "required": False}
    if one.name == feelings.AGAIN:
        return asked | {"type": "choice", "options": [say("yes"), say("no")]}
    low, high = gettext(one.low), gettext(one.high)
    return asked | {"type": "likert", "points": feelings.POINTS[-1], "low": low, "high": high}


def _free(items: Sequence[Values], name: str) -> str:
    taken = {item.get("name") for item in items}
    return name if name not in taken else f"{name}_{len(items) + 1}b"


def every(form: Sequence[Field]) -> Iterator[Field]:
    """Return all fields of a form, those of its groups and lists too."""
    for one in form:
        yield one
        yield from every(one.fields)


def _fields(
    info: inspect.StructType,
    values: Mapping[str, Any],
    path: str,
    around: Around,
    names: Sequence[str] = (),
) -> Iterator[Field]:
    owner = info.cls.__name__
    for field in info.fields:
        if names and field.name not in names:
            continue
        if field.name == "after_games" and not path.startswith("between."):
            continue
        place = f"{path}.{field.name}" if path else field.name
        value = values.get(field.name, _default(field))
        label = said("labels", f"{owner}.{field.name}") or said("labels", field.name)
        hint = said("hints", f"{owner}.{field.name}") or said("hints", field.name)
        label = label or field.name
        yield _field(field.type, value, place, label, hint, around, may_lack=_may_lack(field))


def _may_lack(field: inspect.Field) -> bool:
    """Whether a field may be unset (types of unset values are not told among the others)."""
    defaults = (field.default, field.default_factory)
    return not field.required and defaults == (msgspec.NODEFAULT, msgspec.NODEFAULT)


def _default(field: inspect.Field) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return msgspec.to_builtins(field.default) if field.default is not msgspec.UNSET else None
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.to_builtins(field.default_factory())
    return None


def _field(
    kind: inspect.Type,
    value: Any,
    path: str,
    label: str,
    hint: str,
    around: Around,
    *,
    may_lack: bool,
) -> Field:
    def make(name: str, **more: Any) -> Field:
        problem = around.problems.get(path, "")
        rare = may_lack and value is None and not problem and path.rpartition(".")[2] not in COMMON
        return Field(name, path, label, hint, problem=problem, is_rare=rare, **more)

    kind, is_optional = _bare(kind)
    may_lack = may_lack or is_optional
    match kind:
        case inspect.StructType() if may_lack and value is None:
            return make("absent")
        case inspect.StructType():
            inner = tuple(_fields(kind, value or {}, path, around))
            return make("optional" if may_lack else "group", fields=inner)
        case inspect.VarTupleType(item_type=inspect.StructType() | inspect.UnionType()):
            return make("list", fields=tuple(_items(kind.item_type, value, path, around)))
        case inspect.VarTupleType(item_type=inspect.LiteralType(values=choices)):
            return make("ticks", picks=_picks(path, _in_order(path, choices), value or ()))
        case inspect.VarTupleType():
            is_short = _is_short(kind)
            text = value if isinstance(value, str) else None  # sent, and no such list
            text = text or (", " if is_short else "\n").join(str(one) for one in value or ())
            return make("line" if is_short else "lines", value=text)
        case inspect.BoolType() if not may_lack:
            return make("tick", value="yes" if value else "")
        case inspect.StrType(max_length=most) if (most or 0) > LONG:
            return make("text", value=value or "")
        case _ if picks := _choices(kind, value, path, around.cases, may_lack=may_lack):
            return make("select", picks=picks)
        case _:
            return make("line", value="" if value is None else _number_text(value))


def _choices(
    kind: inspect.Type, value: Any, path: str, cases: Mapping[str, Case], *, may_lack: bool
) -> tuple[Pick, ...]:
    """Return what can be chosen where one of several is; nothing for other fields."""
    name = path.rpartition(".")[2]
    if name in ("buyer", "seller"):
        return _policies(name, value)
    if name == "case":
        return _cases(value, cases)
    if isinstance(kind, inspect.BoolType):
        return _picks(path, ("", "yes", "no"), ({True: "yes", False: "no"}.get(value, ""),))
    if isinstance(kind, inspect.LiteralType):
        ordered = _in_order(path, kind.values)
        every = (*(("",) if may_lack and "" not in ordered else ()), *ordered)
        return _picks(path, every, ("" if value is None else value,))
    return ()


def _policies(side: str, value: Any) -> tuple[Pick, ...]:
    """Offer whoever can sit on a side."""
    sits: Side = "buyer" if side == "buyer" else "seller"
    known = [Pick("", said("choices", "unset"), not value)]
    known += [Pick(one.name, gettext(one.title), one.name == value) for one in policies(sits)]
    if value and not any(one.is_chosen for one in known):
        known.append(Pick(str(value), str(value), is_chosen=True))
    return tuple(known)


def _cases(value: Any, cases: Mapping[str, Case]) -> tuple[Pick, ...]:
    """Offer a sale, some cases, and what stands there: of a file, or an own one as it was."""
    told = {"": said("choices", "unset"), SALE: said("choices", "case.sale")}
    told |= {key: titled(key, case) for key, case in cases.items()}
    chosen = str(value or "")
    if isinstance(value, dict):
        chosen = msgspec.json.encode(value, order="sorted").decode()
        for key in (key for key in cases if key.startswith(OWN)):
            if msgspec.json.encode(cases[key], order="sorted").decode() == chosen:
                chosen = key
        kept = said("choices", "case.kept") % {"title": in_language(value["title"])}
        told.setdefault(chosen, kept)
    told.setdefault(chosen, chosen)
    return tuple(Pick(key, words, key == chosen) for key, words in told.items())


def _number_text(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _bare(kind: inspect.Type) -> tuple[inspect.Type, bool]:
    """Return a type without "or nothing", and whether nothing may stand for it."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    if not isinstance(kind, inspect.UnionType):
        return kind, False
    types = [_bare(one)[0] for one in kind.types if not isinstance(one, inspect.NoneType)]
    may_lack = len(types) < len(kind.types)
    return (types[0], may_lack) if len(types) == 1 else (kind, may_lack)


_ORDERS: dict[str, tuple[str, ...]] = {
    "keeps": get_args(Kept),
    "withdrawal": get_args(Deleted),
    "meeting": get_args(Meeting),
    "partners": get_args(Partners),
    "roles": get_args(Roles),
    "zone": get_args(Zone),
    "absence": get_args(Absence),
    "talk": get_args(Talk),
    "reveal": ("all", "at_debrief", "own", "price"),
    "rule": ("none", "share", "surplus"),
    "order": ("latin", "all", "listed"),
    "about": ("limit", "price", "deal"),
    "scoring": ("binarised", "quadratic"),
    "warmth": ("neutral", "warm", "cold"),
    "tongue": ("", "english", "hinglish", "hindi"),
}
"""Choices in the order in which they make sense; types tell them by the alphabet."""


def offered(name: str) -> list[tuple[str, str]]:
    """Return what a field of a plan can be, with its words."""
    values = ("", "en-in", "hi") if name == "language" else _ORDERS[name]
    return [(one, said("choices", f"{name}.{one}")) for one in values]


def _in_order(path: str, choices: Sequence[Any]) -> Sequence[Any]:
    return _ORDERS.get(path.rpartition(".")[2], choices)


def _picks(path: str, choices: Sequence[Any], chosen: Sequence[Any]) -> tuple[Pick, ...]:
    name = path.rpartition(".")[2]
    return tuple(
        Pick(
            str(one),
            said("choices", f"{name}.{one}") or said("choices", str(one) or "unset") or str(one),
            one in chosen,
        )
        for one in choices
    )


def _items(kind: inspect.Type, value: Any, path: str, around: Around) -> Iterator[Field]:
    for number, item in enumerate(value or ()):
        struct = _struct_for(kind, item)
        place = f"{path}.{number}"
        tag = str(struct.tag) if isinstance(struct.tag, str) else ""
        yield Field(
            "item",
            place,
            str(item.get("title") or item.get("ask") or item.get("name") or ""),
            value=tag,
            of=said("types", tag),
            problem=around.problems.get(place, ""),
            fields=tuple(_fields(struct, item, place, around)),
        )


def _struct_for(kind: inspect.Type, item: Mapping[str, Any]) -> inspect.StructType:
    structs = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    for one in structs:
        if isinstance(one, inspect.StructType) and item.get("type", one.tag) == one.tag:
            return one
    raise ValueError(item)


def _read_struct(
    info: inspect.StructType, posted: QueryDict, path: str, names: Sequence[str] = ()
) -> Values:
    found: Values = {}
    for field in info.fields:
        if names and field.name not in names:
            continue
        place = f"{path}.{field.name}" if path else field.name
        value = _read(field.type, posted, place, may_lack=_may_lack(field))
        if value is not _NOTHING:
            found[field.name] = value
    return found


_NOTHING = object()


def _read(kind: inspect.Type, posted: QueryDict, path: str, *, may_lack: bool) -> Any:
    kind, is_optional = _bare(kind)
    may_lack = may_lack or is_optional
    match kind:
        case inspect.StructType():
            is_absent = is_optional and f"has:{path}" not in posted
            return _NOTHING if is_absent else _read_struct(kind, posted, path)
        case inspect.VarTupleType(item_type=inspect.StructType() | inspect.UnionType()):
            return [
                _read_item(kind.item_type, posted, f"{path}.{number}")
                for number in range(_count(posted.get(f"n:{path}", "0")))
            ]
        case inspect.VarTupleType(item_type=inspect.LiteralType()):
            return posted.getlist(path)
        case inspect.VarTupleType():
            parts = re.split(r"[\n,]" if _is_short(kind) else r"\n", posted.get(path, ""))
            words = [" ".join(one.split()) for one in parts if one.strip()]
            if may_lack and not words:
                return _NOTHING
            return [_number(one) for one in words] if _is_numbers(kind) else words
        case inspect.BoolType() if may_lack:
            return {"yes": True, "no": False}.get(posted.get(path, ""), _NOTHING)
        case inspect.BoolType():
            return bool(posted.get(path))
        case _:
            return _read_text(kind, posted.get(path, ""), may_lack=may_lack)


def _read_item(kind: inspect.Type, posted: QueryDict, path: str) -> Values:
    tag = posted.get(f"{path}.type", "")
    struct = _struct_for(kind, {"type": tag} if tag else {})
    return ({"type": tag} if tag else {}) | _read_struct(struct, posted, path)


def _read_text(kind: inspect.Type, text: str, *, may_lack: bool) -> Any:
    text = text.replace("\r\n", "\n").strip()
    is_number = isinstance(kind, inspect.IntType | inspect.FloatType)
    if not text and (may_lack or is_number):
        return _NOTHING
    if isinstance(kind, inspect.UnionType) and text.startswith("{"):
        return msgspec.json.decode(text)  # a case of one's own
    return _number(text) if is_number else text


LARGEST = 1e15
MOST_ITEMS = 100
"""Of a list in a form."""


def _number(text: str) -> int | float | str:
    """Read a number; a text that is none stays one, and is complained about by its path."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return text
    if not abs(value) <= LARGEST:  # what is no number is not, either
        return text
    return int(value) if value.is_integer() else value


def _is_numbers(kind: inspect.VarTupleType) -> bool:
    return isinstance(kind.item_type, inspect.IntType)


def _is_short(kind: inspect.VarTupleType) -> bool:
    """Whether items are names or numbers, which commas may part."""
    item = _bare(kind.item_type)[0]
    return _is_numbers(kind) or (isinstance(item, inspect.StrType) and (item.max_length or 0) <= 40)


def _count(text: str) -> int:
    return min(int(text[:9]), MOST_ITEMS) if text.isdecimal() else 0
