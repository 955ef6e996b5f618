"""Twins and what-ifs of a finished market, gathered for their page: two worlds side by side."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.safestring import SafeString

from arena.gpu_market.board.alternatives import Alternative, action_words, alternatives
from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.names import SHOCK_TITLES, TASK_TITLES, credits_text
from arena.gpu_market.board.parts import Board, Line
from arena.gpu_market.board.timeline import rounds_axis
from arena.gpu_market.board.worlds import World, worlds
from arena.gpu_market.engine import fold
from arena.gpu_market.engine.events import TurnTaken
from arena.gpu_market.engine.quantities import LAB_NUMBERS
from arena.gpu_market.pages.drawing import Lane, lanes_of
from arena.gpu_market.pages.finding import Seen
from arena.gpu_market.pages.result import Cost, cost_words, costs_of
from arena.gpu_market.room.facts import Facts
from arena.gpu_market.room.visibility import READER, shown
from arena.gpu_market.twins import fork

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
    world, other = worlds(seen.facts.scenario, seen.facts.seats, number)
    here, there = _board(seen.facts, world), _board(seen.facts, other)
    costs = costs_of(here, world.ended.results, other.ended.results)
    what = _what(seen, number)
    note = "For the person the rule expert plays, in both worlds." if seen.facts.people else ""
    return _page(seen) | {
        "question": f"Without {what}",
        "answer": cost_words(costs, "Shocks" if number is None else what[0].upper() + what[1:]),
        "note": note,
        "other_name": f"Without {what}",
        "difference_name": "What it cost",
        "better": "walk",
        "worse": "deal",
        "costs": costs,
        "sides": [
            _side(here, there, "As it was", "was-", "What only happened here"),
            _side(there, here, f"Without {what}", "twin-", "What only happens here"),
        ],
    }


def choices_page(seen: Seen, seq: int) -> dict[str, Any]:
    """Gather what else could have been done in a turn that was played from outside.

    Raises:
        ValueError: there is no such turn.
    """
    turn, lab = _turn_at(seen, seq)
    before = fold(seen.facts.scenario, seen.events[: seq - 1])
    then = board_of(seen.frames, seq - 1)
    names = _names(seen)
    return _page(seen) | {
        "seq": seq,
        "turn": turn,
        "actor_name": names[turn.lab],
        "taken": action_words(turn.action, names),
        "options": alternatives(before, lab, turn.action),
        "axis": rounds_axis(then),
        "lanes": lanes_of(then, "then-"),
    }


def what_if_page(seen: Seen, seq: int, other: Alternative) -> dict[str, Any]:
    """Gather the answer to a what-if.

    Raises:
        ValueError: there is no such turn.
    """
    turn, lab = _turn_at(seen, seq)
    scenario, seats, names = seen.facts.scenario, seen.facts.seats, _names(seen)
    forked = fork(scenario, seen.events, seq, other.action, seats)
    here = board_of(seen.frames)
    there = _board(seen.facts, World(scenario, forked.events))
    rows = zip(here.labs, forked.own, forked.forked, strict=True)
    costs = [Cost(seat.id, seat.name, own, then) for seat, own, then in rows]
    name, gain = names[turn.lab], forked.difference
    answer = f"It changes nothing for {name}."
    if gain:
        more = "more" if gain > 0 else "less"
        answer = f"{name} makes {credits_text(abs(gain))} credits {more}."
    note = (
        "In both columns the rule expert plays on for the person from that turn, so that they can "
        "be compared. Below, left, is what the person did."
    )
    return _page(seen) | {
        "question": f"Round {turn.round}: {other.words}?",
        "answer": f"{answer} It was: {action_words(turn.action, names)}.",
        "note": note if seen.facts.people else "",
        "other_name": "What if",
        "difference_name": "Difference",
        "better": "deal",
        "worse": "walk",
        "costs": costs,
        "sides": [
            _side(here, there, "As it was", "was-", "What only happened here"),
            _side(there, here, "What if", "if-", "What only happens here"),
        ],
    }


def option_at(options: Sequence[Alternative], asked: str) -> Alternative | None:
    """Find the alternative a reader chose by its place in the list."""
    at = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else -1
    return options[at] if 0 <= at < len(options) else None


def _turn_at(seen: Seen, seq: int) -> tuple[TurnTaken, int]:
    event = seen.events[seq - 1] if 0 < seq <= len(seen.events) else None
    if not isinstance(event, TurnTaken) or event.scripted:
        raise ValueError("Nobody took a turn there.")
    return event, LAB_NUMBERS[event.lab]


def _page(seen: Seen) -> dict[str, Any]:
    return {"match": seen, "title": TASK_TITLES[seen.facts.scenario.task]}


def _what(seen: Seen, number: int | None) -> str:
    if number is None:
        return "any shock"
    shock = seen.facts.scenario.sealed.shocks[number]
    return f"the {SHOCK_TITLES[shock.kind].lower()} of round {shock.round}"


def _board(facts: Facts, world: World) -> Board:
    told = msgspec.structs.replace(facts, scenario=world.scenario)
    return board_of(shown(list(enumerate(world.events, 1)), told, READER))


def _side(board: Board, other: Board, title: str, place: str, news_title: str) -> Side:
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


def _names(seen: Seen) -> dict[str, str]:
    return {card.id: card.name for card in seen.facts.scenario.labs}
