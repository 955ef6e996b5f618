"""What the ring around the table makes of it: the seller, the crowd, the other buyers.

Everything comes from a match as its viewer is sent it: a bid that is sealed to the viewer is not
there to be laughed at. The same frames give the same words, and no line comes twice in a row.
"""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Literal

import msgspec
from django.utils.translation import gettext

from arena.auction.charts.course import BidMark, Course, Lane
from bazaarbatna.money import rupees_text
from bazaarbatna.word_tables import read_table

Silly = Literal["tiny", "low", "over", "far"]

TINY, LOW = 0.1, 0.4
"""Of the ask: below it a bid is laughed at."""
OVER, FAR = 1.5, 1.4
"""Times the best bid of the others, at the ask and below it: above it a bid is wondered at."""
NEAR = 0.6
"""Of the ask: a bid below it is not far in front, only less low."""
CRAWL = 0.02
"""Of the ask before: a smaller step down is a crawl."""
MOST = 2
"""Reactions to one round."""


class Lines(msgspec.Struct, frozen=True):
    """All lines by who says them and what about."""

    seller: dict[Silly, tuple[str, ...]]
    crowd: dict[Silly, tuple[str, ...]]
    other: dict[Silly, tuple[str, ...]]
    scene: dict[str, tuple[str, ...]]


class Reaction(msgspec.Struct, frozen=True):
    """A line after a silly bid; ``by`` is "seller" or "crowd"."""

    by: str
    text: str


@functools.cache
def _lines() -> Lines:
    return read_table(Path(__file__).with_name("lines") / "crowd.toml", Lines)


def silly(course: Course, lane: Lane, mark: BidMark) -> Silly | None:
    """Return what is odd about an opened bid; None where nothing is, or where it is not open."""
    if mark.action != "offer" or mark.price is None:
        return None
    ask = course.ask_in(mark.round)
    if mark.price < LOW * ask:
        # Who creeps up from below is laughed at once.
        before = lane.bid_after(mark.round - 1)
        if before is not None and before < LOW * ask:
            return None
        return "tiny" if mark.price < TINY * ask else "low"
    rivals = [one.bid_after(mark.round) for one in course.lanes if one.actor != lane.actor]
    known = [bid for bid in rivals if bid is not None]
    if not known:
        return "over" if mark.price >= ask and mark.round == 1 else None
    if mark.price >= ask:
        return "over" if mark.price >= OVER * max(known) else None
    return "far" if mark.price >= max(FAR * max(known), NEAR * ask) else None


def reactions(course: Course, number: int) -> tuple[Reaction, ...]:
    """Return what is said about the silly bids of a round; most rounds have none."""
    told: list[str] = []
    said: list[Reaction] = []
    for round_ in range(1, number + 1):
        said = []
        for lane in course.lanes:
            mark = next((mark for mark in lane.marks if mark.round == round_), None)
            kind = silly(course, lane, mark) if mark else None
            if kind and mark and len(said) < MOST:
                line, reaction = _reaction(course, lane, mark, kind, told)
                told.append(line)
                said.append(reaction)
    return tuple(said)


def _reaction(
    course: Course, lane: Lane, mark: BidMark, kind: Silly, told: Sequence[str]
) -> tuple[str, Reaction]:
    others = [
        one for one in course.lanes if one.actor != lane.actor and not (one.person or one.you)
    ]
    pools: dict[str, list[str]] = {}
    for by in ("seller", "crowd", "other") if others else ("seller", "crowd"):
        lines: Mapping[Silly, tuple[str, ...]] = getattr(_lines(), by)
        # Lines that name the bidder do not fit whoever reads them about oneself.
        fitting = [line for line in lines[kind] if not (lane.you and "{who}" in line)]
        pools[by] = [line for line in fitting if line not in told[-1:]]
    chance = _chance(course, f"{lane.actor}:{mark.round}")
    by = chance.choice([by for by, pool in pools.items() if pool])
    line = _in_turn(course, f"{by} {kind}", pools[by], len(told))
    text = gettext(line).format(
        who=lane.name,
        other=chance.choice(others).name if others else "",
        price=rupees_text(mark.price or 0.0, course.currency),
    )
    return line, Reaction("seller" if by == "seller" else "crowd", _sentence(text))


def scene(course: Course, kind: str, turn: int, *lanes: Lane, step: str = "") -> str:
    """Return what goes round at a moment; the lines of a kind take turns, by a round's number.

    Nothing is told about whoever reads it: the page speaks to that person itself.
    """
    if any(lane.you for lane in lanes):
        return ""
    who, other = (*(lane.name for lane in lanes), "", "")[:2]
    line = gettext(_in_turn(course, kind, _lines().scene[kind], turn))
    return _sentence(line.format(who=who, other=other, step=step))


def _in_turn(course: Course, about: str, pool: Sequence[str], turn: int) -> str:
    order = _chance(course, about).sample(range(len(pool)), len(pool))
    return pool[order[turn % len(pool)]]


def step_kind(before: float, after: float) -> str:
    """Return how far an ask came down.

    >>> step_kind(1000, 900), step_kind(1000, 990), step_kind(1000, 1000)
    ('drop', 'crawl', 'still')
    """
    if after >= before:
        return "still"
    return "crawl" if before - after < CRAWL * before else "drop"


def _chance(course: Course, about: str) -> Random:
    # What everybody knows of a match, and nothing else.
    names = ",".join(lane.called for lane in course.lanes)
    return Random(f"{course.title}:{course.opening_ask}:{names}:{about}")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
