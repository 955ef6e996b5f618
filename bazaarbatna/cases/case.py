"""A case: two roles, their private sheets and points, and the issues that a deal settles.

A case is one TOML file. Points add up over issues; what a role has without a deal is its outside
offer, in the same points.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

import msgspec

from bazaarbatna.marking import gettext_noop

Role = Literal["a", "b"]
ROLES: tuple[Role, Role] = ("a", "b")

Text = dict[str, str]
"""Words by language: ``{"en": "Price", "hi": "दाम"}``."""

Value = int | str
"""What an issue is settled at: a number on its grid, or the key of an option."""

Package = dict[str, Value]
"""Values by the keys of issues; one that names every issue is whole."""

Key = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]{0,23}$")]
Points = Annotated[float, msgspec.Meta(ge=-1_000_000, le=1_000_000)]
Knots = tuple[tuple[float, Points], ...]
"""Values and their points, the values rising; straight lines between them."""

LIBRARY = Path(__file__).parent / "library"
"""Each file is named as the case in it."""

MOST_PACKAGES = 250_000
MOST_VALUES = 400


class Fault(msgspec.Struct, frozen=True):
    """Something wrong at a place; ``words``, filled with ``figures``, say what would be right."""

    place: str
    words: str
    figures: dict[str, Any] = {}

    def __str__(self) -> str:
        return f"{self.place}: {self.words % self.figures}".removeprefix(": ")


class CaseError(ValueError):
    """A case cannot be played; ``faults`` says why."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, faults)))


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to settle an issue; ``words`` are others that people use for it, by language."""

    key: Key
    label: Text
    a: Points
    b: Points
    words: dict[str, tuple[str, ...]] = {}


class Number(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="number"
):
    """An issue that is settled at a whole number; ``money``: in the case's currency."""

    key: Key
    label: Text
    low: int
    high: int
    step: Annotated[int, msgspec.Meta(ge=1)]
    a: Knots
    b: Knots
    unit: Text = {}
    money: bool = False

    @property
    def count(self) -> int:
        """How many values there are."""
        return (self.high - self.low) // self.step + 1

    @property
    def values(self) -> tuple[int, ...]:
        """The numbers that can be agreed on."""
        return tuple(range(self.low, self.high + 1, self.step))

    def points(self, role: str) -> tuple[float, ...]:
        """Return a role's points of every value, in their order."""
        knots = self.a if role == "a" else self.b
        return tuple(round(_between(knots, value), 2) for value in self.values)


class Choice(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="choice"
):
    """An issue that is settled by one of two to eight options."""

    key: Key
    label: Text
    options: Annotated[tuple[Option, ...], msgspec.Meta(min_length=2, max_length=8)]

    @property
    def values(self) -> tuple[str, ...]:
        """The keys of the options."""
        return tuple(option.key for option in self.options)

    def points(self, role: str) -> tuple[float, ...]:
        """Return a role's points of every option, in their order."""
        return tuple(option.a if role == "a" else option.b for option in self.options)


Issue = Number | Choice


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A role: its name, what only it reads (Markdown), and its points without a deal."""

    name: Text
    sheet: Text
    outside: Points


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case as its file has it; the texts are Markdown.

    ``limits``: whether a role may agree to less than its outside offer. ``reveal`` says what the
    end of a game tells: the own points, the deal alone (``price``), or everything; with
    ``at_debrief`` no more than the own until a debrief. ``rounds``: moves that each side has.
    """

    id: Key
    title: Text
    lede: Text
    facts: Text
    a: Side
    b: Side
    issues: Annotated[tuple[Issue, ...], msgspec.Meta(min_length=1, max_length=8)]
    guide: Text = {}
    languages: tuple[str, ...] = ("en",)
    currency: Annotated[str, msgspec.Meta(pattern="^[A-Z]{3}$")] = "INR"
    limits: Literal["hard", "soft"] = "hard"
    reveal: Literal["own", "price", "all", "at_debrief"] = "all"
    rounds: Annotated[int, msgspec.Meta(ge=2, le=40)] = 10
    begins: Literal["a", "b", "either"] = "either"

    def __post_init__(self) -> None:
        """Refuse what cannot be played, wherever it comes from: a file may ask for any grid."""
        if faults := [*_faults(self)]:
            raise CaseError(faults)

    def side(self, role: str) -> Side:
        """Return a role's half of the case."""
        return self.a if role == "a" else self.b

    def is_whole(self, package: Package) -> bool:
        """Whether a package settles every issue."""
        return len(package) == len(self.issues)

    def points(self, role: str, package: Package) -> float:
        """Return a role's points of what a package settles."""
        return round(
            sum(
                issue.points(role)[issue.values.index(package[issue.key])]
                for issue in self.issues
                if issue.key in package
            ),
            2,
        )


