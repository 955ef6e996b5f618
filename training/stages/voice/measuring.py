"""How a voice does on the exchanges that nobody learned from, beside the bank."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from agents.speech.bank import corpus
from agents.speech.cues import Planned, planned, prompt_of
from agents.speech.model import DRAWN, Engine, said_of, wrongs
from agents.speech.speaker import Speaker
from agents.text.languages import Register
from training.stages.voice.lessons import exchanges, position_of

PATIENCE_S = 60.0
"""Lines are judged here, not the clock."""


class Answer(msgspec.Struct, frozen=True):
    """What was said in a position, by whom: the drawn lines with their faults, the chosen one."""

    language: Register
    said: str
    thing: str
    move: str
    drawn: tuple[tuple[str, tuple[str, ...]], ...]
    chosen: str
    bank: str


def answers(
    engine: Engine, languages: Sequence[Register], tick: Callable[[], None] = lambda: None
) -> list[Answer]:
    """Have the voice and the bank answer every held-out exchange."""
    made = []
    for number, one in enumerate(exchanges(languages, held_out=True)):
        at = position_of(one)
        turn = planned(at.seen, at.move, number)
        drawn = drawn_lines(engine, turn, number)
        chosen = first_faultless(drawn)
        speaker = Speaker(number)
        made.append(
            Answer(
                one.language,
                one.said,
                turn.cue.thing,
                turn.plan.move,
                tuple(drawn),
                said_of(chosen, turn),
                speaker.reply(at.seen) if at.move is None else speaker.line(at.seen, at.move),
            )
        )
        tick()
    return made


def drawn_lines(engine: Engine, turn: Planned, seed: int) -> list[tuple[str, tuple[str, ...]]]:
    """Draw lines for a turn without looking at the clock; each with what is wrong with it."""
    drawn: dict[int, tuple[str, tuple[str, ...]]] = dict.fromkeys(range(DRAWN), ("", ("unended",)))

    def hear(number: int, line: str) -> bool:
        drawn[number] = (line, tuple(dict.fromkeys(wrongs(line, turn))))
        return False

    engine.draw_all(prompt_of(turn.cue), DRAWN, hear, time.monotonic() + PATIENCE_S, seed)
    return [*drawn.values()]


def first_faultless(drawn: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    """Return the first line that may be said, or ""."""
    return next((line for line, faults in drawn if not faults), "")


def figures(made: Sequence[Answer]) -> dict[str, Any]:
    """Sum answers up: shares of all drawn lines, and of turns, by language."""
    known = {one.line for one in corpus()}
    found: dict[str, Any] = {}
    for language in dict.fromkeys(one.language for one in made):
        own = [one for one in made if one.language == language]
        lines = [line for one in own for line in one.drawn]
        wrong = Counter(fault for _, faults in lines for fault in faults)
        found[language] = {
            "turns": len(own),
            "lines": len(lines),
            "faulty": _share(sum(bool(faults) for _, faults in lines), len(lines)),
            "faults": {name: _share(count, len(lines)) for name, count in wrong.most_common()},
            "by_heart": _share(sum(line in known for line, _ in lines), len(lines)),
            "answered": _share(sum(bool(one.chosen) for one in own), len(own)),
            "bank_answered": _share(sum(bool(one.bank) for one in own), len(own)),
        }
    return found


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
