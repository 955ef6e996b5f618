"""A case as a form: what stands in the fields, and the case or the faults that come of it.

A draft is what a page holds between two presses: plain dicts and lists of texts, named as in a
case's file. Only the points of a number differ: at both ends, and what lies between them in words.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from django.utils.translation import gettext

from bazaarbatna.cases.case import ROLES, Case, CaseError, Fault, Number, from_values
from bazaarbatna.marking import gettext_noop
from negotiation.sentences import sentences

say = sentences(__file__)

Draft = dict[str, Any]

LANGUAGES = {"en": "English", "hi": "हिन्दी"}
CURRENCIES = ("INR", "USD", "EUR", "GBP")
MOST_ISSUES, MOST_OPTIONS = 8, 8
MOST_POINTS, MOST_NUMBER = 1_000_000, 999_999_999
_KEY = re.compile(r"[a-z][a-z0-9_]{0,23}")
_BEND = re.compile(r"\s*([-−₹$€£]*[\d,.]+)\s*=\s*([-−]?[\d,.]+)\s*")
_PLAIN = re.compile(r"-?(\d{1,9}|\d{1,3}(,\d{2,3})*,\d{3})(\.\d{1,6})?")
"""A number as people write it; what a comma parts from fewer than three digits is a fraction."""


def new_issue(kind: str) -> Draft:
    """Return an issue that nothing is filled in of."""
    if kind == "choice":
        return {"kind": kind, "options": [{"a": "0", "b": "10"}, {"a": "10", "b": "0"}]}
    ends = {"a_low": "0", "a_high": "50", "b_low": "50", "b_high": "0"}
    return {"kind": kind, "low": "0", "high": "10", "step": "1", **ends}


def draft_of(case: Case) -> Draft:
    """Return what stands in the form of a case."""
    draft: Draft = msgspec.json.decode(msgspec.json.encode(case))
    for told, issue in zip(draft["issues"], case.issues, strict=True):
        for role in ROLES if isinstance(issue, Number) else ():
            (_, low), *bends, (_, high) = told.pop(role)
            told[f"{role}_low"], told[f"{role}_high"] = f"{low:g}", f"{high:g}"
            told[f"{role}_bends"] = ", ".join(f"{at:g} = {points:g}" for at, points in bends)
        for option in told.get("options", ()):
            words = option.get("words", {})
            option["words"] = {one: ", ".join(said) for one, said in words.items()}
            option |= {role: f"{option[role]:g}" for role in ROLES}
    for role in ROLES:
        draft[role]["outside"] = f"{draft[role]['outside']:g}"
    return draft


def draft_from(sent: Mapping[str, str]) -> Draft:
    """Return what stands in a form that came back: ``issues.0.label.en`` names a field."""
    tree: Draft = {}
    for name, raw in sent.items():
        *path, last = name.split(".")
        value = raw.replace("\r\n", "\n")  # a browser counts a line's end as one letter
        if len(path) > 5:
            continue
        at = tree
        for part in path:
            inner = at.setdefault(part, {})
            at = inner if isinstance(inner, dict) else {}
        at[last] = value
    tree["languages"] = [one for one in LANGUAGES if f"languages.{one}" in sent]
    tree |= {role: one if isinstance(one := tree.get(role), dict) else {} for role in ROLES}
    tree["issues"] = _listed(tree.get("issues"))[: MOST_ISSUES + 1]
    for issue in tree["issues"]:
        options = issue.pop("options", None)
        if issue.get("kind") == "choice":
            issue["options"] = _listed(options)[: MOST_OPTIONS + 1]
    return tree


def change(draft: Draft, verb: str) -> None:
    """Add, move or take away an issue or an option: ``add:choice``, ``up:1``, ``drop:0:2``."""
    what, *rest = verb.split(":")
    issues: list[Draft] = draft["issues"]
    if what == "add" and rest in (["number"], ["choice"]) and len(issues) < MOST_ISSUES:
        issues.append(new_issue(rest[0]))
        return
    places = [int(one) for one in rest if one.isdecimal() and len(one) < 3]
    if len(places) != len(rest) or not places or places[0] >= len(issues):
        return
    at, options = places[0], issues[places[0]].get("options", [])
    if what == "option" and 0 < len(options) < MOST_OPTIONS:
        options.append({})
    elif what == "up" and at:
        issues[at - 1 : at + 1] = issues[at], issues[at - 1]
    elif what == "drop" and len(places) == 1:
        del issues[at]
    elif what == "drop" and places[1] < len(options):
        del options[places[1]]


def case_from(draft: Draft) -> Case:
    """Make the case of a draft, or raise CaseError with everything that is wrong with it."""
    reader = _Reader()
    told = reader.case(draft)
    if reader.faults:
        raise CaseError(reader.faults)
    return from_values(told)


def said(draft: Draft, fault: Fault) -> str:
    """Say a fault in the reader's language, with its place as the form names it."""
    figures = dict(fault.figures)
    if "missing" in figures:
        figures["missing"] = ", ".join(
            LANGUAGES.get(one, one) for one in figures["missing"].split(", ")
        )
    words = gettext(fault.words) % figures
    place = _place(draft, fault.place)
    return f"{place}: {words}" if place else words


