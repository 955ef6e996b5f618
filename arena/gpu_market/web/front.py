"""The front page of the market and the pages behind it: read from the code, nothing is retold."""

import functools
from typing import Any

import msgspec
from django.http import HttpRequest
from django.utils.translation import get_language

from arena.gpu_market.board.action_words import EXAMPLES, SEED, TASK
from arena.gpu_market.board.court import part_words, session_of
from arena.gpu_market.board.drawing import lanes_of
from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.moments import now_words
from arena.gpu_market.board.names import labs_text
from arena.gpu_market.board.parts import read_judgement
from arena.gpu_market.board.timeline import rounds_axis
from arena.gpu_market.board.titles import (
    TITLES,
    archetype_name,
    lab_name,
    rows_of,
    shock_title,
    task_title,
    words_of,
)
from arena.gpu_market.web import finding
from arena.gpu_market.web.forms import StartForm, judge_choices, other_choices, seat_choices
from arena.gpu_market.web.watching import Seen
from arena.gpu_market.web.wire import to_reader
from arena.words import say
from bazaarbatna.market import FIRST_TRADE, make_market, start
from bazaarbatna.market.first_trade import ROUNDS as FIRST_ROUNDS
from bazaarbatna.market.judging import (
    PARTS,
    bonus,
    facts_of,
    honest_pitch,
    judge_words,
    margin,
    pitch_every_round,
    play_judged,
)
from bazaarbatna.market.judging.cards import LEAST, MOST
from bazaarbatna.market.scenario import SHOCK_KINDS, TASKS, ShockKind, Task

SHOWN = 5  # one drawn, the others named

API_HTTP = """\
curl -s -c jar -b jar {site}/market/ > /dev/null
curl -s -c jar -b jar {site}/api/market/ \\
  -H "X-CSRFToken: $(awk '/csrftoken/ {{print $7}}' jar)" -H "Referer: {site}/" \\
  -H "Content-Type: application/json" \\
  -d '{{"task": "coalition_market", "seed": 11, "policy": "rule_expert"}}'"""

API_PYTHON = """\
from bazaarbatna.market import advance, apply, make_market, observe, start
from bazaarbatna.market.policies.registry import make_policy

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


def front_page(form: StartForm, *, is_watched: bool) -> dict[str, Any]:
    """Gather the page that a newcomer meets."""
    exhibit, _ = _exhibits(1, is_watched=is_watched)
    return {"form": form, "exhibit": exhibit}


def tasks_page(form: StartForm, *, is_watched: bool) -> dict[str, Any]:
    """Gather the page where a market is set up, and what there is to choose from."""
    exhibit, others = _exhibits(SHOWN, is_watched=is_watched)
    return {
        "paper_title": say("set_up_a_market"),
        "here": "tasks",
        "exhibit": exhibit,
        "matches": others,
        "form": form,
        "tasks": [_first_row(), *(_row(task) for task in TASKS)],
        "seats": seat_choices(),
        "other_seats": other_choices(),
        "judges": judge_choices(),
        "shocks": [
            (shock_title(kind), words_of(TITLES.shock_effects, kind)) for kind in SHOCK_KINDS
        ],
        "archetypes": [(archetype_name(name), words) for name, words in rows_of(TITLES.characters)],
    }


def paper_page(name: str, request: HttpRequest) -> dict[str, Any]:
    """Gather one of the pages for researchers; examples name the address where it is served."""
    site = f"{request.scheme}://{request.get_host()}"
    titles = {
        "rewards": say("what_is_rewarded"),
        "judge": say("before_a_judge"),
        "actions": say("actions_and_api"),
        "results": say("what_players_reach"),
        "lab": say("a_lab_that_learned"),
    }
    return {
        "paper_title": titles[name],
        "here": name,
        "columns": rows_of(TITLES.columns),
        "api_http": API_HTTP.format(site=site),
        "api_python": API_PYTHON,
        "examples": EXAMPLES,
        "example_market": (TASK, SEED),
    }


def _first_row() -> TaskRow:
    return TaskRow(
        FIRST_TRADE,
        task_title(FIRST_TRADE),
        labs_text(2),
        FIRST_ROUNDS,
        say("1_or_2_and_1"),
        coalitions=False,
    )


def _row(task: Task) -> TaskRow:
    least, most = task.labs
    shocks = [_strikes(round_, kind) for round_, kind in task.shocks]
    if task.last:
        even, odd = (shock_title(kind).lower() for kind in task.last)
        shocks.append(
            say("even_even_seeds_or_odd_odd_in", even=even, odd=odd, round=task.last_round + 1)
        )
    options = tuple(_strikes(round_, kind) for round_, kind in task.options)
    labs = labs_text(most)
    if least != most:
        labs = say("least_or_most_labs", least=least, most=most)
    return TaskRow(
        task.name,
        task_title(task.name),
        labs,
        task.rounds,
        say("blocks_and_jobs", blocks=task.blocks, jobs=task.jobs),
        task.coalitions,
        tuple(shocks),
        options,
    )


def _strikes(round_: int, kind: ShockKind) -> str:
    return say("shock_in_round_round", shock=shock_title(kind).lower(), round=round_ + 1)


def _exhibits(most: int, *, is_watched: bool) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    shown = [_exhibit(seen) for seen in finding.newest(most, is_watched=is_watched)]
    return (shown[0] if shown else None), shown[1:]


def _exhibit(seen: Seen) -> dict[str, Any]:
    board = board_of(seen.frames)
    return {
        "id": seen.match.pk,
        "title": task_title(board.task),
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


def judge_example() -> dict[str, Any]:
    """Play the example; it is the same in every process."""
    return _judge_example(get_language())


@functools.cache
def _judge_example(language: str | None) -> dict[str, Any]:
    scenario = make_market(JUDGED_TASK, JUDGED_SEED)
    judged = play_judged(scenario, pitch_every_round, judge_mode="rule")
    names = {card.id: lab_name(card.name) for card in scenario.labs}
    return {
        "task": task_title(JUDGED_TASK),
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
        (say("big_words"), KEYWORDS),
        (say("what_is_so"), true),
        (say("the_same_but_more"), false),
    ):
        claims, card = judge_words(text, facts)
        made.append(
            Try(
                title,
                text,
                tuple(
                    (
                        text[one.claim.start : one.claim.end],
                        one.finding,
                        words_of(TITLES.findings, one.finding),
                    )
                    for one in claims
                ),
                part_words({name: part for name in PARTS if (part := getattr(card, name))}),
                card.score,
                card.raw,
                bonus(margin((card,), facts.lab)),
            )
        )
    return made
