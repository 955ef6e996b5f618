"""A coalition that was formed, as a coalition game: what members could claim, and what they got.

A group is worth its best joint plan of blocks and jobs as they stood when the last member was about
to join. The solver is exact, but takes seconds for the groups of five labs early in a market; where
it does not answer in time, the engine's quick planner answers for all groups, so that none looks
poor beside another only because it was asked otherwise.
This reads hidden values: it is for markets that have ended.
"""

import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import inf

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from arena.gpu_market.board.titles import lab_name
from arena.words import say
from bazaarbatna.market.blocks import hours_left
from bazaarbatna.market.coalition import (
    CoalitionGame,
    about_core,
    about_leaving,
    about_shapley,
    is_in_core,
    shapley_values,
)
from bazaarbatna.market.episode import repeat, start
from bazaarbatna.market.events import Answered, MarketEvent, TurnTaken
from bazaarbatna.market.planner import TooLong, group_value
from bazaarbatna.market.planning import plan, plan_value
from bazaarbatna.market.quantities import LAB_NUMBERS
from bazaarbatna.market.scenario import MarketScenario
from bazaarbatna.market.state import State
from negotiation.charts.svg import element, labelled

Group = frozenset[str]


class Worths(msgspec.Struct, frozen=True):
    """Worth of every group, in hundredths of a credit; ``exact`` where the solver gave them all."""

    members: tuple[str, ...]
    of: dict[Group, int]
    exact: bool


def worths_of(state: State, members: Sequence[str], until_s: float = inf) -> Worths:
    """Return each group's worth; past ``until_s`` (``time.monotonic``) by the quick planner."""
    groups = [
        frozenset(group)
        for size in range(1, len(members) + 1)
        for group in combinations(members, size)
    ]
    try:
        return Worths(
            tuple(members), {group: _solved(state, group, until_s) for group in groups}, exact=True
        )
    except TooLong:
        quick: dict[Group, int] = {}
        for group in groups:
            # The quick planner may do worse with more to choose from: then the parts play alone.
            apart = (quick[part] + quick[group - part] for part in quick if part < group)
            quick[group] = max([_planned(state, group), *apart])
        return Worths(tuple(members), quick, exact=False)


def _solved(state: State, group: Group, until_s: float) -> int:
    left_s = until_s - time.monotonic()
    if left_s <= 0:
        raise TooLong("No time is left.")
    return group_value(state, group, left_s)


def _planned(state: State, group: Group) -> int:
    windows = state.scenario.rules.windows
    blocks = [
        block
        for block in state.blocks
        if block.owner in group and hours_left(block, state.round, windows=windows)
    ]
    jobs = [job for member in sorted(group) for job in state.jobs[LAB_NUMBERS[member]]]
    return plan_value(plan(jobs, blocks, state.round, windows=windows))


class Claim(msgspec.Struct, frozen=True):
    """One member: money in credits. ``gets`` is what it made after the coalition was complete."""

    lab: str
    name: str
    alone: float
    adds: float
    gets: float


class Explained(msgspec.Struct, frozen=True):
    """A coalition with its claims; three groups of sentences, of the mathematics, follow from them.

    ``exact``: the solver answered for every group, else the engine's quick planner did.
    """

    coalition: str
    round: int
    claims: tuple[Claim, ...]
    together: float
    stable: bool
    game: CoalitionGame
    split: dict[str, Fraction]
    exact: bool

    @property
    def leaving(self) -> tuple[str, ...]:
        """Who gains by leaving."""
        return about_leaving(self.game, self.split, look_up=_)

    @property
    def core(self) -> str:
        """Whether some split keeps every group."""
        return about_core(self.game, look_up=_)

    @property
    def shapley(self) -> tuple[str, ...]:
        """What each member gets beside what it adds."""
        return about_shapley(self.game, self.split, look_up=_)


