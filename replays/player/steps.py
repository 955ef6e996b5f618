"""The positions of a replay: one step for each thing a person would notice.

A ``tells`` event is no step of its own: it belongs to the words it was read from. So a step covers
its own event and the tells that follow, and every sequence number leads to exactly one step.
"""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from bazaarbatna.money import whole
from negotiation.bargain.web.bubbles import (
    Frame,
    Line,
    Tell,
    bubble_of,
    closing_words,
    currency_of,
    explained,
)
from negotiation.bargain.web.outcome import Moved, moved_by
from negotiation.bargain.web.seats import SALE, Cast
from negotiation.bargain.web.signals import Signal, signal_rows
from negotiation.sentences import sentences
from replays.player.narration import in_words

say = sentences(__file__)


class Served(msgspec.Struct, frozen=True):
    """Who answered for the opponent; ``latency_ms`` in milliseconds, None where nobody measured."""

    backend: str
    policy_version: str
    latency_ms: int | None


class Read(msgspec.Struct, frozen=True):
    """What the buyer had read (in event ``of_seq``) and made of the seller's observable signals."""

    of_seq: int
    signals: tuple[Signal, ...]
    noticed: tuple[Tell, ...]
    estimate: Moved | None


class Step(msgspec.Struct, frozen=True):
    """One position; rupees. ``seq`` to ``last_seq`` are its events, ``plan`` why it was said."""

    index: int
    seq: int
    last_seq: int
    event: dict[str, Any]
    words: str
    round: int
    ask: float
    bid: float | None
    read: Read | None
    served: Served | None
    plan: tuple[Line, ...] = ()

    @property
    def gap(self) -> float | None:
        """Rupees between the standing ask and the standing bid; None before the first bid."""
        return None if self.bid is None else round(whole(self.ask) - whole(self.bid), 2)

    @property
    def read_now(self) -> bool:
        """The signals were read from this step's own words."""
        return self.read is not None and self.seq <= self.read.of_seq <= self.last_seq


def steps_of(frames: Sequence[Frame], cast: Cast = SALE) -> tuple[Step, ...]:
    """Return the steps of a log."""
    currency, closed = currency_of(frames), closing_words(frames, cast)
    told = _told_after(frames)
    estimates = {moved.seq: moved for moved in moved_by(told)}
    steps: list[Step] = []
    for frame in told:
        seq, event = frame["seq"], frame["event"]
        before = steps[-1] if steps else None
        if event["kind"] == "tells" and before is not None:
            read = (
                _read(event, frames, estimates, cast) if event["actor"] == "seller" else before.read
            )
            last_seq = max(before.last_seq, seq)
            steps[-1] = msgspec.structs.replace(before, last_seq=last_seq, read=read)
            continue
        if _is_silence(event) and before is not None:
            steps[-1] = msgspec.structs.replace(before, last_seq=seq)
            continue
        step = _step(before, seq, event, in_words(event, currency, cast, closed))
        plan = explained(event.get("plan"), currency)
        steps.append(msgspec.structs.replace(step, plan=plan))
    return tuple(steps)


def _is_silence(event: dict[str, Any]) -> bool:
    # Where a price was taken back, or words were forgotten: nothing to look at.
    return event["kind"] == "message" and not event["text"]


class Numbered(Protocol):
    """A step of any replay, from event ``seq`` on."""

    @property
    def index(self) -> int:
        """Its place among the steps, from 0."""

    @property
    def seq(self) -> int:
        """Number of its first event."""


AnyStep = TypeVar("AnyStep", bound=Numbered)


def step_at(steps: Sequence[AnyStep], seq: int) -> AnyStep:
    """Return the step that covers a sequence number; numbers outside the log lead to its ends."""
    found = steps[0]
    for step in steps:
        if step.seq > seq:
            break
        found = step
    return found


def _told_after(frames: Sequence[Frame]) -> list[Frame]:
    told = list(frames)
    for place in range(len(told) - 1):
        frame, move = told[place], told[place + 1]
        event = frame["event"]
        if event["kind"] == "tells" and not event["of_seq"]:
            if move["event"].get("actor") != event["actor"]:
                continue
            told[place : place + 2] = move, {**frame, "event": {**event, "of_seq": move["seq"]}}
    return told


def _step(before: Step | None, seq: int, event: dict[str, Any], words: str) -> Step:
    ask: float = event["price"] if before is None else before.ask
    bid = before.bid if before else None
    if event["kind"] == "offer":
        if event["actor"] == "seller":
            ask = event["price"]
        else:
            bid = event["price"]
    return Step(
        index=before.index + 1 if before else 0,
        seq=seq,
        last_seq=seq,
        event=event,
        words=words,
        round=event.get("round", 1),
        ask=ask,
        bid=bid,
        read=before.read if before else None,
        served=_served(event),
    )


def _served(event: dict[str, Any]) -> Served | None:
    if not event.get("backend"):
        return None
    return Served(event["backend"], event.get("policy_version", ""), event.get("latency_ms"))


def _read(
    event: dict[str, Any], frames: Sequence[Frame], estimates: dict[int, Moved], cast: Cast
) -> Read:
    of_seq = event["of_seq"]
    gives_way = say("how_you_give_way") if cast.own == "seller" else say("how_she_gives_way")
    if not cast.is_reader or cast.is_person:
        gives_way = say("concessions")
    observable = tuple(row for row in signal_rows(event["signals"], gives_way) if row.observable)
    # Tells of number 0 were read without words.
    noticed = bubble_of(frames[of_seq - 1], frames, cast).tells if of_seq else ()
    return Read(of_seq, observable, noticed, estimates.get(of_seq))
