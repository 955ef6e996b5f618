"""The replay page of a game of turns: one step for each thing that happened."""

from collections.abc import Sequence
from typing import Any

import msgspec

from negotiation.games.game import Frame
from negotiation.games.turn_game import TurnGame
from negotiation.models import Game
from replays.player.page import SPEEDS


class Step(msgspec.Struct, frozen=True):
    """One event in words; ``moves``: what its mover could have done instead, as JSON and words."""

    index: int
    seq: int
    last_seq: int
    words: str
    moves: tuple[tuple[str, str], ...] = ()


def turn_player(
    game: Game, rules: TurnGame[Any, Any, Any, Any], frames: Sequence[Frame], at: int | None
) -> dict[str, Any]:
    """Return what the page of a game of turns shows at an event, None for the end."""
    events = rules.position_of(game).events
    scenario = rules.scenario_of(game.pk)
    steps = tuple(
        Step(
            index,
            frame["seq"],
            frame["seq"],
            rules.words(frame["event"]),
            _moves(rules, scenario, events, frame["seq"]),
        )
        for index, frame in enumerate(frames)
    )
    here = steps[-1] if at is None else max((s for s in steps if s.seq <= at), key=_seq)
    return {
        "game": game,
        "rules": rules,
        "steps": steps,
        "here": here,
        "previous": steps[here.index - 1] if here.index else None,
        "next": steps[here.index + 1] if here.index + 1 < len(steps) else None,
        "speeds": SPEEDS,
    }


def _seq(step: Step) -> int:
    return step.seq


def _moves(
    rules: TurnGame[Any, Any, Any, Any], scenario: Any, events: Sequence[Any], seq: int
) -> tuple[tuple[str, str], ...]:
    told = rules.move_of(events[seq - 1])
    if told is None:
        return ()
    seat, made = told
    state = rules.fold(scenario, events[: seq - 1])
    return tuple(
        (msgspec.json.encode(move).decode(), ", ".join(map(str, msgspec.structs.astuple(move))))
        for move in rules.options(state, seat)
        if move != made
    )
