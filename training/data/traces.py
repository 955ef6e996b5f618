"""Traces of the market on disk: what a teacher saw and did, made once for each recipe.

Now and then something else is done than the teacher says, so that a pupil also learns the way back.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from arena.gpu_market import dialect
from bazaarbatna import market as engine
from bazaarbatna.market import (
    TASK_NAMES,
    Malformed,
    MarketAction,
    Observation,
    advance,
    make_market,
    observe,
    planner,
    policies,
    start,
    step,
)
from bazaarbatna.market.policies.registry import make_policy
from training.data.files import Made, made_once, read_rows, write_rows
from training.data.seeds import first_seed

NUMBER = 1  # Version of how traces are made; raise it with every change
WANDERER = "random_valid"


class Trace(msgspec.Struct, frozen=True):
    """One turn: the prompt, the teacher's answer, and which action that is."""

    prompt: str
    answer: str
    action: str


class TraceRecipe(msgspec.Struct, frozen=True):
    """Everything that decides traces; ``wander`` is the share of turns off the teacher's way."""

    teacher: str
    episodes: int
    wander: float = 0.15
    seed: int = 0

    @property
    def key(self) -> str:
        """Name the traces: equal recipes with equal rules, players and prompts give the same."""
        facts = (NUMBER, msgspec.to_builtins(self), dialect.VERSION, _code())
        digest = hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:10]
        return f"lab-{self.episodes}-{digest}"


class Traces(Made, frozen=True):
    """Traces that lie in a folder."""

    def all(self) -> list[Trace]:
        """Read them."""
        return list(read_rows(self.folder / "traces.jsonl", Trace))


def traces(recipe: TraceRecipe) -> Traces:
    """Return the traces of a recipe; they are made the first time."""
    return made_once(Traces, recipe.key, lambda folder: _make(recipe, folder))


def _make(recipe: TraceRecipe, folder: Path) -> dict[str, Any]:
    first = first_seed("market-sft", recipe.seed)
    made = [
        trace
        for task in TASK_NAMES
        for seed in range(first, first + recipe.episodes)
        for trace in _trace_episode(task, seed, recipe)
    ]
    kept = list(dict.fromkeys(made))
    write_rows(folder / "traces.jsonl", kept)
    return {
        "recipe": msgspec.to_builtins(recipe),
        "prompt": dialect.VERSION,
        "tasks": TASK_NAMES,
        "first seed": first,
        "lessons": len(kept),
        "doubles left out": len(made) - len(kept),
        "lessons by action": Counter(trace.action for trace in kept),
    }


def _trace_episode(task: str, seed: int, recipe: TraceRecipe) -> Iterator[Trace]:
    scenario = make_market(task, seed)
    lab = seed % len(scenario.labs)
    teacher, other = make_policy(recipe.teacher, seed), make_policy(WANDERER, seed)
    dice = Random(f"wander:{task}:{seed}:{recipe.seed}")
    state, _ = advance(start(scenario)[0], (lab,))
    while state.ended is None:
        seen = observe(state, lab)
        says = teacher(seen)
        yield from _lesson(seen, says)
        state, _ = step(state, lab, other(seen) if dice.random() < recipe.wander else says)


def _lesson(seen: Observation, says: MarketAction | Malformed) -> Iterator[Trace]:
    answer = dialect.write(seen, says) if isinstance(says, MarketAction) else None
    if isinstance(says, MarketAction) and answer is not None:
        yield Trace(dialect.render(seen), answer, says.action)


def _code() -> str:
    # All code that decides how a lab plays and what it is shown.
    homes = [Path(str(package.__file__)).parent for package in (engine, planner, policies, dialect)]
    found = hashlib.sha256()
    for path in sorted(file for home in homes for file in home.rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()
