"""The tables, a model, and both together, on the same labelled lines."""

import asyncio
from collections.abc import Sequence

import msgspec

from agents.backends.base import Chat
from agents.scoring_sets.labelled import TellsLine
from agents.scoring_sets.tells import TellsScore, noticed_in, score_tells
from agents.tells_reader.model_reader import Ask, ask_for_spans, merge, silent
from agents.tells_reader.reader import read_tells
from negotiation.engine.tells import TellSpan
from negotiation.readers import SaleContext

TOGETHER = 4
"""Lines that are asked at the same time: as many as the gates let through."""

_NOBODY = SaleContext((), (), ())


class Comparison(msgspec.Struct, frozen=True):
    """Scores of the three readers; ``unanswered`` lines got nothing from the model."""

    patterns: TellsScore
    model: TellsScore
    merged: TellsScore
    unanswered: int


async def compare(lines: Sequence[TellsLine], ask: Ask) -> Comparison:
    """Ask a model about every line and score what it adds.

    Args:
        lines: what to read.
        ask: the way to a model; None means that nobody answered.
    """
    gate = asyncio.Semaphore(TOGETHER)
    unanswered = 0

    async def counted(chat: Chat) -> str | None:
        nonlocal unanswered
        answer = None
        try:
            answer = await ask(chat)
        finally:
            unanswered += answer is None
        return answer

    async def spans_of(text: str) -> tuple[TellSpan, ...]:
        async with gate:
            return await ask_for_spans(text, counted)

    answers = await asyncio.gather(*(spans_of(line.text) for line in lines))
    found = {line.text: spans for line, spans in zip(lines, answers, strict=True)}
    return Comparison(
        patterns=score_tells(lines),
        model=score_tells(lines, lambda text: noticed_in(merge(silent(), found[text]))),
        merged=score_tells(
            lines, lambda text: noticed_in(merge(read_tells(text, _NOBODY, None), found[text]))
        ),
        unanswered=unanswered,
    )
