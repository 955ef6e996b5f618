"""The first examples of a researcher: a buyer in thirty lines, one that learns, its receipt."""

import json
import os
import re
import runpy
import subprocess
from pathlib import Path

import pytest

from agents.checkpoints import checkpoints_in
from bazaarbatna.bargain.people import held_out
from bazaarbatna.commands.rollout import CHOSEN_BY, best_rule, find_rule, roll_out
from tests.support.commands import ROOT
from tests.support.empty import empty_python

RECEIPT = json.loads((ROOT / "examples/receipts/sb3_ppo.json").read_text())
ROWS = {(row["suite"], row["who"]): row for row in RECEIPT["rows"]}
FIRST_GAME = 20_000


def test_the_quickstart_has_thirty_lines_at_most(capsys: pytest.CaptureFixture[str]) -> None:
    path = ROOT / "examples" / "quickstart.py"
    assert len(path.read_text().splitlines()) <= 30
    runpy.run_path(str(path))
    told = capsys.readouterr().out
    assert re.match(r"kept 0\.\d{3} of the zone in \d+ bargains", told)
    assert (ROOT / "docs" / "gym.md").read_text().count(path.name)


@pytest.mark.parametrize("suite", ["people@1", "people-held-out@1"])
def test_the_rules_of_the_receipt_keep_what_it_says(suite: str) -> None:
    """What a policy must beat is played again; who learned is measured by the same code."""
    held_out.plug_in()
    games = range(FIRST_GAME, FIRST_GAME + RECEIPT["games"])
    best = best_rule([suite], range(games.stop, games.stop + CHOSEN_BY))
    for rule in (best, find_rule("agreeable")):
        card, row = roll_out(suite, rule, games).card, ROWS[suite, rule.name]
        assert card.share_of_winnable is not None
        assert row["share"][0] == pytest.approx(card.share_of_winnable.mean, abs=1e-4)
        assert row["deals"] == pytest.approx(card.deal_rate, abs=1e-4)


def test_the_page_shows_every_row_of_the_receipt() -> None:
    page = (ROOT / "docs" / "gym.md").read_text()
    for (suite, who), row in ROWS.items():
        mean, low, high = row["share"]
        assert f"| `{suite}` | {who} | {mean:.3f} ({low:.3f} to {high:.3f}) |" in page


@pytest.mark.timeout(900)  # an index far away, a busy machine
def test_ppo_learns(tmp_path: Path) -> None:
    """Stable-Baselines3 is none of our packages, and needs no other than we have."""
    python = empty_python(tmp_path / "venv", "stable-baselines3", sees_ours=True)
    command = [str(python), "-W", "ignore", "examples/sb3_ppo.py", "--steps=20000", "--games=60"]
    kept = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=kept, capture_output=True, text=True, check=True)
    shares = dict(re.findall(r"^people@1 +(untrained|PPO) +([\d.]+)", done.stdout, re.M))
    assert float(shares["PPO"]) > float(shares["untrained"])


def test_make_vec_env_of_stable_baselines_may_ask_for_pictures() -> None:
    """It wants them first, and does without after a ``TypeError``."""
    import gymnasium

    with (
        pytest.warns(UserWarning, match="rgb_array"),
        pytest.raises(TypeError, match="There is no render mode 'rgb_array'; there is 'ansi'"),
    ):
        gymnasium.make("bazaarbatna.gym:Bazaar-v0", render_mode="rgb_array")


GRPO = json.loads((ROOT / "examples/receipts/grpo_people.json").read_text())


def page_in_one_line() -> str:
    return " ".join((ROOT / "docs" / "gym.md").read_text().split())


def told(share: list[float]) -> str:
    return f"{share[0]:.3f} ({share[1]:.3f} to {share[2]:.3f}"


def test_the_language_models_of_the_receipt_are_those_that_ship() -> None:
    """Another model has another name: it is to be played again, by the receipt's command."""
    models = {one.name: one.version for one in checkpoints_in(ROOT / "training" / "models")}
    assert {"sauda-mini:people-sft", "sauda-mini:people"} <= set(models)
    for row in GRPO["rows"]:
        rule = row["who"].startswith("rules:")
        version = find_rule(row["who"]).version() if rule else models[row["who"]]
        assert row["version"] == version
        assert row["who"] in GRPO["command"]


def test_the_table_of_the_language_model_is_that_of_its_receipt() -> None:
    page = page_in_one_line()
    for row in GRPO["rows"]:
        assert f"| {told(row['share'])}) | {row['deals']:.3f} |" in page, row["who"]
    gain = GRPO["differences"][0]
    assert (gain["of"], gain["to"]) == ("sauda-mini:people", "sauda-mini:people-sft")
    assert f"GRPO adds {told(gain['share'])})" in page
    assert gain["share"][1] > 0


def test_rules_keep_what_stands_beside_the_language_model() -> None:
    games = range(GRPO["first_game"], GRPO["first_game"] + GRPO["games"])
    for row in GRPO["rows"]:
        if row["who"].startswith("rules:"):
            card = roll_out("people@1", find_rule(row["who"]), games).card
            assert card.share_of_winnable is not None
            assert row["share"][0] == pytest.approx(card.share_of_winnable.mean, abs=1e-4)
    card = roll_out("people@1", find_rule("line-30-90"), games).card
    assert card.share_of_winnable is not None
    share = card.share_of_winnable
    assert f"{told([share.mean, share.low, share.high])}; `rollout" in page_in_one_line()
