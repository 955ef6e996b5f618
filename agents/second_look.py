"""A model's look at the seller's last words before Sauda's turn, where the operator wants it."""

import time

import msgspec
from django.conf import settings

from agents import asking
from agents.backends.base import Chat
from agents.tells_reader.model_reader import read_more
from agents.tells_reader.reader import read_tells
from negotiation.engine.observe import BuyerObservation
from negotiation.readers import Reading, SaleContext

SHARE = 0.35
"""Part of the turn's time that looking twice may take."""


async def look_twice(
    seen: BuyerObservation, client: str, deadline: float, only: tuple[str, ...] = ()
) -> BuyerObservation:
    """Add to the tells of a position what a model finds in the words; see ``model_reader``.

    Args:
        seen: the position.
        client: whose calls are counted.
        deadline: moment of ``time.monotonic`` at which the whole turn must be over.
        only: backends that may be asked.
    """
    last = seen.turns[-1] if seen.turns else None
    if not settings.SAUDA_MODEL_TELLS or last is None or last.actor != "seller":
        return seen
    if seen.tells is None or not last.text:
        return seen
    now = time.monotonic()
    until = now + SHARE * (deadline - now)

    async def ask(chat: Chat) -> str | None:
        answer = await asking.ask(chat, client, deadline=until, only=only)
        return answer.text if answer.backend else None

    context = SaleContext(seen.asks, seen.bids, seen.turns[:-1], seen.item.condition)
    spans = read_tells(last.text, context, last.price).spans
    more = await read_more(last.text, Reading(seen.tells, spans), ask)
    return msgspec.structs.replace(seen, tells=more.tells)
