"""The pages below /training/: the story, and each part of it at its own address."""

import itertools
from collections.abc import Iterator
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from negotiation.sentences import sentences
from negotiation.ttl_cache import cached
from training.data.teaching import Teachers
from training.evaluation.ceilings.players import BEST_RESPONSE, CLAIRVOYANT
from training.evaluation.measures import PATIENCE, WAITER, beside
from training.evaluation.published import KINDS as PLAYED
from training.evaluation.published import STRANGERS, Published, newest
from training.models import KINDS, Run, kind_of, published_runs
from training.pages.public.board import Board, ablation, board_of, figure_of, gaps
from training.pages.public.chain import (
    STAGES,
    Step,
    flow,
    shipped_chain,
    stages_of,
)
from training.pages.public.games import best_of_stages, climb_chart, games_of, same_games
from training.pages.public.people import people
from training.receipts.figures import Figure, Gap
from training.receipts.tables import VoicesTable
from training.runs.files import artifacts_of

say = sentences(__file__)

LOOK_EVERY_S = 10.0
PARTS = ("stages", "people", "games", "ladder", "receipts")
"""Pages below /training/, each with the template of its name."""


class Download(msgspec.Struct, frozen=True):
    """A file of a run."""

    name: str
    url: str


class Receipt(msgspec.Struct, frozen=True):
    """A published run."""

    run: Run
    kind: str
    url: str
    facts: str
    downloads: tuple[Download, ...]


@require_safe
def training(request: HttpRequest, name: str = "index") -> HttpResponse:
    """Show how the shipped model was made and what it can do, or one part of that in full."""
    return TemplateResponse(request, f"training/{name}.html", page())


def page() -> dict[str, Any]:
    """Gather all parts, made at most every few seconds for each language."""
    return cached(f"training-page:{get_language()}", LOOK_EVERY_S, _page)


def _page() -> dict[str, Any]:
    steps = shipped_chain()
    board, strangers = board_of(newest()), board_of(newest(STRANGERS))
    samples = games_of(steps, _run(strangers))
    return {
        "steps": steps,
        "flow": flow(_done(steps, board), "flow", say("from_teacher_games_to_the_table")),
        "stages": stages_of(steps),
        "games": same_games(samples),
        "people": people(),
        "board": board,
        "climb": climb_chart(board) if board else None,
        "climbed": climbed(board) if board else (),
        "ceilings": ceilings_of(board.published) if board else None,
        "strangers": strangers,
        "strangers_climbed": climbed(strangers) if strangers else (),
        "ablation": ablation(),
        "receipts": receipts(),
        "has_voices": VoicesTable.path().is_file(),
        "parameters": _parameters(steps),
    }


def _parameters(steps: tuple[Step, ...]) -> int | None:
    told = next((step.run.summary or {} for step in steps if step.kind == "base"), {})
    found = told.get("parameters")
    return found if isinstance(found, int) else None


def _done(steps: tuple[Step, ...], board: Board | None) -> frozenset[str]:
    kinds = {step.kind for step in steps}
    return frozenset(kinds | {"evaluate"} if board is not None else kinds)


def climbed(board: Board) -> tuple[Gap, ...]:
    """Compare each stage with the one before, SFT with its teachers, the best with a rule."""
    by_stage = {kind: row.policy for kind, row in best_of_stages(board).items()}
    order = [by_stage[kind] for kind, _ in STAGES if kind in by_stage]
    wanted = [(after, before) for before, after in itertools.pairwise(order)]
    if "sft" in by_stage:
        wanted.append((by_stage["sft"], Teachers.name))
    if board.trained and board.best_rule is not None:
        wanted.append((board.trained[0].policy, board.best_rule.policy))
    return gaps(board.published, list(dict.fromkeys(wanted)))


def _run(board: Board | None) -> Run | None:
    return None if board is None else Run.objects.filter(pk=board.run).first()


def ceilings_of(published: Published | None) -> dict[str, Any] | None:
    """Prepare the bounds of an evaluation; None while its games have none.

    In ``patient`` suites the waiter comes ``within`` so many percent of the best response.
    """
    found = beside(published)
    if published is None or found is None:
        return None

    def mean(name: str) -> Figure | None:
        return figure_of(found.published, name, None, "share_of_winnable")

    suites = [one.id for one in published.made.suites]
    return {
        "clairvoyant": mean(CLAIRVOYANT),
        "best": mean(BEST_RESPONSE),
        "waiter": mean(WAITER),
        "patient": sum(found.is_patience(suite) for suite in suites),
        "suites": len(suites),
        "url": reverse("receipt", args=[found.published.run]),
        "within": round(100 * (1 - PATIENCE)),
    }


def receipts() -> tuple[Receipt, ...]:
    """List all published runs in the order of the pipeline, newest first in each kind."""
    order = list(KINDS)
    ranked = sorted(published_runs(KINDS).reverse(), key=lambda run: order.index(run.kind))
    return tuple(_receipt(run) for run in ranked)


def _receipt(run: Run) -> Receipt:
    return Receipt(
        run=run,
        kind=kind_of(run.kind).title,
        url=_page_of(run),
        facts=_facts(run.kind, run.config),
        downloads=tuple(_downloads(run)),
    )


def _page_of(run: Run) -> str:
    if run.kind in PLAYED:
        return reverse("receipt", args=[run.pk])
    return reverse("run", args=[run.pk])


def _downloads(run: Run) -> Iterator[Download]:
    if run.kind in PLAYED:
        rows = f"every {run.what.unit.removesuffix('s')}"
        for name, address in (("config", "config"), ("summary", "summary"), (rows, "episodes")):
            yield Download(name, reverse(f"receipt-{address}", args=[run.pk]))
        return
    for one in artifacts_of(run):
        yield Download(one.name.split(".")[0], reverse("run-file", args=[run.pk, one.name]))


def _facts(kind: str, config: dict[str, Any]) -> str:
    if kind in PLAYED:
        buyers, suites = config.get("policies") or (), config.get("suites") or ()
        return say(
            "buyers_buyers_suites_suites_seed_seed",
            buyers=len(buyers),
            suites=len(suites),
            seed=config.get("seed"),
        )
    inner = config.get("config") or {}
    shown = [(name, inner[name]) for name in ("size", "seed", "steps", "epochs") if name in inner]
    return ", ".join(f"{name} {value}" for name, value in shown)
