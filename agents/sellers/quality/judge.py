"""A second opinion on the personas by a language model, where a large one is configured."""

from collections.abc import Sequence
from statistics import fmean

import msgspec

from agents import asking
from agents.backends.base import Message
from agents.prompts.quoting import quote
from agents.sellers.persona import PERSONAS
from agents.sellers.quality.games import Episode

JUDGES = ("hf", "ollama")
"""Backends that can judge; the small model of this house cannot."""

TRANSCRIPTS = 20
"""Games that are shown to the judge: what the gates let one client ask in a minute, and less."""

SHOWN_MESSAGES = 8
"""Messages of a game that are shown."""


class Verdict(msgspec.Struct, frozen=True):
    """``share`` of ``answered`` transcripts whose persona the judge named; None: no judge."""

    share: float | None
    answered: int = 0


async def recognised_by_a_model(episodes: Sequence[Episode]) -> Verdict:
    """Ask a model which persona speaks, over games picked evenly; never raises for its sake."""
    if not asking.awake(JUDGES):
        return Verdict(None)
    stride = max(len(episodes) // TRANSCRIPTS, 1)
    right = []
    for episode in episodes[::stride][:TRANSCRIPTS]:
        answer = await asking.ask(asking.chat_of(question(episode)), "local", only=JUDGES)
        if answer.backend:
            right.append(named(answer.text) == episode.persona)
    return Verdict(fmean(right) if right else None, len(right))


def question(episode: Episode) -> tuple[Message, ...]:
    """Show a seller's messages and ask for one of the persona names."""
    kinds = "\n".join(f"{p.name}: {p.guidance}" for p in PERSONAS.values())
    said = "\n".join(quote(text, 320) for text in episode.messages[:SHOWN_MESSAGES])
    system = (
        "You judge how a seller in a bazaar behaves. Answer with one word, the name of the kind "
        f"that fits best:\n{kinds}\nWhat stands between double quotes was said by the seller."
    )
    return (Message("system", system), Message("user", f"{said}\nWhich kind is this seller?"))


def named(answer: str) -> str:
    """Give the first persona that an answer names; "" when it names none."""
    places = {name: answer.lower().find(name) for name in PERSONAS}
    found = [name for name in PERSONAS if places[name] >= 0]
    return min(found, key=lambda name: places[name], default="")
