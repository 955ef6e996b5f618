"""The same market otherwise: without a shock, or with another action in one turn."""

from typing import Any

import msgspec
from django.utils.safestring import SafeString

from arena.gpu_market.board.action_words import action_words, alternatives
from arena.gpu_market.board.drawing import Lane, lanes_of
from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.names import credits_text, signed_credits
from arena.gpu_market.board.parts import Board, Line
from arena.gpu_market.board.result import cost_words
from arena.gpu_market.board.timeline import rounds_axis
from arena.gpu_market.board.titles import lab_name, shock_title, task_title
from arena.gpu_market.twins import Cost
from arena.gpu_market.web.finished import frames_of, played
from arena.gpu_market.web.watching import Seen, view_of
from arena.words import say
from bazaarbatna.market import fold
from bazaarbatna.market.events import TurnTaken
from bazaarbatna.market.quantities import LAB_NUMBERS, to_cents
from negotiation.errors import UnknownGame

MOST_NEWS = 12


def choices_page(seen: Seen, seq: int) -> dict[str, Any]:
    """Gather what else could have been done in a turn of a player's; ``ValueError``: none there."""
    turn = seen.events[seq - 1] if 0 < seq <= len(seen.events) else None
    if not isinstance(turn, TurnTaken) or turn.scripted:
        raise ValueError("Nobody took a turn there.")
    before = fold(seen.facts.scenario, seen.events[: seq - 1])
    then = board_of(seen.frames, seq - 1)
    names = _names(seen)
    return {
        "match": seen.named,
        "title": task_title(seen.facts.scenario.task),
        "seq": seq,
        "turn": turn,
        "actor_name": names[turn.lab],
        "taken": action_words(turn.action, names),
        "options": alternatives(before, LAB_NUMBERS[turn.lab], turn.action),
        "axis": rounds_axis(then),
        "lanes": lanes_of(then, "then-"),
    }


def answer_of(seen: Seen) -> dict[str, Any] | None:
    """Gather what came of another action; None for a market that is nobody's what-if."""
    game = seen.match.game
    seq, told = game.forked_at_seq, game.difference
    if not game.parent_id or not seq or not told:
        return None
    turn = seen.events[seq - 1]
    if not isinstance(turn, TurnTaken):
        return None
    name = _names(seen)[turn.lab]
    return {
        "question": say(
            "round_number_told_3",
            number=turn.round + 1,
            told=action_words(turn.action, _names(seen)),
        ),
        "verdict": _verdict(name, told["exact"]),
        "certainty": _certainty(told),
        "stand_in": bool(told.get("stand_in")),
        "own": signed_credits(to_cents(told["utility"]["own"])),
        "parent": game.parent_id,
    } | _beside(seen, turn, seq)


def _beside(seen: Seen, turn: TurnTaken, seq: int) -> dict[str, Any]:
    try:
        parent = view_of(seen.match.game.parent_id or "", seen.match.owner)
    except UnknownGame:
        return {"costs": [], "sides": []}
    here, there = board_of(parent.frames), board_of(seen.frames)
    was = parent.events[seq - 1]
    taken = action_words(was.action, _names(seen)) if isinstance(was, TurnTaken) else ""
    return {
        "taken": taken,
        "costs": [
            (lab_name(lab.name), Cost(lab.id, lab.utility or 0, other.utility or 0))
            for lab, other in zip(here.labs, there.labs, strict=True)
        ],
        "sides": [
            side_of(here, there, say("as_it_was"), "was-", say("what_only_happened_here")),
            side_of(there, here, say("what_if"), "if-", say("what_only_happens_here")),
        ],
    }


def _verdict(name: str, gain: float) -> str:
    cents = to_cents(gain)
    if not cents:
        return say("it_changes_nothing_for_who", who=name)
    words = say("who_makes_amount_credits_less")
    if cents > 0:
        words = say("who_makes_amount_credits_more")
    return words % {"who": name, "amount": credits_text(abs(cents))}


def _certainty(told: dict[str, Any]) -> str:
    mean, low, high = (signed_credits(to_cents(told[name])) for name in ("mean", "low", "high"))
    values = {"count": told["n"], "mean": mean, "low": low, "high": high}
    words = say("with_other_luck_count_times_mean_on")
    if low != high:
        words = say("with_other_luck_count_times_mean_on_2")
    return words % values


def _names(seen: Seen) -> dict[str, str]:
    return board_of(seen.frames).names


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
    """Gather the page of the twin without one shock (else ``IndexError``); None for all."""
    twin = played(seen.match.pk, seen.facts.seats, number)
    here, there = map(board_of, frames_of(twin, seen.facts.seats))
    costs = [(lab_name(seat.name), one) for seat, one in zip(here.labs, twin.costs, strict=True)]
    what = _what(seen, number)
    without = say("without_what", what=what)
    note = say("for_the_person_the_rule_expert_plays") if seen.facts.people else ""
    subject = say("shocks") if number is None else what[0].upper() + what[1:]
    return {
        "match": seen.named,
        "title": task_title(seen.facts.scenario.task),
        "question": without,
        "answer": cost_words(costs, subject),
        "note": note,
        "other_name": without,
        "difference_name": say("what_it_cost"),
        "better": "walk",
        "worse": "deal",
        "costs": costs,
        "sides": [
            side_of(here, there, say("as_it_was"), "was-", say("what_only_happened_here")),
            side_of(there, here, without, "twin-", say("what_only_happens_here")),
        ],
    }


def _what(seen: Seen, number: int | None) -> str:
    if number is None:
        return say("any_shock")
    shock = seen.facts.scenario.sealed.shocks[number]
    return say(
        "the_shock_of_round_round", shock=shock_title(shock.kind).lower(), round=shock.round + 1
    )


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
    return Side(
        title,
        say(
            "run_jobs_were_run_in_all_who",
            run=run,
            who=lab_name(best.name),
            made=credits_text(best.utility or 0),
        ),
        place,
        rounds_axis(board),
        lanes_of(board, place),
        news[:MOST_NEWS],
        news_title,
    )
