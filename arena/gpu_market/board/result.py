"""The sheet at the end of a market: who made what, and everything that was sealed."""

from collections.abc import Sequence
from typing import Any

import msgspec

from arena.gpu_market.board.coalition_claims import Explained, claims_chart
from arena.gpu_market.board.columns import Accrued
from arena.gpu_market.board.names import SHOCK_TITLES, credits_text, player_name
from arena.gpu_market.board.parts import Board, Event, LabSeat
from arena.gpu_market.engine.quantities import to_cents
from arena.gpu_market.twins import Twin


class Standing(msgspec.Struct, frozen=True):
    """A lab's end. Money in hundredths of a credit; ``reward`` is the return of the mix."""

    seat: LabSeat
    plays: str
    finished: int
    jobs: int
    budget: int
    spent: int
    reward: float


class Cost(msgspec.Struct, frozen=True):
    """What a shock cost a lab: utility without it less utility with it (below 0: it gained)."""

    lab: str
    name: str
    with_it: int
    without: int

    @property
    def cost(self) -> int:
        """In hundredths of a credit."""
        return self.without - self.with_it


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
        "headline": f"{best.seat.name} made {credits_text(best.seat.utility or 0)} credits.",
        "verdict": _verdict(board, standings),
        "standings": standings,
        "committed_text": ended["committed_text"],
        "commitment": ended["commitment"],
        "shocks": [
            (at, told, SHOCK_TITLES[told["kind"]])
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
                player_name(seat.archetype or seat.plays),
                told["finished"],
                told["jobs"],
                left,
                to_cents(budget) - left,
                returns.get(seat.id, 0.0),
            )
        )
    return sorted(rows, key=lambda row: -(row.seat.utility or 0))


def costs_of(board: Board, twin: Twin) -> list[Cost]:
    """Set what each lab made beside what it makes in the twin."""
    return [
        Cost(seat.id, seat.name, one.struck, one.calm)
        for seat, one in zip(board.labs, twin.costs, strict=True)
    ]


def cost_words(costs: Sequence[Cost], what: str) -> str:
    """Say in one sentence whom a shock cost most.

    >>> cost_words([Cost("lab_0", "Aravalli Lab", 500, 900)], "the energy spike")
    'the energy spike cost Aravalli Lab 4.00 credits.'
    """
    worst = max(costs, key=lambda one: one.cost)
    best = min(costs, key=lambda one: one.cost)
    if worst.cost == 0 and best.cost == 0:
        return f"{what} changed nothing for anybody."
    words = []
    if worst.cost > 0:
        words.append(f"cost {worst.name} {credits_text(worst.cost)} credits")
    if best.cost < 0:
        words.append(f"brought {best.name} {credits_text(-best.cost)} more")
    return f"{what} {' and '.join(words)}."


def _verdict(board: Board, standings: Sequence[Standing]) -> str:
    deals = len(board.contracts)
    run = sum(row.finished for row in standings)
    asked = sum(row.jobs for row in standings)
    wasted = sum(
        block.hours for block in board.blocks if block.is_live and block.owner in _labs(board)
    )
    deal_words = "one deal" if deals == 1 else f"{deals or 'no'} deals"
    return f"{run} of {asked} jobs were run, {deal_words} made; {wasted} GPU-hours went unused."


def _labs(board: Board) -> set[str]:
    return {lab.id for lab in board.labs}
