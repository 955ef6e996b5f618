"""The front page of the market and the pages behind it: read from the code, nothing is retold."""

import functools
from typing import Any

import msgspec
from django.http import HttpRequest
from django.utils.translation import gettext

from arena.gpu_market.board.action_words import EXAMPLES, SEED, TASK
from arena.gpu_market.board.court import FINDING_WORDS, part_words, session_of
from arena.gpu_market.board.drawing import lanes_of
from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.moments import now_words
from arena.gpu_market.board.names import (
    ARCHETYPE_WORDS,
    SHOCK_TITLES,
    SHOCK_WORDS,
    TASK_TITLES,
    plural,
)
from arena.gpu_market.board.parts import read_judgement
from arena.gpu_market.board.result import COLUMN_WORDS
from arena.gpu_market.board.timeline import rounds_axis
from arena.gpu_market.engine import FIRST_TRADE, make_market, start
from arena.gpu_market.engine.first_trade import ROUNDS as FIRST_ROUNDS
from arena.gpu_market.engine.scenario import SHOCK_KINDS, TASKS, Task
from arena.gpu_market.judging import (
    PARTS,
    bonus,
    facts_of,
    honest_pitch,
    judge_words,
    margin,
    pitch_every_round,
    play_judged,
)
from arena.gpu_market.judging.cards import LEAST, MOST
from arena.gpu_market.web import finding
from arena.gpu_market.web.forms import StartForm, judge_choices, other_choices, seat_choices
from arena.gpu_market.web.wire import to_reader

SHOWN = 5  # one drawn, the others named

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

JUDGED_TASK, JUDGED_SEED = "market_round", 1

JUDGED_ROUNDS = 3

KEYWORDS = "URGENT critical deadline! Reliable, fair, evidence for a paper and a customer!"


class TaskRow(msgspec.Struct, frozen=True):
    """A task as the table shows it."""

    name: str
    title: str
    labs: str
    rounds: int
    holdings: str
    coalitions: bool
    shocks: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def front_page(form: StartForm) -> dict[str, Any]:
    """Gather the page that a newcomer meets."""
    exhibit, _ = _exhibits(1)
    return {"form": form, "exhibit": exhibit}


def tasks_page(form: StartForm) -> dict[str, Any]:
    """Gather the page where a market is set up, and what there is to choose from."""
    exhibit, others = _exhibits(SHOWN)
    return {
        "paper_title": gettext("Set up a market"),
        "here": "tasks",
        "exhibit": exhibit,
        "matches": others,
        "form": form,
        "tasks": [FIRST_ROW, *(_row(task) for task in TASKS)],
        "seats": seat_choices(),
        "other_seats": other_choices(),
        "judges": judge_choices(),
        "shocks": [(SHOCK_TITLES[kind], SHOCK_WORDS[kind]) for kind in SHOCK_KINDS],
        "archetypes": [(name.replace("_", " "), words) for name, words in ARCHETYPE_WORDS.items()],
    }


def paper_page(name: str, request: HttpRequest) -> dict[str, Any]:
    """Gather one of the pages for researchers; examples name the address where it is served."""
    site = f"{request.scheme}://{request.get_host()}"
    titles = {
        "rewards": gettext("What is rewarded"),
        "judge": gettext("Before a judge"),
        "actions": gettext("Actions and API"),
        "results": gettext("What players reach"),
        "lab": gettext("A lab that learned"),
    }
    return {
        "paper_title": titles[name],
        "here": name,
        "columns": list(COLUMN_WORDS.items()),
        "holes": OPEN_HOLES,
        "api_http": API_HTTP.format(site=site),
        "api_python": API_PYTHON,
        "examples": EXAMPLES,
        "example_market": (TASK, SEED),
    }


FIRST_ROW = TaskRow(
    FIRST_TRADE,
    TASK_TITLES[FIRST_TRADE],
    plural(2, "lab"),
    FIRST_ROUNDS,
    "1 or 2, and 1",
    coalitions=False,
)


def _row(task: Task) -> TaskRow:
    least, most = task.labs
    shocks = [f"{SHOCK_TITLES[kind].lower()} in round {round_ + 1}" for round_, kind in task.shocks]
    if task.last:
        even, odd = (SHOCK_TITLES[kind].lower() for kind in task.last)
        shocks.append(f"{even} (even seeds) or {odd} (odd) in round {task.last_round + 1}")
    options = tuple(
        f"{SHOCK_TITLES[kind].lower()} in round {round_ + 1}" for round_, kind in task.options
    )
    return TaskRow(
        task.name,
        TASK_TITLES[task.name],
        plural(most, "lab") if least == most else f"{least} or {most} labs",
        task.rounds,
        f"{task.blocks} and {task.jobs}",
        task.coalitions,
        tuple(shocks),
        options,
    )


def _exhibits(most: int) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    shown = [_exhibit(seen) for seen in finding.newest(most)]
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


class Try(msgspec.Struct, frozen=True):
    """A pitch, what was found in it, and what it is worth; ``bonus`` where nobody else argues."""

    title: str
    text: str
    claims: tuple[tuple[str, str, str], ...]
    parts: tuple[tuple[str, float], ...]
    score: float
    raw: float
    bonus: float


@functools.cache
def judge_example() -> dict[str, Any]:
    """Play the example; it is the same in every process."""
    scenario = make_market(JUDGED_TASK, JUDGED_SEED)
    judged = play_judged(scenario, pitch_every_round, judge_mode="rule")
    names = {card.id: card.name for card in scenario.labs}
    return {
        "task": TASK_TITLES[JUDGED_TASK],
        "seed": JUDGED_SEED,
        "tries": _tries(),
        "sessions": [
            session_of(read_judgement(0, to_reader(one)), names)
            for one in judged.rounds[:JUDGED_ROUNDS]
        ],
        "least": LEAST,
        "most": MOST,
    }


def _tries() -> list[Try]:
    facts = facts_of(start(make_market(JUDGED_TASK, JUDGED_SEED))[0], 0)
    true = honest_pitch(facts)
    job = min(facts.jobs, key=lambda one: (one.deadline, one.id))
    false = true.replace(f"{job.hours} GPU-hours", f"{2 * job.hours + 5} GPU-hours")
    made = []
    for title, text in (
        ("Big words", KEYWORDS),
        ("What is so", true),
        ("The same, but more", false),
    ):
        claims, card = judge_words(text, facts)
        made.append(
            Try(
                title,
                text,
                tuple(
                    (text[one.claim.start : one.claim.end], one.finding, FINDING_WORDS[one.finding])
                    for one in claims
                ),
                part_words({name: part for name in PARTS if (part := getattr(card, name))}),
                card.score,
                card.raw,
                bonus(margin((card,), facts.lab)),
            )
        )
    return made