def explain_coalitions(
    scenario: MarketScenario, events: Sequence[MarketEvent], within_s: float = inf
) -> tuple[Explained, ...]:
    """Explain every coalition that somebody joined, within ``within_s`` seconds for all of them."""
    until_s = time.monotonic() + within_s
    names = {card.id: card.name for card in scenario.labs}
    end = _walk(scenario, events, len(events))
    last: dict[str, int] = {
        event.coalition: at
        for at, event in enumerate(events)
        if isinstance(event, Answered) and event.consents
    }
    explained = []
    for coalition, at in last.items():
        before = _walk(scenario, events[: at + 1], at)
        members = end.coalitions[int(coalition.rpartition("_")[2])].members
        worths = worths_of(before, members, until_s)
        explained.append(_explained(coalition, before, end, worths, names))
    return tuple(explained)


def game_of(worths: Worths, names: dict[str, str]) -> CoalitionGame:
    """Return what groups of labs are worth as a coalition game, in credits; ``names`` are by id."""
    ids = {names[member]: member for member in worths.members}
    return CoalitionGame.from_function(
        list(ids), lambda group: Fraction(worths.of[frozenset(ids[name] for name in group)], 100)
    )


def _explained(
    coalition: str, before: State, end: State, worths: Worths, names: dict[str, str]
) -> Explained:
    game = game_of(worths, names)
    split = {
        names[member]: Fraction(_utility(end, member) - _utility(before, member), 100)
        for member in worths.members
    }
    adds = shapley_values(game)
    claims = tuple(
        Claim(
            member,
            names[member],
            float(game.worth([names[member]])),
            float(adds[names[member]]),
            float(split[names[member]]),
        )
        for member in worths.members
    )
    return Explained(
        coalition,
        before.round,
        claims,
        float(game.worth(game.players)),
        is_in_core(game, split),
        game,
        split,
        worths.exact,
    )


def _utility(state: State, member: str) -> int:
    return state.tallies[LAB_NUMBERS[member]].utility


def _walk(scenario: MarketScenario, events: Sequence[MarketEvent], upto: int) -> State:
    state, _ = start(scenario)
    turns = [event for event in events[: upto + 1] if isinstance(event, TurnTaken)]
    for event in turns if upto >= len(events) else turns[:-1]:
        state, _ = repeat(state, event)
    return state


ROW, BAR = 46, 18


def claims_chart(explained: Explained) -> SafeString:
    """Draw one row for each member: a bar for what it got, ticks for its claims. In credits."""
    numbers = [n for claim in explained.claims for n in (claim.alone, claim.adds, claim.gets)]
    low, high = min([0.0, *numbers]), max([1.0, *numbers])

    def at(value: float) -> str:
        return f"{100 * (value - low) / (high - low):.2f}%"

    rows: list[SafeString] = []
    for number, claim in enumerate(explained.claims):
        top = number * ROW + 20
        left, wide = min(claim.gets, 0.0), abs(claim.gets)
        rows.append(
            element(
                "g",
                {"class": f"claim of-{claim.lab}"},
                element("title", {}, _words(explained.claims[number].name, claim.gets)),
                element("text", {"x": 0, "y": top - 6}, lab_name(claim.name)),
                element(
                    "rect",
                    {
                        "class": "claim-got",
                        "x": at(left),
                        "y": top,
                        "width": f"{100 * wide / (high - low):.2f}%",
                        "height": BAR,
                        "rx": 3,
                    },
                ),
                _tick("claim-alone", at(claim.alone), top),
                _tick("claim-adds", at(claim.adds), top),
            )
        )
    name = explained.coalition
    said = "; ".join(
        say(
            "who_made_made_worth_alone_alone_adds",
            who=lab_name(claim.name),
            made=f"{claim.gets:.2f}",
            alone=f"{claim.alone:.2f}",
            adds=f"{claim.adds:.2f}",
        )
        for claim in explained.claims
    )
    return labelled(
        {"class": "claims", "width": "100%", "height": ROW * len(explained.claims)},
        name,
        say("what_members_made_and_what_they_could"),
        said,
        *rows,
    )


def _tick(look: str, x: str, top: int) -> SafeString:
    return element("line", {"class": look, "x1": x, "x2": x, "y1": top - 3, "y2": top + BAR + 3})


def _words(name: str, gets: float) -> str:
    return say("who_made_amount_credits_2", who=lab_name(name), amount=f"{gets:.2f}")