def with_paths(draft: Draft) -> Draft:
    """Return a draft whose issues and options know what their fields are called."""
    issues = []
    for at, issue in enumerate(draft["issues"]):
        path = f"issues.{at}"
        options = [
            {**one, "path": f"{path}.options.{number}"}
            for number, one in enumerate(issue.get("options", ()))
        ]
        issues.append({**issue, "path": path, "options": options})
    return {**draft, "issues": issues}


class _Reader:
    """Reads fields and gathers what is wrong with them."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.languages: list[str] = []

    def case(self, draft: Draft) -> Draft:
        """Return a case as its file has it."""
        texts = {name: _text(draft, name) for name in ("title", "lede", "facts", "guide")}
        taken: set[str] = set()
        self.languages = draft["languages"]
        found = [
            self.issue(f"issues.{at}", issue, taken) for at, issue in enumerate(draft["issues"])
        ]
        self.apart("issues", found)
        if not 0 < len(found) <= MOST_ISSUES:
            self.wrong("issues", gettext_noop("from one to eight things to settle"))
        currency = str(draft.get("currency", "")).strip().upper()
        if not re.fullmatch("[A-Z]{3}", currency):
            self.wrong("currency", gettext_noop("three letters, such as INR or EUR"))
        rounds = self.whole("rounds", draft.get("rounds"))
        if not 2 <= rounds <= 40:
            self.wrong("rounds", gettext_noop("between 2 and 40 moves for each side"))
        key = str(draft.get("id", ""))
        return {
            **{
                name: text
                for name, text in texts.items()
                if name != "guide" or any(map(str.strip, text.values()))
            },
            "id": key if _KEY.fullmatch(key) else _slug(texts["title"], "case"),
            "languages": draft["languages"],
            "currency": currency,
            "limits": "soft" if draft.get("limits") == "soft" else "hard",
            "reveal": _one_of(draft, "reveal", ("all", "own", "price", "at_debrief")),
            "rounds": rounds,
            "begins": _one_of(draft, "begins", ("either", "a", "b")),
            **{role: self.side(role, draft[role]) for role in ROLES},
            "issues": found,
        }

    def side(self, role: str, told: Draft) -> Draft:
        """Return a role."""
        outside = self.number(f"{role}.outside", told.get("outside"))
        return {"name": _text(told, "name"), "sheet": _text(told, "sheet"), "outside": outside}

    def issue(self, place: str, told: Draft, taken: set[str]) -> Draft:
        """Return an issue."""
        label = _text(told, "label")
        found: Draft = {"key": _key(told, label, "issue", taken), "label": label}
        if told.get("kind") == "choice":
            options = told["options"]
            if not 2 <= len(options) <= MOST_OPTIONS:
                self.wrong(place, gettext_noop("between two and eight options"))
            keys: set[str] = set()
            named = [self.option(f"{place}.options.{at}", o, keys) for at, o in enumerate(options)]
            self.apart(place, named)
            return {**found, "kind": "choice", "options": named}
        low, high, step = (self.whole(f"{place}.{name}", told.get(name)) for name in _RANGE)
        if step < 1:
            self.wrong(place, gettext_noop("the step is 1 or more"))
        found |= {"kind": "number", "low": low, "high": high, "step": step}
        found |= {"unit": unit} if any((unit := _text(told, "unit")).values()) else {}
        found |= {"money": True} if told.get("money") else {}
        return found | {role: self.knots(place, role, told, (low, high)) for role in ROLES}

    def option(self, place: str, told: Draft, taken: set[str]) -> Draft:
        """Return an option."""
        label = _text(told, "label")
        words = {
            one: [said.strip() for said in text.split(",") if said.strip()]
            for one, text in _text(told, "words").items()
        }
        found: Draft = {"key": _key(told, label, "option", taken), "label": label}
        for role in ROLES:
            found[role] = self.number(f"{place}.{role}", told.get(role))
        return found | ({"words": words} if any(words.values()) else {})

    def knots(self, place: str, role: str, told: Draft, ends: tuple[int, int]) -> list[Any]:
        """Return a role's points of a number: those of both ends and those between."""
        low, high = (self.number(place, told.get(f"{role}_{end}")) for end in ("low", "high"))
        bends = []
        for bend in filter(str.strip, re.split(r"[,;]\s+|\n", str(told.get(f"{role}_bends", "")))):
            if read := _BEND.fullmatch(bend):
                bends.append(
                    [self.number(place, read[1], MOST_NUMBER), self.number(place, read[2])]
                )
            else:
                words = gettext_noop("write points between as “45000 = 32”, with commas between")
                self.wrong(place, words)
        return [[ends[0], low], *bends, [ends[1], high]]

    def number(self, place: str, text: object, most: int = MOST_POINTS) -> float:
        """Return a number; where it is none, or too large, that is a fault."""
        plain = re.sub(r"[\s₹$€£]", "", str("" if text is None else text)).replace("−", "-")
        found = float(plain.replace(",", "")) if _PLAIN.fullmatch(plain) else math.inf
        if abs(found) <= most:
            return found
        words = gettext_noop("“%(text)s” is no number such as 1200 or 33.5, at most %(most)s")
        self.wrong(place, words, text=str(text or "")[:20], most=f"{most:,}")
        return 0.0

    def whole(self, place: str, text: object) -> int:
        """Return a whole number."""
        before = len(self.faults)
        number = self.number(place, text, MOST_NUMBER)
        if not number.is_integer():
            self.wrong(place, gettext_noop("a whole number is needed"))
        return int(number) if len(self.faults) == before else 1

    def apart(self, place: str, rows: list[Draft]) -> None:
        """Refuse two of the same name: nobody at the table could tell which is which."""
        for one in self.languages:
            names = [name for row in rows if (name := row["label"].get(one, "").strip())]
            for name in sorted({name for name in names if names.count(name) > 1}):
                self.wrong(place, gettext_noop("two are called “%(name)s”"), name=name[:40])

    def wrong(self, place: str, words: str, **figures: str) -> None:
        """Note a fault, the same one once."""
        if (fault := Fault(place, words, figures)) not in self.faults:
            self.faults.append(fault)


