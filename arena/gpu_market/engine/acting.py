"""One action of a lab that is played from outside: checked, done or refused."""

from collections.abc import Callable

from arena.gpu_market.engine import pooling, running, trading
from arena.gpu_market.engine.actions import ActionName, Malformed, MarketAction, check_form
from arena.gpu_market.engine.errors import Refused
from arena.gpu_market.engine.events import ActionRefused, LabFinished, Said, Speech, TurnTaken
from arena.gpu_market.engine.quantities import LAB_IDS
from arena.gpu_market.engine.state import ActionResult, Draft, find_lab

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


TRUST_OF_NONSENSE = -0.03
"""What an invalid action does to its lab's reputation."""
FINE = ActionResult()


def take_turn(draft: Draft, lab: int, action: MarketAction | Malformed) -> ActionResult:
    """Do what a lab decided. Nothing but its reputation changes when the action is invalid."""
    try:
        check_form(action)
    except Refused as error:
        draft.events.append(TurnTaken(LAB_IDS[lab], draft.round, None, why=str(error)))
        return _refuse(draft, lab, None, error)
    assert isinstance(action, MarketAction)
    draft.events.append(TurnTaken(LAB_IDS[lab], draft.round, action))
    try:
        RULES[action.action](draft, lab, action)
    except Refused as error:
        return _refuse(draft, lab, action, error)
    _remember(draft, lab, action)
    draft.results[lab] = FINE
    return FINE


def _refuse(draft: Draft, lab: int, action: MarketAction | None, error: Refused) -> ActionResult:
    result = ActionResult(False, error.code, str(error))
    draft.results[lab] = result
    draft.events.append(ActionRefused(LAB_IDS[lab], draft.round, error.code, str(error)))
    draft.trust(lab, TRUST_OF_NONSENSE)
    draft.count(lab, refused=1)
    _remember(draft, lab, action)
    return result


def _remember(draft: Draft, lab: int, action: MarketAction | None) -> None:
    tally = draft.tallies[lab]
    same = action is not None and draft.last[lab] == action
    if not same and tally.repeats == 1 and action is not None:
        draft.last[lab] = action
        return
    draft.count(lab, repeats=1 if same else 1 - tally.repeats)
    draft.last[lab] = action


def _accept(draft: Draft, lab: int, action: MarketAction) -> None:
    if action.coalition_id and not action.offer_id:
        pooling.answer_invitation(draft, lab, action, consents=True)
    else:
        trading.accept_offer(draft, lab, action)


def _reject(draft: Draft, lab: int, action: MarketAction) -> None:
    if action.coalition_id and not action.offer_id:
        pooling.answer_invitation(draft, lab, action, consents=False)
    else:
        trading.reject_offer(draft, lab, action)


def _wait(draft: Draft, lab: int, action: MarketAction) -> None:
    pass


def _finish(draft: Draft, lab: int, action: MarketAction) -> None:
    draft.left[lab] = True
    trading.close_all_of(draft, LAB_IDS[lab])
    draft.events.append(LabFinished(LAB_IDS[lab], draft.round))


RULES: dict[ActionName, Callable[[Draft, int, MarketAction], None]] = {
    "send_offer": trading.send_offer,
    "accept_offer": _accept,
    "reject_offer": _reject,
    "counter_offer": trading.counter_offer,
    "make_pitch": make_pitch,
    "counter_pitch": counter_pitch,
    "reserve_capacity": running.reserve,
    "release_capacity": running.release,
    "form_coalition": pooling.form_coalition,
    "commit_to_coalition": pooling.commit,
    "allocate_to_job": running.allocate,
    "send_message": send_message,
    "wait": _wait,
    "finish": _finish,
}
