"""The same game played by the model of every stage: read, ordered, and told in a few words."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from agents.buyers.network_buyer import NAME as NETWORK
from negotiation.money import rupees_text
from training.evaluation.folder import SAMPLES
from training.evaluation.samples import Line, Sample, try_samples
from training.models import Run
from training.pages.public.chain import STAGES, Step
from training.runs import lifecycle

ORDER = tuple(kind for kind, _ in STAGES)
ENDING = re.compile(r"[:-](base|sft|grpo|dpo)(?:-\d+)?$")

SHOWN = 4
"""Games that the page shows."""

OPENING, CLOSE = 4, 2
"""Turns of a long game that are not folded away."""


class Said(msgspec.Struct, frozen=True):
    """One turn as the page writes it."""

    who: str
    what: str
    price: str
    text: str


class Played(msgspec.Struct, frozen=True):
    """One buyer's game; ``spot``: the deal between reservation price (0) and budget (100).

    The turns are ``opening``, ``middle`` (folded away) and ``close``.
    """

    policy: str
    title: str
    is_trained: bool
    ending: str
    share: float | None
    spot: float | None
    rounds: int
    opening: tuple[Said, ...]
    middle: tuple[Said, ...]
    close: tuple[Said, ...]


class SameGame(msgspec.Struct, frozen=True):
    """One game, played by several buyers. Prices as text."""

    item: str
    suite: str
    seed: int
    anchor: str
    budget: str
    reservation: str
    winnable: bool
    played: tuple[Played, ...]


def games_of(steps: Sequence[Step], strangers: Run | None) -> tuple[Sample, ...]:
    """Collect the games that runs have left to be read.

    Games with talking sellers come first: there both sides speak. Of a buyer's game that several
    runs have kept, the latest stands.
    """
    found: dict[tuple[str, int, str], Sample] = {}
    for run in [*([strangers] if strangers else []), *(step.run for step in steps)]:
        for one in try_samples(lifecycle.folder_of(run) / SAMPLES):
            found[one.suite, one.seed, one.policy] = one
    return tuple(found.values())


def same_games(samples: Iterable[Sample], most: int = SHOWN) -> tuple[SameGame, ...]:
    """Gather the games that at least two buyers played, those with most buyers first.

    Of as many buyers, the first seed of every suite stands before the second.
    """
    tables: dict[tuple[str, int], list[Sample]] = {}
    for one in samples:
        tables.setdefault((one.suite, one.seed), []).append(one)
    shared = [sorted(group, key=_stage) for group in tables.values() if len(group) > 1]
    shared.sort(key=lambda group: (-len(group), group[0].seed))
    return tuple(_told(group) for group in shared[:most])


def stage_of(policy: str) -> str:
    """Return the stage that a policy's name ends with; "" for others.

    >>> stage_of("sauda-mini:grpo"), stage_of("mini-dpo-2"), stage_of("rules:smart")
    ('grpo', 'dpo', '')
    """
    found = ENDING.search(policy)
    return found[1] if found else ""


def ending_of(one: Sample) -> str:
    """Return how a game ended, in a few words."""
    if one.price is not None:
        return f"deal at {_money(one.price, one)}"
    return {"buyer": "the buyer left", "seller": "the seller left"}.get(
        one.by or "", "time ran out"
    )


def _told(group: Sequence[Sample]) -> SameGame:
    first = group[0]
    return SameGame(
        item=first.item,
        suite=first.suite,
        seed=first.seed,
        anchor=_money(first.anchor, first),
        budget=_money(first.budget, first),
        reservation=_money(first.reservation, first),
        winnable=first.share is not None,
        played=tuple(_played(one) for one in group),
    )


def _played(one: Sample) -> Played:
    zone = one.budget - one.reservation
    spot = None if one.price is None or zone <= 0 else 100 * (one.price - one.reservation) / zone
    turns = tuple(_said(line, one) for line in one.lines)
    first, last = (OPENING, CLOSE) if len(turns) > OPENING + CLOSE + 1 else (len(turns), 0)
    end = len(turns) - last
    return Played(
        policy=one.policy,
        title=one.title,
        is_trained=bool(stage_of(one.policy)) or one.policy == NETWORK,
        ending=ending_of(one),
        share=one.share,
        spot=spot,
        rounds=one.rounds,
        opening=turns[:first],
        middle=turns[first:end],
        close=turns[end:],
    )


def _said(line: Line, one: Sample) -> Said:
    price = "" if line.price is None else _money(line.price, one)
    what = {"offer": "", "accept": "takes", "walk": "walks away", "message": ""}[line.move]
    return Said(line.side, what, price, line.text)


def _money(paise: int, one: Sample) -> str:
    return rupees_text(paise / 100, one.currency)


def _stage(one: Sample) -> tuple[int, str]:
    stage = stage_of(one.policy)
    return (ORDER.index(stage) if stage else len(ORDER), one.policy)
