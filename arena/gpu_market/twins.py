"""What can be asked of a match that is over: another action, no shocks, what each step was worth.

Pure: scenarios and logs go in, logs, differences and rewards come out.
"""

from collections.abc import Callable, Sequence
from random import Random

import msgspec

from bazaarbatna.market.actions import Malformed, MarketAction
from bazaarbatna.market.episode import apply, fold, repeat, start
from bazaarbatna.market.errors import BrokenLog
from bazaarbatna.market.events import MarketEvent, Settled, TurnTaken
from bazaarbatna.market.observe import Observation
from bazaarbatna.market.planner import measure
from bazaarbatna.market.playing import Player, play_market, play_on
from bazaarbatna.market.policies.registry import make_live_policy
from bazaarbatna.market.policies.views import Policy
from bazaarbatna.market.quantities import LAB_NUMBERS
from bazaarbatna.market.rewards import Normaliser, Reward, reward
from bazaarbatna.market.scenario import MarketScenario, without_shocks
from bazaarbatna.market.scripted import DRAWS, draw_luck
from bazaarbatna.market.state import State

PERSON = "person"
ARCHETYPE = "archetype"
"""Who plays a lab, where it is no named policy; which archetype it is stays sealed."""

STAND_IN = "rule_expert"
"""Plays on for a person, who cannot be asked again."""

SEED_BITS = 53


def player_of(scenario: MarketScenario, lab: int, name: str, *, luck: int = 0) -> Player:
    """Return a lab's player, on other luck unless ``luck`` is 0; unknown ones raise when asked."""

    def play(seen: Observation) -> MarketAction | Malformed:
        return policy_of(scenario, lab, name, seen.round, luck=luck)(seen)

    return play


def policy_of(
    scenario: MarketScenario, lab: int, name: str, round_: int, *, luck: int = 0
) -> Policy:
    """Return the policy that plays a lab in one round, with the luck of that turn."""
    policy = STAND_IN if name == PERSON else name
    text = f"{scenario.sealed.seed}:{lab}:{round_}:{luck}"
    return make_live_policy(policy, Random(text).getrandbits(SEED_BITS))


def players_of(
    scenario: MarketScenario, seats: Sequence[str], *, luck: int = 0
) -> dict[int, Player]:
    """Return the players of all labs that do not follow their archetypes."""
    return {
        lab: player_of(scenario, lab, name, luck=luck)
        for lab, name in enumerate(seats)
        if name != ARCHETYPE
    }


class NoTurnHere(ValueError):
    """There is no turn at that place of the log."""


class Fork(msgspec.Struct, frozen=True):
    """Another course of a match. Utilities of all labs in hundredths of a credit.

    ``recorded`` is how the match itself ended, and ``own`` how it ends with the lab's own action
    when a stand-in plays on for persons from that turn. What the action changed is ``forked`` less
    ``own``.
    """

    lab: int
    events: tuple[MarketEvent, ...]
    recorded: tuple[int, ...]
    own: tuple[int, ...]
    forked: tuple[int, ...]

    @property
    def difference(self) -> int:
        """What the other action brought the lab, on the match's own luck."""
        return self.forked[self.lab] - self.own[self.lab]


def fork(
    scenario: MarketScenario,
    events: Sequence[MarketEvent],
    seq: int,
    action: MarketAction,
    seats: Sequence[str],
) -> Fork:
    """Put another action into one turn and play on with the same players, on the same luck.

    Raises ``NoTurnHere`` where event ``seq`` (from 1) is no turn, or the match is not over.
    """
    turn, lab = _turn_at(events, seq)
    recorded = _utilities(fold(scenario, events))
    if not recorded:
        raise NoTurnHere("The match is not over; ask again after its end.")
    before = fold(scenario, events[: seq - 1])
    if action == turn.action:
        return Fork(lab, tuple(events), recorded, recorded, recorded)
    players = players_of(scenario, seats)
    state, happened = apply(before, lab, action)
    end, rest = play_on(state, players)
    own = recorded
    if PERSON in seats:
        own = _utilities(play_on(repeat(before, turn)[0], players)[0])
    return Fork(lab, (*events[: seq - 1], *happened, *rest), recorded, own, _utilities(end))


def gains(
    scenario: MarketScenario,
    events: Sequence[MarketEvent],
    seq: int,
    action: MarketAction,
    seats: Sequence[str],
    *,
    pairs: int,
) -> tuple[int, ...]:
    """Compare the other action with the own one on other luck than the match's.

    Both courses of a pair meet the same luck from that turn on: the draws of scripted labs and of
    policies. Shocks, jobs and budgets stay those of the match.

    Returns the lab's utility with the other action less that with its own, one per pair, in
    hundredths of a credit. Raises ``NoTurnHere`` where event ``seq`` (from 1) is no turn.
    """
    turn, lab = _turn_at(events, seq)
    before = fold(scenario, events[: seq - 1])
    found = []
    for number in range(1, pairs + 1):
        state = _with_luck(before, number)
        players = players_of(scenario, seats, luck=number)
        other, _ = play_on(apply(state, lab, action)[0], players)
        own, _ = play_on(repeat(state, turn)[0], players)
        found.append(_utilities(other)[lab] - _utilities(own)[lab])
    return tuple(found)


