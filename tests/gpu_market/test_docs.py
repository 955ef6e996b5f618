"""The page about the market shows the numbers of the code, and the examples in the code run."""

import doctest
import importlib
import json
import pkgutil
import re
from pathlib import Path
from statistics import fmean
from typing import get_args

import bazaarbatna.market as engine
from bazaarbatna.market import CODES, TASKS, MarketEvent, policies
from bazaarbatna.market.archetypes import MANNERS
from bazaarbatna.market.policies.registry import EXPLOITS, POLICIES
from bazaarbatna.market.scenario import SHOCK_KINDS
from tests.support.market_returns import SEEDS_ELSEWHERE, unjudged
from training.pages.market import ELSEWHERE
from training.runs import lifecycle

ROOT = Path(engine.__file__).parents[2]
PAGE = (ROOT / "docs" / "gpu_market.md").read_text()


def test_every_event_is_on_the_page() -> None:
    kinds = [event.__struct_config__.tag for event in get_args(MarketEvent)]
    assert len(set(kinds)) == len(kinds) == 20
    assert [kind for kind in kinds if f"`{kind}`" not in PAGE] == []


def test_every_code_task_shock_and_policy_is_on_the_page() -> None:
    names = [*CODES, *(task.name for task in TASKS), *POLICIES, *EXPLOITS]
    assert [name for name in names if f"`{name}`" not in PAGE] == []
    spoken = PAGE.replace("_", " ")
    assert [kind for kind in SHOCK_KINDS if kind.replace("_", " ") not in spoken] == []


def test_every_archetype_is_a_row_with_its_numbers() -> None:
    for name, manner in MANNERS.items():
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{name}`"))
        _, _, bar, _, joins, commits, _ = row.split("|")
        assert bar.split()[0].rstrip(",") == str(manner.bar)
        assert joins.split()[0] == str(manner.joins)
        assert ("all it has" in commits) == manner.generous
        assert (f"({manner.betrays} a turn)" in commits) == bool(manner.betrays)


def test_the_table_of_returns_is_that_of_the_receipts() -> None:
    found: dict[str, list[list[float]]] = {}
    for name in ("market", "market-published"):
        summary = json.loads((lifecycle.RECEIPTS / name / "summary.json").read_text())
        for row in summary["policies"]:
            means = [card["reward"]["mean"] for card in row["suites"].values()]
            found.setdefault(row["policy"], []).append(means)
    for policy, (ours, published) in found.items():
        cells = [
            f"{one:.3f} ({round(two, 2) + 0.0:.2f})"
            for one, two in zip(ours, published, strict=True)
        ]
        assert f"| `{policy}` | {' | '.join(cells)} |" in PAGE


def test_the_comparison_with_what_was_published_is_what_its_command_finds() -> None:
    """Seeds 50,000 to 50,007 in each task; theirs as they are kept beside the code."""
    checked = 0
    for row in ELSEWHERE:
        if row.policy:
            line = next(
                line for line in PAGE.splitlines()
                if line.startswith(f"| `{row.policy}`") and "**" in line
            )  # fmt: skip
            cells = [cell.strip(" *") for cell in line.split("|")[2:6]]
            here = [unjudged(row.policy, task.name, SEEDS_ELSEWHERE) for task in TASKS]
            assert row.tasks is not None
            both = zip([*here, fmean(here)], [*row.tasks, row.overall], strict=True)
            assert cells == [f"{ours:.3f} ({theirs:.3f})" for ours, theirs in both]
            checked += 1
    assert checked == 6


def test_the_example_on_the_page_runs() -> None:
    block = re.search(r"```python\n(.*?)```", PAGE, re.S)
    assert block is not None
    names: dict[str, object] = {}
    exec(compile(block[1], "gpu_market.md", "exec"), names)
    assert getattr(names["state"], "ended", None) is not None


def test_the_examples_in_the_code_run() -> None:
    tried = 0
    for package in (engine, policies):
        modules = [package.__name__]
        modules += [
            found.name for found in pkgutil.iter_modules(package.__path__, modules[0] + ".")
        ]
        for name in modules:
            failed, attempted = doctest.testmod(importlib.import_module(name))
            assert failed == 0, name
            tried += attempted
    assert tried >= 20


def test_the_engine_needs_no_django() -> None:
    import subprocess
    import sys

    code = "import sys, bazaarbatna.market; print('django' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_modules_stay_small() -> None:
    sizes = sorted(
        len(path.read_text().splitlines()) for path in (ROOT / "arena/gpu_market").rglob("*.py")
    )
    assert sizes[-1] <= 350