def other(role: str) -> Role:
    """Return the role opposite."""
    return "b" if role == "a" else "a"


def from_toml(text: str) -> Case:
    """Read a case, or raise CaseError with everything that is wrong with it."""
    try:
        return from_values(msgspec.toml.decode(text))
    except msgspec.DecodeError as wrong:
        raise CaseError([_fault("", "%(why)s", why=wrong)]) from wrong


def from_values(told: object) -> Case:
    """Make a case of plain values, as a file has them; raises as ``from_toml``."""
    try:
        return msgspec.convert(told, Case)
    except msgspec.ValidationError as wrong:  # it names the place
        if isinstance(own := wrong.__cause__, CaseError):
            raise own from wrong
        raise CaseError([_fault("", "%(why)s", why=wrong)]) from wrong


@cache
def in_library() -> Mapping[str, Case]:
    """Return the cases that come with the library, by id."""
    names = sorted(file.stem for file in LIBRARY.glob("*.toml"))
    return {name: from_toml(file_of(name)) for name in names}


def of_seed(seed: int) -> Case:
    """Return the case of the library that a seed names."""
    cases = in_library()
    return cases[Random(f"{seed}/case").choice(sorted(cases))]


def file_of(name: str) -> str:
    """Return the file of a case of the library, by its id."""
    return (LIBRARY / f"{name}.toml").read_text(encoding="utf-8")


def _between(knots: Knots, value: float) -> float:
    for (left, low), (right, high) in pairwise(knots):
        if value <= right:
            return low + (high - low) * (value - left) / (right - left)
    return knots[-1][1]


def _faults(case: Case) -> Iterator[Fault]:
    if not case.languages:
        yield _fault("languages", gettext_noop("name at least one language"))
    for place, text in _texts(case):
        missing = ", ".join(one for one in case.languages if not text.get(one, "").strip())
        if missing and text:
            yield _fault(place, gettext_noop("no words in %(missing)s"), missing=missing)
    yield from _twice("issues", [issue.key for issue in case.issues])
    for issue in case.issues:
        place = f"issues.{issue.key}"
        if isinstance(issue, Number):
            yield from _number_faults(place, issue)
        else:
            yield from _twice(place, issue.values)
    count = math.prod(_count(issue) for issue in case.issues)
    if count > MOST_PACKAGES:
        words = gettext_noop(
            "%(count)s packages, at most %(most)s; make a step coarser, or leave out an option"
        )
        yield _fault("issues", words, count=f"{count:,}", most=f"{MOST_PACKAGES:,}")


def _fault(place: str, words: str, **figures: Any) -> Fault:
    return Fault(place, words, figures)


def _twice(place: str, keys: Sequence[str]) -> Iterator[Fault]:
    for key in sorted({one for one in keys if keys.count(one) > 1}):
        yield _fault(place, gettext_noop("two have the key %(key)s; each stands once"), key=key)


def _texts(case: Case) -> Iterator[tuple[str, Text]]:
    for name in ("title", "lede", "facts"):
        yield name, getattr(case, name) or {"": ""}
    yield "guide", case.guide
    for role in ROLES:
        yield f"{role}.name", case.side(role).name or {"": ""}
        yield f"{role}.sheet", case.side(role).sheet or {"": ""}
    for issue in case.issues:
        yield f"issues.{issue.key}.label", issue.label or {"": ""}
        for option in issue.options if isinstance(issue, Choice) else ():
            yield f"issues.{issue.key}.{option.key}.label", option.label or {"": ""}


def _number_faults(place: str, issue: Number) -> Iterator[Fault]:
    low, high, count = issue.low, issue.high, issue.count
    if low >= high:
        yield _fault(place, gettext_noop("%(low)s is not below %(high)s"), low=low, high=high)
        return
    if (high - low) % issue.step:
        words = gettext_noop("steps of %(step)s from %(low)s do not reach %(high)s")
        yield _fault(place, words, step=issue.step, low=low, high=high)
    elif count > MOST_VALUES:
        words = gettext_noop("%(count)s values, at most %(most)s; make the step coarser")
        yield _fault(place, words, count=f"{count:,}", most=MOST_VALUES)
    for knots in (issue.a, issue.b):
        at = [value for value, _ in knots]
        if len(at) < 2 or at != sorted(set(at)) or (at[0], at[-1]) != (low, high):
            words = gettext_noop("points are given at values that rise from %(low)s to %(high)s")
            yield _fault(place, words, low=low, high=high)


def _count(issue: Issue) -> int:
    return min(issue.count, MOST_VALUES) if isinstance(issue, Number) else len(issue.options)
