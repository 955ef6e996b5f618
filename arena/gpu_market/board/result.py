"""What labs make: reward columns as they accrue, and the sheet at the end with all that was sealed.

This reads hidden values: what it says of a lab goes to that lab, or to everybody after the end.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from arena.gpu_market.board.coalition_claims import Explained, claims_chart
from arena.gpu_market.board.names import credits_text, player_name
from arena.gpu_market.board.parts import Board, Event, LabSeat
from arena.gpu_market.board.titles import TITLES, archetype_name, lab_name, shock_title, words_of
from arena.gpu_market.twins import Cost, Step
from arena.words import say
from bazaarbatna.market.quantities import to_cents
from bazaarbatna.market.rewards import COLUMNS
from negotiation.charts.svg import element, labelled


class Accrued(msgspec.Struct, frozen=True):
    """A lab's columns after some of its turns; ``path`` is the running return, from 0."""

    lab: str
    sums: tuple[tuple[str, float], ...]
    path: tuple[float, ...]

    @property
    def total(self) -> float:
        """The return so far."""
        return self.path[-1]


def accrued(lab: str, steps: Sequence[Step]) -> Accrued:
    """Add a lab's steps up."""
    rows = [msgspec.structs.astuple(step.reward) for step in steps]
    sums = [sum(column) for column in zip(*rows, strict=True)] or [0.0] * len(COLUMNS)
    path = [0.0]
    for step in steps:
        path.append(path[-1] + step.reward.normalized_reward)
    return Accrued(lab, tuple(zip(COLUMNS, sums, strict=True)), tuple(path))


def reward_path(rows: Sequence[Accrued], names: dict[str, str], turns: int) -> SafeString:
    """Draw the running returns of some labs over the ``turns`` of an episode."""
    reach = max([0.1, *(abs(value) for row in rows for value in row.path)])
    said = "; ".join(f"{names[row.lab]} {row.total:+.3f}" for row in rows)
    lines = [
        element(
            "path",
            {"class": f"reward-line of-{row.lab}", "d": _steps(row.path, turns, reach)},
            element("title", {}, f"{names[row.lab]}: {row.total:+.3f}"),
        )
        for row in rows
    ]
    return labelled(
        {
            "class": "reward-path",
            "viewBox": "0 0 100 100",
            "preserveAspectRatio": "none",
            "width": "100%",
            "height": 130,
        },
        "reward-path",
        say("return_so_far_turn_by_turn"),
        said or say("no_turn_is_over_yet"),
        element("path", {"class": "reward-zero", "d": "M0 50H100"}),
        *lines,
    )


def _steps(path: Sequence[float], turns: int, reach: float) -> str:
    wide = 100 / max(turns, 1)
    d = f"M0 {_height(path[0], reach)}"
    for number, value in enumerate(path[1:], start=1):
        d += f"H{number * wide:.1f}V{_height(value, reach)}"
    return d


def _height(value: float, reach: float) -> str:
    return f"{50 - 46 * value / reach:.1f}"


class Standing(msgspec.Struct, frozen=True):
    """A lab's end. Money in hundredths of a credit; ``reward`` is the return of the mix."""

    seat: LabSeat
    plays: str
    finished: int
    jobs: int
    budget: int
    spent: int
    reward: float
    about: str = ""


def result_context(
    frames: Sequence[Event],
    board: Board,
    rewards: Sequence[Accrued],
    explained: Sequence[Explained],
) -> dict[str, Any]:
    """Gather the sheet from a reader's frames, of which the last one is ``ended``."""
    ended = frames[-1]["event"]
    standings = standings_of(ended, board, rewards)
    best = standings[0]
    return {
        "headline": say(
            "who_made_amount_credits",
            who=lab_name(best.seat.name),
            amount=credits_text(best.seat.utility or 0),
        ),
        "verdict": _verdict(board, standings),
        "standings": standings,
        "committed_text": ended["committed_text"],
        "commitment": ended["commitment"],
        "shocks": [
            (at, told, shock_title(told["kind"]))
            for at, told in enumerate(ended["opened"]["shocks"])
            if told["round"] < board.rounds
        ],
        "coalitions": [(one, claims_chart(one)) for one in explained],
    }


def standings_of(ended: Event, board: Board, rewards: Sequence[Accrued]) -> list[Standing]:
    """List the labs, the one that made most first."""
    returns = {row.lab: row.total for row in rewards}
    rows = []
    for seat, told, budget in zip(
        board.labs, ended["results"], ended["opened"]["budgets"], strict=True
    ):
        left = to_cents(told["budget"])
        rows.append(
            Standing(
                seat,
                archetype_name(seat.archetype) if seat.archetype else player_name(seat.plays),
                told["finished"],
                told["jobs"],
                left,
                to_cents(budget) - left,
                returns.get(seat.id, 0.0),
                words_of(TITLES.characters, seat.archetype, otherwise=""),
            )
        )
    return sorted(rows, key=lambda row: -(row.seat.utility or 0))


def cost_words(costs: Sequence[tuple[str, Cost]], what: str) -> str:
    """Say in one sentence whom a shock cost most, of labs by name.

    >>> cost_words([("Aravalli Lab", Cost("lab_0", 500, 900))], "the energy spike")
    'the energy spike cost Aravalli Lab 4 credits.'
    """
    loser, worst = max(costs, key=lambda one: one[1].cost)
    winner, best = min(costs, key=lambda one: one[1].cost)
    if worst.cost == 0 and best.cost == 0:
        return say("what_changed_nothing_for_anybody", what=what)
    values = {
        "what": what,
        "worst": loser,
        "cost": credits_text(worst.cost),
        "best": winner,
        "more": credits_text(-best.cost),
    }
    if worst.cost > 0 > best.cost:
        words = say("what_cost_worst_cost_credits_and_brought")
    elif worst.cost > 0:
        words = say("what_cost_worst_cost_credits")
    else:
        words = say("what_brought_best_more_more")
    return words % values


def _verdict(board: Board, standings: Sequence[Standing]) -> str:
    deals = len(board.contracts)
    run = sum(row.finished for row in standings)
    asked = sum(row.jobs for row in standings)
    wasted = sum(
        block.hours for block in board.blocks if block.is_live and block.owner in _labs(board)
    )
    values = {"run": run, "asked": asked, "deals": deals or say("no"), "wasted": wasted}
    words = ngettext(
        "%(run)s of %(asked)s jobs were run, one deal made; %(wasted)s GPU-hours went unused.",
        "%(run)s of %(asked)s jobs were run, %(deals)s deals made; %(wasted)s GPU-hours went "
        "unused.",
        deals,
    )
    return words % values


def _labs(board: Board) -> set[str]:
    return {lab.id for lab in board.labs}
