"""The rules of a case: offers of packages in turn, until one is accepted or somebody leaves."""

from random import Random
from typing import Any, Literal

import msgspec

from bazaarbatna.bargain.errors import GameOver, IllegalMove, NotYourTurn
from bazaarbatna.cases.case import ROLES, Case, Choice, Issue, Package, Role, Text, Value, other
from bazaarbatna.cases.packages import grid_of
from bazaarbatna.marking import gettext_noop

LONGEST_WORDS = 500

SIGNS = {"INR": "₹", "USD": "$", "EUR": "€", "GBP": "£"}


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move; ``package`` goes with an offer and may leave issues open, ``text`` with anything."""

    action: Literal["offer", "accept", "walk", "say"]
    package: Package = {}
    text: str = ""


class Opened(msgspec.Struct, frozen=True, tag_field="kind", tag="opened"):
    """Both sit down."""

    case: Case
    begins: Role


class Offered(msgspec.Struct, frozen=True, tag_field="kind", tag="offered"):
    """A package lies on the table, in place of the one that this side laid there before.

    ``who`` and ``terms`` are the role and the package in words, so that a log can be read alone.
    """

    seat: str
    package: Package
    who: Text
    terms: Text
    text: str = ""


class Said(msgspec.Struct, frozen=True, tag_field="kind", tag="said"):
    """Words without a package: they take a turn."""

    seat: str
    who: Text
    text: str


class Spoke(Said, frozen=True, tag_field="kind", tag="spoke"):
    """Words that take no turn, where both may speak at any time."""


class Accepted(msgspec.Struct, frozen=True, tag_field="kind", tag="accepted"):
    """The other side's whole package is agreed to."""

    seat: str
    who: Text
    text: str = ""


class Walked(msgspec.Struct, frozen=True, tag_field="kind", tag="walked"):
    """A side leaves; both have their outside offers."""

    seat: str
    who: Text
    text: str = ""


class Ended(msgspec.Struct, frozen=True, tag_field="kind", tag="ended"):
    """It is over; ``points`` are what each role has, ``package`` the deal if there is one."""

    outcome: Literal["deal", "walk", "deadline"]
    package: Package
    points: dict[str, float]
    reveal: str


Event = Opened | Offered | Said | Spoke | Accepted | Walked | Ended


class State(msgspec.Struct, frozen=True):
    """A position: ``standing`` is each role's last package, ``moves`` those of both so far.

    With ``talks_freely`` words take no turn. ``house`` names who plays for nobody, ``said`` has all
    words with their seats.
    """

    case: Case
    turn: str
    moves: int = 0
    standing: dict[str, Package] = {}
    history: tuple[Offered, ...] = ()
    ended: Ended | None = None
    talks_freely: bool = False
    house: str = ""
    said: tuple[tuple[str, str], ...] = ()

    @property
    def left(self) -> int:
        """Moves that are left to both."""
        return 2 * self.case.rounds - self.moves


def start(case: Case, seed: int) -> tuple[State, tuple[Event, ...]]:
    """Return the first position; the seed draws who begins where the case leaves it open."""
    drawn = Random(f"{seed}/begins").choice(ROLES)
    begins: Role = drawn if case.begins == "either" else case.begins
    return State(case, begins), (Opened(case, begins),)


def why_not(state: State, seat: str, move: Move) -> str:
    """Return the rule that a move would break, in words for its mover; "" if none."""
    if len(move.text) > LONGEST_WORDS:
        return gettext_noop("Say it in at most 500 letters.")
    if move.action == "offer":
        return _why_no_offer(state.case, seat, move.package)
    if move.package:
        return gettext_noop("Only an offer has a package.")
    if move.action == "say" and not move.text.strip():
        return gettext_noop("There are no words in that.")
    if move.action == "accept":
        standing = state.standing.get(other(seat))
        if standing is None or not state.case.is_whole(standing):
            return gettext_noop("Only a whole package can be accepted.")
        return _why_too_little(state.case, seat, standing)
    return ""