_RANGE = ("low", "high", "step")


def _listed(told: object) -> list[Draft]:
    if not isinstance(told, dict):
        return []
    rows = sorted((int(at), row) for at, row in told.items() if at.isdecimal() and len(at) < 4)
    return [row for _, row in rows if isinstance(row, dict)]


def _text(told: Draft, name: str) -> dict[str, str]:
    text = told.get(name)
    found = text if isinstance(text, dict) else {}
    return {one: str(found[one]) for one in LANGUAGES if isinstance(found.get(one), str)}


def _one_of(draft: Draft, name: str, choices: tuple[str, ...]) -> str:
    value = draft.get(name)
    return value if value in choices else choices[0]


def _slug(text: Mapping[str, str], other: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "_", next(iter(text.values()), "").lower()).strip("_")
    return plain[:20].strip("_") if _KEY.match(plain) else other


def _key(told: Draft, label: Mapping[str, str], other: str, taken: set[str]) -> str:
    """Return the key that something has had, or one after its label: no two have the same."""
    had = str(told.get("key", ""))
    wanted = had if _KEY.fullmatch(had) else _slug(label, other)
    key = next(one for one in _numbered(wanted) if one not in taken)
    taken.add(key)
    told["made"] = key  # a fault names its place by it
    return key


def _numbered(word: str) -> Iterator[str]:
    yield word
    for number in range(2, 99):
        yield f"{word[:21]}{number}"


_NAMES = say.texts("names")
"""What the fields of a form are called, by the names of a file."""


def _place(draft: Draft, place: str) -> str:
    """Name a place of a case, or of a draft, as the form does."""
    parts, said = place.split("."), []
    if parts[0] == "issues" and len(parts) > 1:
        find = _finder(draft["issues"])
        issue, name = find(parts[1])
        said.append(name)
        rest = parts[2:]
        if rest and rest[0] == "options":
            rest = rest[1:]
        for part in rest:
            option, name = _finder(issue.get("options", []))(part)
            said.append(name if option else gettext(_NAMES[part]) if part in _NAMES else "")
    else:
        said = [gettext(_NAMES[part]) if part in _NAMES else "" for part in parts]
    return ", ".join(filter(None, said))


def _finder(rows: list[Draft]) -> Callable[[str], tuple[Draft, str]]:
    """Return what finds a row by its number or key, with what it is called."""

    def find(part: str) -> tuple[Draft, str]:
        for at, row in enumerate(rows):
            label = next(filter(None, _text(row, "label").values()), "")
            made = row.get("made") or _slug(_text(row, "label"), "")
            if part in (str(at), row.get("key"), made):
                return row, label or str(at + 1)
        return {}, ""

    return find
