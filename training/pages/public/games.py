"""What the model's stages reach: the climb of their shares, and the same game played by each."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from agents.buyers.network_buyer import NAME as NETWORK
from agents.checkpoints import family_of, known
from bazaarbatna.money import rupees_text
from negotiation.charts.svg import element, picture
from negotiation.sentences import sentences
from training.evaluation.folder import SAMPLES
from training.evaluation.samples import Line, Sample, try_samples
from training.models import Run
from training.pages.public.board import Board, Row
from training.pages.public.chain import STAGES, TITLES, Step
from training.runs import lifecycle

say = sentences(__file__)

ORDER = tuple(kind for kind, _ in STAGES)
ENDING = re.compile(r"[:-](base|sft|grpo|dpo)(?:-\d+)?$")
SHOWN = 4  # Games that the page shows
OPENING, CLOSE = 4, 2  # Turns of a long game that are not folded away


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
    """Collect the games that runs have left to be read; of a game kept twice the latest stands.

    Games with talking sellers come first: there both sides speak.
    """
    found: dict[tuple[str, int, str], Sample] = {}
    for run in [*([strangers] if strangers else []), *(step.run for step in steps)]:
        for one in try_samples(lifecycle.folder_of(run) / SAMPLES):
            found[one.suite, one.seed, one.policy] = one
    return tuple(found.values())


def same_games(samples: Iterable[Sample], most: int = SHOWN) -> tuple[SameGame, ...]:
    """Gather games that two or more buyers played, most buyers first, then by first seeds."""
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


def _ending_of(one: Sample) -> str:
    if one.price is not None:
        return say("deal_at_price", price=_money(one.price, one))
    left = {"buyer": say("the_buyer_left"), "seller": say("the_seller_left")}
    return left.get(one.by or "", say("time_ran_out"))


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
        ending=_ending_of(one),
        share=one.share,
        spot=spot,
        rounds=one.rounds,
        opening=turns[:first],
        middle=turns[first:end],
        close=turns[end:],
    )


def _said(line: Line, one: Sample) -> Said:
    price = "" if line.price is None else _money(line.price, one)
    what = {"accept": say("takes"), "walk": pgettext("a move", "walks away")}.get(line.move, "")
    return Said(line.side, what, price, line.text)


def _money(paise: int, one: Sample) -> str:
    return rupees_text(paise / 100, one.currency)


def _stage(one: Sample) -> tuple[int, str]:
    stage = stage_of(one.policy)
    return (ORDER.index(stage) if stage else len(ORDER), one.policy)


WIDTH, HEIGHT = 360.0, 216.0
LEFT, RIGHT = 34.0, 326.0
TOP, FOOT = 26.0, 182.0  # Where shares of 1 and 0 lie
BAR = 34.0
KEY = "climb"
Spot = tuple[float, float]


def best_of_stages(board: Board) -> dict[str, Row]:
    """Return the best row of each stage: of the shipped family, where it was on the board."""
    voice = known().voice
    name = f"{family_of(voice)}:" if voice else ""
    family = [row for row in board.trained if name and row.policy.startswith(name)]
    best: dict[str, Row] = {}
    for row in family or board.trained:
        best.setdefault(stage_of(row.policy), row)
    return best


def climb_chart(board: Board) -> SafeString | None:
    """Draw it; None while fewer than two stages are on the board."""
    by_stage = best_of_stages(board)
    steps = [(kind, by_stage[kind]) for kind, _ in STAGES if kind in by_stage]
    if len(steps) < 2:
        return None
    gap = (RIGHT - LEFT) / (len(steps) - 1)
    spots = [(LEFT + gap * place, _y(row.share)) for place, (_, row) in enumerate(steps)]
    return picture(
        {"viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}"},
        KEY,
        say("what_the_buyer_keeps_after_each"),
        _words(steps, board.best_rule),
        element("path", {"class": "climb-ground", "d": f"M8 {FOOT:g}H{WIDTH - 8:g}"}),
        *_rule(board.best_rule),
        *itertools.chain.from_iterable(
            _step(spot, kind, row) for spot, (kind, row) in zip(spots, steps, strict=True)
        ),
    )


def _rule(row: Row | None) -> Iterator[SafeString]:
    if row is None or row.lead is None:
        return
    y = _y(row.share)
    yield element("path", {"class": "climb-rule", "d": f"M8 {y:.1f}H{WIDTH - 8:g}"})
    place = {"x": 8, "y": y - 6, "text-anchor": "start"}
    words = say("best_by_rule_title_share")
    words = words.format(title=gettext(row.title), share=row.lead.text)
    yield element("text", {"class": "climb-note", **place}, words)


def _step(spot: Spot, kind: str, row: Row) -> Iterator[SafeString]:
    x, y = spot
    lead = row.lead
    bar = {"x": x - BAR / 2, "y": y, "width": BAR, "height": FOOT - y}
    yield element("rect", {"class": "climb-bar", **bar})
    if lead is not None:
        low, high = _y(float(lead.low)), _y(float(lead.high))
        yield element("path", {"class": "climb-span", "d": f"M{x:.1f} {low:.1f}V{high:.1f}"})
    number = {"x": x, "y": y - 15, "text-anchor": "middle"}
    yield element("text", {"class": "climb-number", **number}, lead.text if lead else "")
    name = {"x": x, "y": HEIGHT - 12, "text-anchor": "middle"}
    yield element("text", {"class": "climb-name", **name}, gettext(TITLES[kind]))


def _words(steps: Sequence[tuple[str, Row]], rule: Row | None) -> str:
    told = [
        say(
            "stage_share_low_to_high",
            stage=gettext(TITLES[kind]),
            share=row.lead.text,
            low=row.lead.low,
            high=row.lead.high,
        )
        for kind, row in steps
        if row.lead is not None
    ]
    if rule is not None and rule.lead is not None:
        told.append(
            say("the_best_by_rule_title_share", title=gettext(rule.title), share=rule.lead.text)
        )
    return " ".join(told)


def _y(share: float) -> float:
    return FOOT - (FOOT - TOP) * min(max(share, 0.0), 1.0)
