"""Words: messages, pitches and answers to pitches. They move nothing by themselves."""

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.events import Said, Speech
from arena.gpu_market.engine.having import find_lab
from arena.gpu_market.engine.quantities import LAB_IDS
from arena.gpu_market.engine.refusals import Refused
from arena.gpu_market.engine.state import Draft

SHORTEST_PITCH = 12
"""In characters."""


def send_message(draft: Draft, lab: int, action: MarketAction) -> None:
    """Speak to one lab, or to all when none is named.

    Raises:
        Refused: there are no words, or no such lab.
    """
    if not action.message.strip():
        raise Refused("malformed_action", "A message needs words.")
    _say(draft, lab, action, "message")


def make_pitch(draft: Draft, lab: int, action: MarketAction) -> None:
    """Argue before all why the own work should come first.

    Raises:
        Refused: ``empty_pitch``.
    """
    _check_pitch(action)
    _say(draft, lab, action, "pitch")


def counter_pitch(draft: Draft, lab: int, action: MarketAction) -> None:
    """Answer the pitch of another lab before all.

    Raises:
        Refused: ``empty_pitch``, or no other lab is named.
    """
    _check_pitch(action)
    if find_lab(draft, action.target_lab_id) == lab:
        raise Refused("unknown_lab", "Answer the pitch of another lab.")
    _say(draft, lab, action, "counter_pitch")


def _check_pitch(action: MarketAction) -> None:
    if len(action.message.strip()) < SHORTEST_PITCH:
        raise Refused("empty_pitch", f"A pitch has at least {SHORTEST_PITCH} characters.")


def _say(draft: Draft, lab: int, action: MarketAction, speech: Speech) -> None:
    to = action.target_lab_id
    if to and find_lab(draft, to) == lab:
        raise Refused("unknown_lab", "Speak to another lab, or to all.")
    said = Said(LAB_IDS[lab], to, draft.round, speech, action.message)
    draft.said.append(said)
    draft.events.append(said)
