"""The comment on a finished match: sentences with numbers, computed from its log alone."""

from collections.abc import Sequence

from arena.auction.engine.comment_facts import Remark as Remark
from arena.auction.engine.comment_facts import facts
from arena.auction.engine.comment_rivals import on_leaving, on_rivalry, on_signals, on_the_lead
from arena.auction.engine.comment_sale import on_no_sale, on_the_sale
from arena.auction.engine.events import ArenaEvent, Ended
from arena.auction.engine.scenario import ArenaScenario

KINDS = (
    "sold",
    "capitulated",
    "hasty",
    "in-time",
    "efficient",
    "inefficient",
    "theory",
    "rational-walk",
    "mutual-loss",
    "refused",
    "left-early",
    "bluffed",
    "lead",
    "rivalry",
)
"""Every kind of remark, roughly in the order in which they come."""


def comment(
    scenario: ArenaScenario,
    events: Sequence[ArenaEvent],
    *,
    without: tuple[int, Ended] | None = None,
) -> tuple[Remark, ...]:
    """Say what is worth saying about a finished match, the most important first.

    Args:
        scenario: of the match; its sealed values are open now.
        events: the whole log.
        without: the winner's strongest rival, and how the same match ends without it.

    Raises:
        BrokenLog: the match has not ended.
    """
    match = facts(scenario, events)
    remarks = [*on_the_sale(match), *on_no_sale(match), *on_leaving(match)]
    if without is not None:
        remarks += on_rivalry(match, *without)
    remarks += [*on_signals(match), *on_the_lead(match)]
    return tuple(remarks)


def strongest_rival(scenario: ArenaScenario, winner: int) -> int:
    """Name the rival of the winner with the highest budget; of several the first."""
    budgets = scenario.sealed.budgets
    others = [seat for seat in range(len(budgets)) if seat != winner]
    return max(others, key=lambda seat: (budgets[seat], -seat))
