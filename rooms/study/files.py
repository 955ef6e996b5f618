"""A design as a file: read from TOML or JSON with the line of every fault, written as TOML."""

import functools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from negotiation.handwritten import MARK, Unreadable, read_json, read_toml
from negotiation.sentences import sentences
from rooms.study.design import Design
from rooms.study.faults import Fault, faults

say = sentences(__file__)

MOST_BYTES = 200_000
"""Of a design, also of one that forms have made: what is taken home can be brought back. That is
forty times what the ready-made ones have, ten texts as long as one may be, three in Hindi."""

MOST_FAULTS = 50
"""That are told at once; the others when these are mended."""


class BadDesign(ValueError):
    """A design cannot be used as it is written."""

    def __init__(self, found: Sequence[Fault]) -> None:
        super().__init__("; ".join(f"{one.path}: {one.words}" for one in found))
        self.faults = tuple(found)


def from_file(text: str) -> Design:
    """Read a design from TOML, or from JSON where the text begins with a brace.

    Raises:
        BadDesign: it is no TOML or JSON, has an unknown field, or does not fit together.
    """
    text = text.removeprefix(MARK)
    is_json = text.lstrip().startswith("{")
    try:
        values = read_json(text) if is_json else read_toml(text)
    except Unreadable as wrong:
        raise BadDesign([Fault("", wrong.words, wrong.line)]) from None
    if is_json:
        return from_values(values)
    try:
        return from_values(values)
    except BadDesign as bad:
        lines = lines_of(text)
        raise BadDesign(
            [msgspec.structs.replace(one, line=_line(one.path, lines)) for one in bad.faults]
        ) from None


def from_values(values: object) -> Design:
    """Read a design from what a file or a form holds, or raise BadDesign."""
    try:
        design = msgspec.convert(values, Design)
    except msgspec.ValidationError as error:
        raise BadDesign([_explained(str(error))]) from None
    if found := faults(design):
        raise BadDesign(found[:MOST_FAULTS])
    if len(to_json(design).encode()) > MOST_BYTES:
        raise BadDesign([Fault("", too_long())])
    return design


READY = ("chat", "told", "trained", "within")
"""Ready-made studies, each a file."""


def ready_text(key: str) -> str:
    """Return the file of a ready-made study."""
    return Path(__file__).with_name("ready").joinpath(f"{key}.toml").read_text(encoding="utf-8")


@functools.cache
def ready_studies() -> dict[str, Design]:
    """Return the ready-made studies by key."""
    return {key: from_file(ready_text(key)) for key in READY}


def to_json(design: Design) -> str:
    """Write a design as JSON that can be read back."""
    return msgspec.json.format(msgspec.json.encode(design), indent=2).decode() + "\n"


def to_toml(design: Design) -> str:
    """Write a design as TOML that can be read back."""
    values = _without_none(msgspec.to_builtins(design))
    return tomli_w.dumps(values, multiline_strings=True)


def too_long() -> str:
    """Say that a file is too long."""
    return say("a_design_has_at_most_most", most=MOST_BYTES // 1000)


def not_utf8() -> str:
    """Say that a file is no text."""
    return say("this_file_is_no_text_in")


def dotted(path: str) -> str:
    """Return a path as the names of form fields have it: ``arms[0].name`` as ``arms.0.name``."""
    return path.replace("[", ".").replace("]", "")


_MOST_OF_A_REASON = 300
_KINDS: tuple[tuple[str, str], ...] = (
    (r"unknown field `(?P<what>.*)`", "unknown"),
    (r"missing required field `(?P<what>.*)`", "missing"),
    (r"Invalid enum value '?(?P<what>.*?)'?$", "choice"),
    (r"Invalid value '?(?P<what>.*?)'?$", "kind"),
    (r"matching regex", "letters"),
    (r"length (?P<what>.*)$", "length"),
    (r"Expected `[^`]*` (?P<what>[<>]=? .*)$", "range"),
    (r"Expected `(?P<what>[^`]*)`, got `.*`$", "type"),
)


def _explained(error: str) -> Fault:
    # It repeats what stands in the file, however long that is: the last place is its own.
    words, is_at, path = error.rpartition(" - at `$")
    words = (words if is_at else error)[:_MOST_OF_A_REASON]
    path = path.strip("`.") if is_at else ""
    for pattern, kind in _KINDS:
        if hit := re.search(pattern, words):
            what = hit.groupdict().get("what") or ""
            if kind in ("unknown", "missing"):
                path = f"{path}.{what}" if path else what
            return Fault(path, _said(kind, what))
    return Fault(path, words)


def _said(kind: str, what: str) -> str:
    sentences = {
        "unknown": say("a_design_has_no_field_of"),
        "missing": say("this_must_be_filled_in"),
        "choice": say("what_is_none_of_the_choices", what=what),
        "kind": say("there_is_no_question_of_the", what=what),
        "letters": say("these_letters_cannot_stand_here_a"),
        "length": say("its_length_must_be_what", what=_bound(what)),
        "range": say("it_must_be_what", what=_bound(what)),
        "type": say("this_is_of_the_wrong_kind", what=_kind(what)),
    }
    return sentences[kind]


def _bound(what: str) -> str:
    sign, _space, number = what.partition(" ")
    words = {">=": say("number_or_more"), "<=": say("number_or_less")}
    return words[sign] % {"number": number} if sign in words else what


def _kind(what: str) -> str:
    kinds = say.lazies("kinds")
    return " / ".join(str(kinds.get(one.strip(), one.strip())) for one in what.split("|"))


_HEAD = re.compile(r'[\w.\-" ]+')
_KEY = re.compile(r'(?P<name>[\w.\-"]+)\s*=\s*(?P<rest>.*)')


def lines_of(text: str) -> dict[str, int]:
    r"""Return on which line of a TOML text the field of each path stands.

    >>> lines_of('title = "x"\n[[arms]]\nname = "a"')["arms[0].name"]
    3
    """
    counts: dict[str, int] = {}
    places: dict[str, int] = {}
    table, closing = "", ""
    for number, whole in enumerate(text.splitlines(), start=1):
        line = whole.strip()
        if closing:
            closing = "" if closing in line else closing
        elif head := _header(line):
            table = _named(head, counts, many=line.startswith("[["))
            places.setdefault(table, number)
        elif key := _KEY.match(line):
            name = key["name"].replace('"', "")
            places.setdefault(f"{table}.{name}" if table else name, number)
            for mark in ('"""', "'''"):
                if key["rest"].count(mark) == 1:
                    closing = mark
    return places


def _header(line: str) -> str:
    name = line.partition("#")[0].rstrip()
    if not (name.startswith("[") and name.endswith("]")):
        return ""
    inner = name[2:-2] if name.startswith("[[") else name[1:-1]
    return inner if _HEAD.fullmatch(inner) else ""


def _named(name: str, counts: dict[str, int], *, many: bool) -> str:
    parts = [part.strip(' "') for part in name.split(".")]
    path = ""
    for place, part in enumerate(parts):
        path = f"{path}.{part}" if path else part
        if many and place == len(parts) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = f"{path}[{counts[path]}]"
    return path


def _line(path: str, lines: Mapping[str, int]) -> int:
    """Return the line of a field, or of the nearest thing that holds it."""
    while path:
        if path in lines:
            return lines[path]
        path = path.rpartition(".")[0] if path.endswith("]") is False else path.rpartition("[")[0]
    return 0


def _without_none(values: Any) -> Any:
    if isinstance(values, Mapping):
        return {key: _without_none(one) for key, one in values.items() if one is not None}
    return [_without_none(one) for one in values] if isinstance(values, list | tuple) else values
