"""The state machine of an episode: labs act in turn, the last one ends the round.

Every lab's turn is taken either from outside (``apply``) or by its archetype (``advance``); the
rules do not care which, and any lab may change from one to the other at any time.
"""

from collections.abc import Collection, Sequence

from arena.gpu_market.engine.acting import take_turn
from arena.gpu_market.engine.actions import Malformed, MarketAction
from arena.gpu_market.engine.errors import BrokenLog, MarketClosed, MarketError, NotYourTurn
from arena.gpu_market.engine.events import MarketEvent, OfferMade, Opened, TurnTaken
from arena.gpu_market.engine.quantities import LAB_IDS, LAB_NUMBERS
from arena.gpu_market.engine.rounds import close_round
from arena.gpu_market.engine.scenario import MarketScenario
from arena.gpu_market.engine.scripted import draw_luck, play_turn
from arena.gpu_market.engine.state import ActionResult, Draft, State, Tally, freeze, thaw
from negotiation.engine.sealed import commitment


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

    Args:
        state: a position in which ``lab`` is to act.
        lab: its number, from 0.
        action: what it does; anything at all may come in here.

    Returns:
        The position in which the next lab is to act, or the end, and the events that happened.

    Raises:
        MarketClosed: the episode has ended.
        NotYourTurn: another lab is to act.
    """
    _check_turn(state, lab)
    draft = thaw(state)
    take_turn(draft, lab, action)
    _pass_turn(draft)
    return freeze(draft), tuple(draft.events)


def advance(
    state: State, outside: Collection[int] | None = None
) -> tuple[State, tuple[MarketEvent, ...]]:
    """Let archetypes act.

    Args:
        state: any position.
        outside: the labs that are played from outside: all others act until it is the turn of one
            of these, or the episode ends. None: only the lab whose turn it is acts.

    Raises:
        MarketClosed: the episode has ended.
    """
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
    """Rebuild the position from the log, checking every event against the rules.

    Raises:
        BrokenLog: the events are not an episode of this scenario.
    """
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
    """Let a turn of a log happen again.

    Args:
        state: the position before it.
        event: what the log has in that place.

    Returns:
        The position after it, and what happened: the log has to tell the same.

    Raises:
        BrokenLog: it is no turn, or not one that the rules allow here.
    """
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
    """Find the lab that acts next; rounds end as it goes round. Who has finished is passed over."""
    while draft.ended is None:
        draft.turn += 1
        if draft.turn == len(draft.budgets):
            draft.turn = 0
            close_round(draft)
        if not draft.left[draft.turn]:
            return
