"""The league of a toy: from the command to a network that plays, killed or not, the same bytes."""

import io
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import pytest
import torch
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from agents.buyers.network import load_network
from agents.buyers.network_buyer import NetworkBuyer, shipped_network
from bazaarbatna.bargain.people.families import FAMILIES, LIMITS
from bazaarbatna.envs.bargain.people import sellers
from bazaarbatna.envs.bargain.people.sellers import PLACE
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from tests.support.small_stages import QUICK, Reader, ctrl_c, quick, runs_in
from training.data.teaching import PEOPLE
from training.evaluation import spreading
from training.models import Order, Run
from training.runs import lifecycle
from training.stages import sft
from training.stages.config import BadConfig, LeagueConfig, StageConfig
from training.stages.league import exploiting, groups
from training.stages.registry import make_config
from training.stages.running import open_stage, run_stage
from training.tasks import play_orders

pytestmark = pytest.mark.usefixtures("folders", "every_line")


class Left(NamedTuple):
    """What a finished league leaves."""

    network: bytes
    metrics: bytes
    summary: dict[str, Any]


@pytest.fixture(scope="module")
def straight(
    corpora: Path,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Left:
    """What a league leaves that nobody stops."""
    with django_db_blocker.unblock(), runs_in(tmp_path_factory.mktemp("league"), corpora):
        return played(quick("league"))


def played(config: StageConfig, line: str = "") -> Left:
    """Play a league; at a line press Ctrl-C, then go on."""
    run = open_stage(config, "league")
    if line:
        with pytest.raises(KeyboardInterrupt):
            run_stage(run, Reader(line, ctrl_c))
        run.refresh_from_db()
        assert run.status == Run.Status.INTERRUPTED
    out = io.StringIO()
    summary = run_stage(run, out)
    assert ("goes on from step" in out.getvalue()) == bool(line)
    return left_by(run, summary)


def left_by(run: Run, summary: dict[str, Any]) -> Left:
    """What a league has left: its network, what was measured, its summary."""
    folder = lifecycle.folder_of(run)
    network = folder / "model" / "model.safetensors"
    return Left(network.read_bytes(), (folder / "metrics.jsonl").read_bytes(), summary)


def test_the_command_makes_a_network_that_plays_whole_games() -> None:
    told = [
        word for name, value in QUICK["league"].items() for word in ("--set", f"{name}={value}")
    ]
    call_command("train", "league", "--size", "toy", *told, stdout=io.StringIO())
    run = Run.objects.get()
    assert run.status == Run.Status.DONE
    network, card = load_network(lifecycle.folder_of(run) / "model")
    assert (card.stage, card.made_by) == ("league", run.pk)
    buyer, game = NetworkBuyer(3, network), SuiteGame(PEOPLE, 3)
    while (seen := game.observation) is not None:
        game.step(buyer.act(seen))
    assert len(game.logs) == 1


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("league 3/", id="before a round", marks=pytest.mark.soak),
        pytest.param("league 6/", id="in a round"),
    ],
)
def test_a_league_that_was_killed_ends_as_if_nobody_had_stopped_it(
    straight: Left, line: str
) -> None:
    resumed = played(quick("league"), line)
    assert resumed.network == straight.network
    assert resumed.summary == straight.summary


def test_a_state_that_holds_more_than_numbers_is_not_read() -> None:
    """As earlier versions wrote it, or as somebody might who writes into the data folder."""
    run = open_stage(quick("league"), "league")
    with pytest.raises(KeyboardInterrupt):
        run_stage(run, Reader("league 3/", ctrl_c))
    [state] = lifecycle.folder_of(run).rglob("state.pt")
    for strange in (np.zeros(3), Path("/"), np.float64(1)):
        torch.save({"step": 3, "best": strange}, state)
        run.refresh_from_db()
        with pytest.raises(BadConfig, match=r"state\.pt .* cannot be read safely.* Begin the run"):
            run_stage(run, io.StringIO())


@pytest.mark.parametrize("knows", [True, False], ids=["by workers", "nobody can"])
def test_a_league_that_is_spread_ends_as_one_in_one_process(
    straight: Left, knows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    helped: list[int] = []

    def knocked(args: tuple[str], *_: object, **__: object) -> None:
        with monkeypatch.context() as other:
            if not knows:
                other.setattr(spreading, "ERRANDS", {})
            helped.append(spreading.help_out(*args))

    monkeypatch.setattr(play_orders, "apply_async", knocked)
    monkeypatch.setattr(spreading, "LOOK_S", 0.0)
    monkeypatch.setattr(spreading, "ALONE_AFTER_S", 0.0)
    run = open_stage(quick("league"), "spread")
    summary = run_stage(run, io.StringIO(), spread=2)
    assert (sum(helped) > 0) == knows
    assert not Order.objects.exists()
    assert left_by(run, summary) == straight


def test_another_seed_gives_another_network(straight: Left) -> None:
    assert played(quick("league", seed=1)).network != straight.network


def test_a_search_with_the_same_luck_finds_the_same_seller() -> None:
    def takings(manners: Any) -> Any:
        return np.array([one.greed - one.gap for one in manners])

    def found() -> exploiting.Exploiter:
        dice = np.random.default_rng(5)
        return exploiting.search(takings, dice, candidates=20, generations=6, games=8)

    assert found() == found()
    # It looks for what takes most: greedy sellers that give nothing.
    assert found().manner.greed > 0.8 * LIMITS["greed"][1]
    assert found().games == 8 * 20 * 7


def test_some_sellers_take_low_bids_as_proud_ones_do() -> None:
    dice = np.random.default_rng(1)
    calm, touchy = (
        groups.Groups(
            cast("LeagueConfig", quick("league", touchy=part, families=1.0, paths=0.0, walls=0.0,
                                       honest=0.0, robust=0.0))
        ).deal(400, dice)[0].sellers
        for part in (0.0, 1.0)
    )  # fmt: skip
    place, proud = PLACE["insult"], FAMILIES[4]
    assert proud.name == groups.PROUD
    low, high = proud.ranges["insult"]
    assert ((touchy.first[place] >= low) & (touchy.first[place] <= high)).all()
    assert (calm.first[place] < low).mean() > 0.4


def test_nobody_who_is_held_out_is_ever_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    draw = sellers.draw_sellers

    def noted(families: Any, *args: Any, **more: Any) -> Any:
        drawn.extend(family.name for family in families)
        return draw(families, *args, **more)

    monkeypatch.setattr(groups, "draw_sellers", noted)
    groups.population.cache_clear()
    played(quick("league"))
    assert drawn
    of_paths = {name for name, _, _ in groups.PATH_KINDS}
    assert set(drawn) == {family.name for family in FAMILIES} | of_paths


def test_sft_learns_from_the_league_of_its_own_chain(tmp_path: Path) -> None:
    played(quick("league"))
    league = Run.objects.get()
    base = open_stage(make_config("base", "toy"), "base", after=league)
    pupil = open_stage(make_config("sft", "toy"), "pupil", after=base)
    assert sft.teacher_in(pupil) == lifecycle.folder_of(league) / "model"
    alone = open_stage(make_config("sft", "toy"), "alone", source=str(tmp_path))
    assert sft.teacher_in(alone) == shipped_network()
