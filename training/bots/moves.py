"""What a bot answered, as it is kept: enough to play its game again, move by move."""

import math
from typing import Literal

import msgspec

from negotiation.engine.episode import MAX_TEXT
from negotiation.engine.moves import Offer
from negotiation.environment.actions import Action, read_action, to_proposal
from negotiation.environment.errors import UnreadableAction
from training.bots.calling.errors import CallFailed, Code

NO_PRICE = math.nan
"""What a failed answer proposes: the game repairs it to the last bid and the reward says so."""


class Answered(msgspec.Struct, frozen=True, tag="answered", tag_field="kind"):
    """A readable action; ``price`` in rupees."""

    action: Literal["offer", "accept", "walk"]
    price: float | None = None
    message: str = ""


class Failed(msgspec.Struct, frozen=True, tag="failed", tag_field="kind"):
    """No usable answer after all tries, and why the last one failed."""

    code: Code


KeptMove = Answered | Failed

_decoder = msgspec.json.Decoder(tuple[KeptMove, ...])


def read_answer(body: bytes) -> Answered:
    """Read what a bot sent.

    Raises:
        CallFailed: it is no action.
    """
    try:
        action = read_action(msgspec.json.decode(body))
        to_proposal(action)
    except (msgspec.DecodeError, UnicodeDecodeError, UnreadableAction, RecursionError):
        raise CallFailed("unreadable") from None
    return kept(action)


def kept(action: Action) -> Answered:
    """Keep of an action what the game looks at."""
    price = action.price if action.action == "offer" else None
    return Answered(action.action, price, action.message[:MAX_TEXT])


def proposal_of(move: KeptMove) -> object:
    """Turn a kept move into what is proposed to the game; the same move, the same proposal."""
    if isinstance(move, Failed):
        return Offer(NO_PRICE)  # type: ignore[arg-type]  # judged as a bid that is no price
    return to_proposal(Action(move.action, move.price, move.message))


def to_text(moves: tuple[KeptMove, ...]) -> str:
    """Write the moves of a game as one line of JSON."""
    return msgspec.json.encode(moves).decode()


def from_text(text: str) -> tuple[KeptMove, ...]:
    """Read the moves of a game.

    Raises:
        msgspec.DecodeError: they are not what ``to_text`` wrote.
    """
    return _decoder.decode(text)


def same_decision(one: KeptMove, another: KeptMove) -> bool:
    """Tell whether two answers to the same question decide the same; words do not count."""
    return _decision(one) == _decision(another)


def _decision(move: KeptMove) -> tuple[str, object]:
    if isinstance(move, Failed):
        return "failed", None
    proposal = proposal_of(move)
    return move.action, proposal.price if isinstance(proposal, Offer) else None
