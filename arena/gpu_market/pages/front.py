"""The front page of the GPU market: everything on it is read from the code, nothing is retold."""

from typing import Any

import msgspec
from django.http import HttpRequest

from arena.gpu_market.board.action_words import EXAMPLES, SEED, TASK
from arena.gpu_market.board.columns import COLUMN_WORDS
from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.moments import now_words
from arena.gpu_market.board.names import (
    ARCHETYPE_WORDS,
    SHOCK_TITLES,
    SHOCK_WORDS,
    TASK_TITLES,
    plural,
)
from arena.gpu_market.board.timeline import rounds_axis
from arena.gpu_market.engine.actions import ACTION_NAMES
from arena.gpu_market.engine.scenario import SHOCK_KINDS, TASKS, Task
from arena.gpu_market.pages import finding
from arena.gpu_market.pages.drawing import lanes_of
from arena.gpu_market.pages.forms import (
    StartForm,
    judge_choices,
    other_choices,
    seat_choices,
)

SHOWN = 5
"""Markets on the front page: one drawn, the others named."""

OPEN_HOLES: tuple[tuple[str, str], ...] = (
    ("Any accepted trade earns about 0.1, even one that hurts.", "A trade pays what it changes."),
    (
        "A coalition needs nobody’s consent, and its pool is of no use.",
        "Who is asked may stay out; members may use what is pooled.",
    ),
    ("Forming coalitions again and again pays.", "Founding one pays nothing by itself."),
    ("Start and duration of a block are ignored.", "A block runs in its rounds and no others."),
    ("Money that is left over pays for doing nothing.", "Who never acts earns exactly 0."),
    ("Eight keywords win the judge.", "Words pay only through a judge who checks them."),
)
"""A hole of the published mix, and how the default mix closes it."""

API_HTTP = """\
curl -s -c jar -b jar {site}/market/ > /dev/null
curl -s -c jar -b jar {site}/api/market/ \\
  -H "X-CSRFToken: $(awk '/csrftoken/ {{print $7}}' jar)" -H "Referer: {site}/" \\
  -H "Content-Type: application/json" \\
  -d '{{"task": "coalition_market", "seed": 11, "policy": "rule_expert"}}'"""

API_PYTHON = """\
from arena.gpu_market.engine import advance, apply, make_market, observe, start
from arena.gpu_market.policies.registry import make_policy

expert = make_policy("rule_expert", seed=0)
state, events = start(make_market("coalition_market", seed=11))
while state.ended is None:
    if state.turn == 0:
        state, happened = apply(state, 0, expert(observe(state, 0)))
    else:
        state, happened = advance(state)
    events += happened
print(state.ended.results[0].utility / 100, "credits")"""


class TaskRow(msgspec.Struct, frozen=True):
    """A task as the table shows it."""

    name: str
    title: str
    labs: str
    task: Task
    shocks: tuple[str, ...]
    options: tuple[str, ...]


def front_page(form: StartForm, request: HttpRequest) -> dict[str, Any]:
    """Gather the page.

    Args:
        form: the form that starts a market.
        request: where the page is served; the runnable examples name that address.
    """
    exhibit, others = exhibits()
    site = f"{request.scheme}://{request.get_host()}"
    return {
        "exhibit": exhibit,
        "matches": others,
        "api_http": API_HTTP.format(site=site),
        "api_python": API_PYTHON,
        "form": form,
        "tasks": [_row(task) for task in TASKS],
        "task_choices": list(TASK_TITLES.items()),
        "seats": seat_choices(),
        "other_seats": other_choices(),
        "judges": judge_choices(),
        "columns": list(COLUMN_WORDS.items()),
        "shocks": [(SHOCK_TITLES[kind], SHOCK_WORDS[kind]) for kind in SHOCK_KINDS],
        "archetypes": [(name.replace("_", " "), words) for name, words in ARCHETYPE_WORDS.items()],
        "examples": EXAMPLES,
        "example_market": (TASK, SEED),
        "counts": {
            "actions": len(ACTION_NAMES),
            "columns": len(COLUMN_WORDS),
            "tasks": len(TASKS),
            "shocks": len(SHOCK_KINDS),
            "archetypes": len(ARCHETYPE_WORDS),
            "labs": max(task.labs[1] for task in TASKS),
        },
        "holes": OPEN_HOLES,
    }


def _row(task: Task) -> TaskRow:
    least, most = task.labs
    shocks = [f"{SHOCK_TITLES[kind].lower()} in round {round_}" for round_, kind in task.shocks]
    if task.last:
        even, odd = (SHOCK_TITLES[kind].lower() for kind in task.last)
        shocks.append(f"{even} (even seeds) or {odd} (odd) in round {task.last_round}")
    options = tuple(
        f"{SHOCK_TITLES[kind].lower()} in round {round_}" for round_, kind in task.options
    )
    labs = plural(most, "lab") if least == most else f"{least} or {most} labs"
    return TaskRow(task.name, TASK_TITLES[task.name], labs, task, tuple(shocks), options)


def exhibits() -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """Draw the newest market as a stranger sees it, and name some others."""
    shown = [_exhibit(seen) for seen in finding.newest(SHOWN)]
    return (shown[0] if shown else None), shown[1:]


def _exhibit(seen: finding.Seen) -> dict[str, Any]:
    board = board_of(seen.frames)
    return {
        "id": seen.match.pk,
        "title": TASK_TITLES[board.task],
        "board": board,
        "over": seen.over,
        "now": now_words(board),
        "axis": rounds_axis(board),
        "lanes": lanes_of(board, "on-"),
    }