def _turn_at(events: Sequence[MarketEvent], seq: int) -> tuple[TurnTaken, int]:
    event = events[seq - 1] if 0 < seq <= len(events) else None
    if not isinstance(event, TurnTaken):
        raise NoTurnHere("There is no turn at that place; choose the number of a turn.")
    return event, LAB_NUMBERS[event.lab]


def _with_luck(state: State, number: int) -> State:
    labs = len(state.budgets)
    seed = Random(f"{state.scenario.sealed.seed}:{number}").getrandbits(SEED_BITS)
    at = (state.round * labs + state.turn) * DRAWS
    drawn = draw_luck(seed, state.scenario.rounds, labs)
    return msgspec.structs.replace(state, luck=(*state.luck[:at], *drawn[at:]))


def _utilities(state: State) -> tuple[int, ...]:
    return tuple(one.utility for one in state.ended.results) if state.ended else ()


Judged = Callable[[int, int], float]

ARRIVALS = ("sudden_supply", "emergency_auction")
"""Shocks that bring a block."""


class Step(msgspec.Struct, frozen=True):
    """One step of a lab: from one of its turns to the next, or to the end.

    ``seq`` is the log's number of the ``turn`` event; ``round`` counts from 0.
    """

    seq: int
    round: int
    reward: Reward


def all_steps_of(
    scenario: MarketScenario,
    events: Sequence[MarketEvent],
    *,
    normaliser: Normaliser = measure,
    judged: Judged | None = None,
) -> tuple[tuple[Step, ...], ...]:
    """Score a match for every lab, as ``play_scored`` scores an episode for one.

    While a match is live the usual normaliser would tell its lab of what is to come: it knows the
    jobs that a demand surge will bring.
    """
    labs = range(len(scenario.labs))
    best = {lab: normaliser(scenario, lab) for lab in labs}
    state, opening = start(scenario)
    told = list(opening)
    # What happens to a lab before its first turn belongs to its first step.
    began: dict[int, State] = dict.fromkeys(labs, state)
    open_: dict[int, tuple[int, TurnTaken]] = {}
    steps: dict[int, list[Step]] = {lab: [] for lab in labs}

    def close(lab: int) -> None:
        if lab in open_:
            seq, turn = open_.pop(lab)
            bonus = None if judged is None else judged(turn.round, lab)
            paid = reward(began[lab], state, lab, best[lab], bonus)
            steps[lab].append(Step(seq, turn.round, paid))
            began[lab] = state

    for seq, event in enumerate(events, start=1):
        if isinstance(event, TurnTaken):
            lab = LAB_NUMBERS[event.lab]
            close(lab)
            open_[lab] = seq, event
            state, happened = repeat(state, event)
            told += happened
    if tuple(told[: len(events)]) != tuple(events):
        raise BrokenLog("The log tells something else than its own turns.")
    for lab in labs:
        if state.ended is not None or state.turn == lab:
            close(lab)
    return tuple(tuple(steps[lab]) for lab in labs)


class Cost(msgspec.Struct, frozen=True):
    """What the shocks cost a lab, in hundredths of a credit; less than 0 where they helped."""

    lab: str
    struck: int
    calm: int

    @property
    def cost(self) -> int:
        """Utility in the calm world less that in the struck one."""
        return self.calm - self.struck


class Twin(msgspec.Struct, frozen=True):
    """Both worlds, played by the same players.

    ``calm_scenario`` is the world without the shock, which seals other values. ``stand_ins`` are
    the labs that a stand-in plays in both, because a person played them: then ``struck`` is not
    the match that was played.
    """

    scenario: MarketScenario
    calm_scenario: MarketScenario
    struck: tuple[MarketEvent, ...]
    calm: tuple[MarketEvent, ...]
    costs: tuple[Cost, ...]
    stand_ins: tuple[int, ...]


def shock_twin(scenario: MarketScenario, seats: Sequence[str], number: int | None = None) -> Twin:
    """Play a market with its shocks, and without the one of a number (None: without any)."""
    calm_scenario = without_shocks(scenario) if number is None else without_shock(scenario, number)
    players = players_of(scenario, seats)
    struck_state, struck = play_market(scenario, players)
    calm_state, calm = play_market(calm_scenario, players)
    costs = tuple(
        Cost(one.lab, one.utility, other.utility)
        for one, other in zip(_results(struck_state), _results(calm_state), strict=True)
    )
    stand_ins = tuple(lab for lab, name in enumerate(seats) if name == PERSON)
    return Twin(scenario, calm_scenario, struck, calm, costs, stand_ins)


def without_shock(scenario: MarketScenario, number: int) -> MarketScenario:
    """Return the same world in which one shock does not strike."""
    sealed = scenario.sealed
    shock = sealed.shocks[number]
    spare, arrivals = sealed.spare, [one for one in sealed.shocks if one.kind in ARRIVALS]
    if shock in arrivals:
        # Blocks that shocks bring are counted by place.
        at = arrivals.index(shock)
        spare = (*spare[:at], *spare[at + 1 :])
    rest = (*sealed.shocks[:number], *sealed.shocks[number + 1 :])
    surge = () if shock.kind == "demand_surge" else sealed.surge
    calmer = msgspec.structs.replace(sealed, shocks=rest, spare=spare, surge=surge)
    return msgspec.structs.replace(scenario, sealed=calmer)


def _results(state: State) -> tuple[Settled, ...]:
    return state.ended.results if state.ended is not None else ()
