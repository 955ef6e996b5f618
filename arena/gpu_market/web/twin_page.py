"""The twin of a finished market: the same world without a shock, side by side with it."""

from typing import Any

import msgspec
from django.utils.safestring import SafeString

from arena.gpu_market.board.drawing import Lane, lanes_of
from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.names import SHOCK_TITLES, TASK_TITLES, credits_text
from arena.gpu_market.board.parts import Board, Line
from arena.gpu_market.board.result import cost_words, costs_of
from arena.gpu_market.board.timeline import rounds_axis
from arena.gpu_market.web.finding import Seen
from arena.gpu_market.web.twin import frames_of, played

MOST_NEWS = 12


class Side(msgspec.Struct, frozen=True):
    """One of the two worlds, drawn; ``news`` are lines that the other world does not have."""

    title: str
    words: str
    place: str
    axis: SafeString
    lanes: list[Lane]
    news: list[Line]
    news_title: str


def twin_page(seen: Seen, number: int | None) -> dict[str, Any]:
    """Gather the page of a twin.

    Args:
        seen: a market that has ended.
        number: the shock that does not strike in the twin, from 0; None for all.

    Raises:
        IndexError: there is no such shock.
    """
    twin = played(seen.match.pk, seen.facts.seats, number)
    here, there = map(board_of, frames_of(twin, seen.facts.seats))
    costs = costs_of(here, twin)
    what = _what(seen, number)
    note = "For the person the rule expert plays, in both worlds." if seen.facts.people else ""
    return {
        "match": seen.named,
        "title": TASK_TITLES[seen.facts.scenario.task],
        "question": f"Without {what}",
        "answer": cost_words(costs, "Shocks" if number is None else what[0].upper() + what[1:]),
        "note": note,
        "other_name": f"Without {what}",
        "difference_name": "What it cost",
        "better": "walk",
        "worse": "deal",
        "costs": costs,
        "sides": [
            side_of(here, there, "As it was", "was-", "What only happened here"),
            side_of(there, here, f"Without {what}", "twin-", "What only happens here"),
        ],
    }


def _what(seen: Seen, number: int | None) -> str:
    if number is None:
        return "any shock"
    shock = seen.facts.scenario.sealed.shocks[number]
    return f"the {SHOCK_TITLES[shock.kind].lower()} of round {shock.round}"


def side_of(board: Board, other: Board, title: str, place: str, news_title: str) -> Side:
    """Draw one of two worlds; the other one tells what is news in it."""
    there = {(line.round, line.words) for line in other.lines}
    news = [
        line
        for line in board.lines
        if line.tone != "round" and (line.round, line.words) not in there
    ]
    best = max(board.labs, key=lambda lab: lab.utility or 0)
    run = sum(lab.ran for lab in board.labs)
    made = credits_text(best.utility or 0)
    return Side(
        title,
        f"{run} jobs were run in all; {best.name} made most, {made} credits.",
        place,
        rounds_axis(board),
        lanes_of(board, place),
        news[:MOST_NEWS],
        news_title,
    )
