"""One turn of the talk, ready to draw: who, what price, which words gave something away."""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from django.utils.translation import gettext, pgettext, pgettext_lazy

from bazaarbatna.money import rupees_text
from negotiation.bargain.web.seats import Cast
from negotiation.bargain.web.signals import label_of
from negotiation.plans import Because, MoveName
from negotiation.sentences import sentences

say = sentences(__file__)


class Line(msgspec.Struct, frozen=True):
    """A line of the explanation: what is told, how it is called, and the words it rests on."""

    name: str
    words: str
    quotes: tuple[str, ...] = ()


ACTS: dict[str, str] = say.texts("acts")

REASONS: dict[Because, str] = {"": "", **say.texts("reasons")}


def explained(shown: dict[str, Any] | None, currency: str) -> tuple[Line, ...]:
    """Return a plan, as the wire has it, in lines for the person whose words were heard."""
    if not shown:
        return ()
    heard: dict[str, list[str]] = {}
    for one in shown["heard"]:
        heard.setdefault(one["act"], []).append(one["words"])
    lines = [Line(say("heard"), _named(act), tuple(words)) for act, words in heard.items()]
    lines.append(Line(pgettext("plan", "Played"), _played(shown, currency)))
    if shown["speaks_to"]:
        first, *others = (_named(act) for act in shown["speaks_to"])
        words = say("one_and_other", one=first, other=others[0]) if others else first
        lines.append(Line(say("spoke_to"), words))
    if shown["promises"]:
        lines.append(Line(say("promised"), say("a_step_for_your_next_step")))
    return tuple(lines)


def _played(shown: dict[str, Any], currency: str) -> str:
    move: MoveName = shown["move"]
    words = say.of("moves", move, step=rupees_text(shown["step"], currency))
    why = REASONS[shown["because"]]
    if not why:
        return words
    return say("move_because_why", move=words, why=gettext(why))


def _named(act: str) -> str:
    return say.of("acts", act) if act in ACTS else act


_REASONS = tomllib.loads(Path(__file__).with_name("reasons.toml").read_text(encoding="utf-8"))
_HER: dict[str, str] = {row["you"]: row["she"] for row in _REASONS["reason"]}
_THEM: dict[str, str] = {row["you"]: row["they"] for row in _REASONS["reason"]}


def about_you(why: str) -> str:
    """Return a reason as it speaks to the speaker."""
    return gettext(why) if why else why


def about_her(why: str) -> str:
    """Return a reason that speaks to the speaker as one that speaks of her.

    >>> about_her("You say you lose money: sellers who say so often want it over.")
    'She says she loses money: sellers who say so often want it over.'
    """
    return gettext(_HER.get(why, why)) if why else why


def about_them(why: str) -> str:
    """Return a reason that speaks to the speaker as one that speaks of a person who is not here.

    >>> about_them("You say you lose money: sellers who say so often want it over.")
    'They say they lose money: sellers who say so often want it over.'
    """
    return gettext(_THEM.get(why, why)) if why else why


Frame = dict[str, Any]
"""A wire frame: ``{"type": "event", "seq": ..., "event": {...}}``; prices in rupees."""

VERBS: dict[tuple[str, str], Any] = {
    ("seller", "opened"): pgettext_lazy("turn", "opened at"),
    ("seller", "offer"): pgettext_lazy("turn", "asked"),
    ("buyer", "offer"): pgettext_lazy("turn", "bid"),
    ("seller", "accept"): pgettext_lazy("turn", "accepted"),
    ("buyer", "accept"): pgettext_lazy("turn", "accepted"),
    ("seller", "walk"): pgettext_lazy("turn", "walked away"),
    ("buyer", "walk"): pgettext_lazy("turn", "walked away"),
    ("seller", "message"): pgettext_lazy("turn", "said"),
    ("buyer", "message"): pgettext_lazy("turn", "said"),
}
TOOK_BACK = pgettext_lazy("turn", "took back")

CLOSED = say.texts("closed")
"""Why a table was closed for whoever was to move, which its log has as a walk: what is said."""

SERVED_BY = say.lazies("served_by")
"""Backends whose names say nothing to a visitor."""


