"""The page /training/."""

import itertools
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from negotiation.short_memory import kept
from training.data.teachers import Teachers
from training.evaluation.published import STRANGERS, newest
from training.models import Run
from training.pages.public.board import Board, Gap, board_of, gaps
from training.pages.public.ceilings import ceilings_of
from training.pages.public.chain import STAGES, Step, flow, shipped_chain
from training.pages.public.climb import best_of_stages, climb_chart
from training.pages.public.games import games_of, same_games
from training.pages.public.people import people
from training.pages.public.receipts import receipts
from training.pages.public.stages import stages_of
from training.pages.public.switches import ablation
from training.receipts.tables import VoicesTable

LOOK_EVERY_S = 10.0


def page() -> dict[str, Any]:
    """Gather the page, made at most every few seconds."""
    return kept("training-page", LOOK_EVERY_S, _page)


def _page() -> dict[str, Any]:
    steps = shipped_chain()
    board, strangers = board_of(newest()), board_of(newest(STRANGERS))
    samples = games_of(steps, _run(strangers))
    return {
        "steps": steps,
        "flow": flow(_done(steps, board), "flow", "From teacher games to the table"),
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
        "is_trained": any(step.kind != "base" for step in steps),
    }


def _parameters(steps: tuple[Step, ...]) -> int | None:
    """Read how many numbers the network has, where its base run counted them."""
    told = next((step.run.summary or {} for step in steps if step.kind == "base"), {})
    found = told.get("parameters")
    return found if isinstance(found, int) else None


def _done(steps: tuple[Step, ...], board: Board | None) -> frozenset[str]:
    kinds = {step.kind for step in steps}
    return frozenset(kinds | {"evaluate"} if board is not None else kinds)


def climbed(board: Board) -> tuple[Gap, ...]:
    """Compare each stage with the one before, SFT with its teachers, the best with the best rule.

    Who did not play is left out.
    """
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


@require_safe
def training(request: HttpRequest) -> HttpResponse:
    """Show how the shipped model was made, and what it can do."""
    return TemplateResponse(request, "training/index.html", page())
