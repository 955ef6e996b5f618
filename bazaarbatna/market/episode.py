"""The state machine of an episode: labs act in turn, the last one ends the round.

Every lab's turn is taken either from outside (``apply``), where an action is checked, then done or
refused, or by its archetype (``advance``); the rules do not care which, and any lab may change from
one to the other at any time.
"""

from collections.abc import Callable, Collection, Sequence

from bazaarbatna.bargain.sealed import commitment
from bazaarbatna.market import running, trading
from bazaarbatna.market.actions import ActionName, Malformed, MarketAction, check_form
from bazaarbatna.market.errors import (
    BrokenLog,
    MarketClosed,
    MarketError,
    NotYourTurn,
    Refused,
)
from bazaarbatna.market.events import (
    ActionRefused,
    LabFinished,
    MarketEvent,
    OfferMade,
    Opened,
    Said,
    Speech,
    TurnTaken,
)
from bazaarbatna.market.quantities import LAB_IDS, LAB_NUMBERS
from bazaarbatna.market.rounds import close_round
from bazaarbatna.market.scenario import MarketScenario
from bazaarbatna.market.scripted import draw_luck, play_turn
from bazaarbatna.market.state import ActionResult, Draft, State, Tally, find_lab, freeze, thaw

SHORTEST_PITCH = 12  # characters


def send_message(draft: Draft, lab: int, action: MarketAction) -> None:
    """Speak to one lab, or to all when none is named."""
    if not action.message.strip():
        raise Refused("malformed_action", "A message needs words.")
    _say(draft, lab, action, "message")


def make_pitch(draft: Draft, lab: int, action: MarketAction) -> None:
    """Argue before all why the own work should come first."""
    _check_pitch(action)
    _say(draft, lab, action, "pitch")


def counter_pitch(draft: Draft, lab: int, action: MarketAction) -> None:
    """Answer the pitch of another lab before all."""
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
        running.answer_invitation(draft, lab, action, consents=True)
    else:
        trading.accept_offer(draft, lab, action)


def _reject(draft: Draft, lab: int, action: MarketAction) -> None:
    if action.coalition_id and not action.offer_id:
        running.answer_invitation(draft, lab, action, consents=False)
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
    "form_coalition": running.form_coalition,
    "commit_to_coalition": running.commit,
    "allocate_to_job": running.allocate,
    "send_message": send_message,
    "wait": _wait,
    "finish": _finish,
}


def start(scenario: MarketScenario) -> tuple[State, tuple[MarketEvent, ...]]:
    """Open the market: the first lab is to act."""
    sealed, labs = scenario.sealed, len(scenario.labs)
    opened = Opened(
        scenario.task,
        scenario.rounds,
        scenario.labs,
        scenario.blocks,
        scenario.coalitions,
        commitment(sealed, scenario.salt),
    )
    state = State(
        scenario,
        draw_luck(sealed.seed, scenario.rounds, labs),
        0,
        0,
        scenario.blocks,
        sealed.budgets,
        tuple([card.reputation for card in scenario.labs]),
        sealed.jobs,
        (Tally(),) * labs,
        (None,) * labs,
        (None,) * labs,
        (False,) * labs,
        scenario.offers,
        (),
        (),
        (),
        (),
    )
    return state, (opened, *[OfferMade(0, offer) for offer in scenario.offers])


def apply(
    state: State, lab: int, action: MarketAction | Malformed
) -> tuple[State, tuple[MarketEvent, ...]]:
    """Let a lab that is played from outside take its turn.

    An invalid action moves nothing, costs reputation and uses the turn up; ``state.results`` says
    what was wrong with it.
    """
    _check_turn(state, lab)
    draft = thaw(state)
    take_turn(draft, lab, action)
    _pass_turn(draft)
    return freeze(draft), tuple(draft.events)


def advance(
    state: State, outside: Collection[int] | None = None
) -> tuple[State, tuple[MarketEvent, ...]]:
    """Let archetypes act until one of ``outside`` is to act or the end; None: one turn only."""
    if state.ended is not None:
        raise MarketClosed("The episode has ended.")
    if outside is not None and state.turn in outside:
        return state, ()
    draft = thaw(state)
    while True:
        lab = draft.turn
        draft.events.append(TurnTaken(LAB_IDS[lab], draft.round, None, scripted=True))
        play_turn(draft, lab)
        _pass_turn(draft)
        if draft.ended is not None or outside is None or draft.turn in outside:
            return freeze(draft), tuple(draft.events)


def consider(state: State, lab: int, action: MarketAction | Malformed) -> ActionResult:
    """Say what would become of an action, without doing it."""
    if state.ended is not None or state.left[lab]:
        return ActionResult(False, "episode_done", "The episode has ended; nobody acts any more.")
    return take_turn(thaw(state), lab, action)


def fold(scenario: MarketScenario, events: Sequence[MarketEvent]) -> State:
    """Rebuild the position from a log; ``BrokenLog`` where no episode of this scenario made it."""
    if not events:
        raise BrokenLog("The log does not open this market.")
    state, expected = start(scenario)
    for event in events:
        if not expected:
            state, expected = repeat(state, event)
        if event != expected[0]:
            raise BrokenLog("The log tells something else than its own turns.")
        expected = expected[1:]
    return state


def repeat(state: State, event: MarketEvent) -> tuple[State, tuple[MarketEvent, ...]]:
    """Let a turn of a log happen again; ``BrokenLog`` where the rules do not allow it here."""
    if not isinstance(event, TurnTaken):
        raise BrokenLog("Only a turn can come here.")
    lab = LAB_NUMBERS.get(event.lab, -1)
    try:
        _check_turn(state, lab)
        if event.scripted:
            return advance(state)
        return apply(state, lab, Malformed(event.why) if event.action is None else event.action)
    except MarketError as error:
        raise BrokenLog(f"The log breaks a rule: {error}") from error


def _check_turn(state: State, lab: int) -> None:
    if state.ended is not None:
        raise MarketClosed("The episode has ended; nobody acts any more.")
    if state.turn != lab:
        raise NotYourTurn(f"It is the turn of {LAB_IDS[state.turn]}.")


def _pass_turn(draft: Draft) -> None:
    while draft.ended is None:
        draft.turn += 1
        if draft.turn == len(draft.budgets):
            draft.turn = 0
            close_round(draft)
        if not draft.left[draft.turn]:
            return