class Tell(msgspec.Struct, frozen=True):
    """Words that gave something away; ``score`` is 0..1, ``id`` is unique on the page."""

    id: str
    words: str
    label: str
    score: float
    why: str


class Piece(msgspec.Struct, frozen=True):
    """A run of the text, underlined when it is a tell."""

    text: str
    tell: Tell | None = None


class Bubble(msgspec.Struct, frozen=True):
    """One turn as it is drawn; ``price`` in rupees, ``own``: on one's own side, ``plan``: why."""

    seq: int
    kind: str
    actor: str
    own: bool
    who: str
    verb: str
    round: int
    price: float | None
    currency: str
    pieces: tuple[Piece, ...]
    tells: tuple[Tell, ...]
    backend: str
    policy_version: str
    latency_ms: int | None
    plan: tuple[Line, ...] = ()
    taken_back: float | None = None


def bubble_of(frame: Frame, frames: Sequence[Frame], cast: Cast) -> Bubble:
    """Prepare a turn that was spoken or moved, its tells from the log so far."""
    event = frame["event"]
    text = event.get("text", "")
    actor = event["actor"]
    backend, closed = event.get("backend", ""), closed_words(event, cast)
    tells = _tells(text, frame["seq"], frames, _retelling(actor, cast))
    return Bubble(
        seq=frame["seq"],
        kind=event["kind"],
        actor=actor,
        own=actor == cast.own,
        who="" if closed else cast.name(actor),
        verb=closed or str(TOOK_BACK if "taken_back" in event else VERBS[actor, event["kind"]]),
        round=event.get("round", 0),
        price=event.get("price"),
        currency=currency_of(frames),
        pieces=_pieces(text, tells),
        tells=tuple(tell for _, _, tell in tells),
        backend="" if closed else str(SERVED_BY.get(backend, backend)),
        policy_version=event.get("policy_version", ""),
        latency_ms=event.get("latency_ms"),
        plan=explained(event.get("plan"), currency_of(frames)),
        taken_back=event.get("taken_back"),
    )


def closed_words(event: dict[str, Any], cast: Cast) -> str:
    """Say why a table was closed, of the walk that its log has in place of one; "" of others."""
    why = event.get("backend", "") if event["kind"] == "walk" else ""
    if why not in CLOSED:
        return ""
    is_you = cast.is_reader and event["actor"] == cast.own
    table = "closed_you" if is_you else "closed"
    return say.of(table, why, who=cast.name(event["actor"]))


def closing_words(frames: Sequence[Frame], cast: Cast) -> str:
    """Say why the table of a whole log was closed; "" where somebody ended the game."""
    return next(filter(None, (closed_words(one["event"], cast) for one in frames[-2:])), "")


def currency_of(frames: Sequence[Frame]) -> str:
    """Name the currency of a game's prices."""
    return str(frames[0]["event"]["item"]["currency"])


def _retelling(actor: str, cast: Cast) -> Callable[[str], str]:
    if actor != cast.own:
        return about_them if cast.is_person else about_her
    return about_you if cast.is_reader else about_them


_Marked = tuple[int, int, Tell]


def _tells(
    text: str, seq: int, frames: Sequence[Frame], retold: Callable[[str], str]
) -> list[_Marked]:
    spans = [
        span
        for frame in frames
        if frame["event"]["kind"] == "tells" and frame["event"]["of_seq"] == seq
        for span in frame["event"]["spans"]
    ]
    spans.sort(key=lambda span: (span["start"], -span["end"]))
    found: list[_Marked] = []
    for number, span in enumerate(spans):
        start, end = span["start"], min(span["end"], len(text))
        label = label_of(span["signal"])
        why = retold(span["why"])
        tell = Tell(f"why-{seq}-{number}", text[start:end], label, span["score"], why)
        found.append((start, end, tell))
    return found


def _pieces(text: str, tells: Sequence[_Marked]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    at = 0
    for start, end, tell in tells:
        if start < at or end <= start:
            continue  # it overlaps an earlier tell: the list below the words still names it
        if start > at:
            pieces.append(Piece(text[at:start]))
        pieces.append(Piece(text[start:end], tell))
        at = end
    if at < len(text):
        pieces.append(Piece(text[at:]))
    return tuple(pieces)
