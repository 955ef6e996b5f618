"""Games of an evaluation as orders: played wherever code and policies are those of the run."""

import functools
from collections.abc import Iterator, Sequence

import msgspec

from negotiation.code_version import code_version
from negotiation.policies import UnknownPolicy
from training.evaluation.domain import domain_of, read_row
from training.evaluation.playing import PlayedOf
from training.evaluation.rows import Row
from training.evaluation.spreading import Errand, Spread
from training.evaluation.workers import Answer, Chunk, Elsewhere, Tick, answer_of

code_here = functools.cache(code_version)
"""The code as it was when this process first looked: it does not run what was changed since."""


def played_by(spread: Spread) -> Elsewhere:
    """Have games played by the workers of a spread."""

    def play(chunks: Sequence[Chunk], tick: Tick) -> Iterator[PlayedOf[Row]]:
        asked = [msgspec.json.encode(chunk) for chunk in chunks]
        for _, answer in spread.answers("games", asked, tick):
            for unit, lines in msgspec.json.decode(answer, type=Answer):
                yield PlayedOf(unit, tuple(map(read_row, lines)))

    return play


def _answer(asked: bytes, tick: Tick) -> bytes:
    return msgspec.json.encode(answer_of(_chunk(asked), tick))


def _version(asked: bytes) -> str:
    first = _chunk(asked)[0]
    domain = domain_of(first.suite)
    try:
        # A buyer that was trained here may lie on no other machine, or be another one there.
        return f"{code_here(domain.rooms)} {domain.policy(first.policy).version}"
    except UnknownPolicy:
        return ""


def _chunk(asked: bytes) -> Chunk:
    return msgspec.json.decode(asked, type=Chunk)


GAMES = Errand(_answer, _version)