def apply(state: State, seat: str, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the position after a move and what happened, or raise IllegalMove."""
    if state.ended is not None:
        raise GameOver(gettext_noop("The game is over."))
    is_aside = state.talks_freely and move.action == "say"
    if seat != state.turn and not is_aside:
        raise NotYourTurn(gettext_noop("It is not your turn."))
    if wrong := why_not(state, seat, move):
        raise IllegalMove(wrong)
    if move.text.strip():
        said = (*state.said, (seat, move.text.strip()))
        state = msgspec.structs.replace(state, said=said)
    if is_aside:
        return state, (Spoke(seat, state.case.side(seat).name, move.text.strip()),)
    after = msgspec.structs.replace(state, turn=other(seat), moves=state.moves + 1)
    event = _event(state.case, seat, move)
    if isinstance(event, Offered):
        standing = {**state.standing, seat: event.package}
        history = (*state.history, event)
        after = msgspec.structs.replace(after, standing=standing, history=history)
    if (ended := _ended(after, event)) is None:
        return after, (event,)
    return msgspec.structs.replace(after, ended=ended), (event, ended)


def move_of(event: Event) -> tuple[str, Move] | None:
    """Return the seat and the move that an event tells of, None for everything else."""
    match event:
        case Offered():
            return event.seat, Move("offer", event.package, event.text)
        case Said():
            return event.seat, Move("say", text=event.text)
        case Accepted():
            return event.seat, Move("accept", text=event.text)
        case Walked():
            return event.seat, Move("walk", text=event.text)
        case _:
            return None


def shown(event: Event, seat: str, *, is_over: bool) -> dict[str, Any]:
    """Return an event as a seat, or "" who looks on, sees it: nobody else's points while it runs.

    What the end tells is the case's ``reveal``.
    """
    told: dict[str, Any] = msgspec.to_builtins(event)
    opens = "own"
    if is_over and isinstance(event, Opened | Ended):
        opens = event.case.reveal if isinstance(event, Opened) else event.reveal
    hidden = [role for role in ROLES if role != seat]
    if isinstance(event, Opened) and opens != "all":
        told["case"].pop("guide", None)
        for role in hidden:
            told["case"][role] = {"name": told["case"][role]["name"]}
            for issue in told["case"]["issues"]:
                for part in (issue, *issue.get("options", ())):
                    part.pop(role, None)
    if isinstance(event, Ended) and opens != "all":
        for role in hidden:
            del told["points"][role]
    return told


def share(case: Case, role: str, points: float) -> float:
    """Return a role's points as a part, 0..1, of the range from its worst end to its best."""
    found, outside = grid_of(case).points[role], case.side(role).outside
    low, high = min(float(found.min()), outside), max(float(found.max()), outside)
    return (points - low) / (high - low) if high > low else 0.0


def _why_no_offer(case: Case, seat: str, package: Package) -> str:
    issues = {issue.key: issue for issue in case.issues}
    if not package:
        return gettext_noop("An offer settles at least one issue.")
    for key, value in package.items():
        if key not in issues or value not in issues[key].values or isinstance(value, bool):
            return gettext_noop("That is no value of this issue.")
    return _why_too_little(case, seat, package) if case.is_whole(package) else ""


def _why_too_little(case: Case, seat: str, package: Package) -> str:
    if case.limits == "hard" and case.points(seat, package) < case.side(seat).outside:
        return gettext_noop("That gives you less than you have without a deal.")
    return ""


def _event(case: Case, seat: str, move: Move) -> Event:
    text, who = move.text.strip(), case.side(seat).name
    if move.action == "offer":
        keys = [issue.key for issue in case.issues if issue.key in move.package]
        package = {key: move.package[key] for key in keys}
        terms = {one: in_words(case, package, one) for one in case.languages}
        return Offered(seat, package, who, terms, text)
    if move.action == "say":
        return Said(seat, who, text)
    return Accepted(seat, who, text) if move.action == "accept" else Walked(seat, who, text)


def _ended(state: State, event: Event) -> Ended | None:
    case = state.case
    if isinstance(event, Accepted):
        deal = state.standing[other(event.seat)]
        points: dict[str, float] = {role: case.points(role, deal) for role in ROLES}
        return Ended("deal", deal, points, case.reveal)
    if isinstance(event, Walked) or state.left <= 0:
        outside: dict[str, float] = {role: case.side(role).outside for role in ROLES}
        return Ended("walk" if isinstance(event, Walked) else "deadline", {}, outside, case.reveal)
    return None


def in_words(case: Case, package: Package, language: str) -> str:
    """Write what a package settles: "Price ₹45,000, Warranty one month"."""
    return ", ".join(
        f"{words(issue.label, language)} {written(case, issue, package[issue.key], language)}"
        for issue in case.issues
        if issue.key in package
    )


def written(case: Case, issue: Issue, value: Value, language: str) -> str:
    """Write the value of an issue: "₹45,000", "3 weeks", "on Sunday"."""
    if isinstance(issue, Choice):
        return words(next(one for one in issue.options if one.key == value).label, language)
    if issue.money:
        return f"{SIGNS.get(case.currency, case.currency + ' ')}{value:,}"
    return f"{value:,} {words(issue.unit, language)}".strip() if issue.unit else f"{value:,}"


def words(text: Text, language: str) -> str:
    """Return words in a language, in the first one where there are none."""
    return text.get(language) or next(iter(text.values()), "")
