"""Models put beside the code: half precision, a card with its commands, and the same play."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from agents.buyers.network import load_network
from agents.checkpoints import read_checkpoint, shipped_voice
from tests.support.small_stages import make_haggler, quick
from training.models import Run
from training.stages.running import open_stage, run_stage

pytestmark = pytest.mark.django_db

HELD_OUT = {
    "share": {"mean": 0.5123, "low": 0.48, "high": 0.55},
    "deal_rate": {"mean": 0.9, "low": 0.8, "high": 1.0},
    "rounds": {"mean": 4.5, "low": 4.0, "high": 5.0},
    "valid_json": 0.99876,
    "answers": 1234,
}


@pytest.fixture(scope="module")
def haggler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_haggler(tmp_path_factory.mktemp("shipping") / "haggler", title="Haggler, SFT")


@pytest.fixture(autouse=True)
def shelf(settings: object, tmp_path: Path) -> Path:
    settings.RUNS_DIR = tmp_path / "runs"  # type: ignore[attr-defined]
    settings.SHIPPED_MODELS_DIR = tmp_path / "shelf"  # type: ignore[attr-defined]
    return tmp_path / "shelf"


def a_run(
    model: Path, *, key: str = "made", status: str = Run.Status.DONE, after: Run | None = None,
    stage: str = "sft", source: str = "", **changes: object,
) -> Run:  # fmt: skip
    """A stage that has left this model."""
    from django.conf import settings

    config = quick(stage, "mini", **changes).model_dump()  # type: ignore[arg-type]
    run = Run.objects.create(
        id=key, kind=stage, name=key, folder=key, status=status, seeds={}, total=1, after=after,
        config={"stage": stage, "config": config, "source": source}, code_version="v1",
        summary={"held_out": HELD_OUT},
    )  # fmt: skip
    folder = Path(settings.RUNS_DIR) / key
    folder.mkdir(parents=True)
    (folder / "model").symlink_to(model, target_is_directory=True)
    return run


def ship(*words: str) -> str:
    """Run the command."""
    out = io.StringIO()
    call_command("ship_model", *words, stdout=out)
    return out.getvalue()


def test_a_shipped_model_can_be_read_and_speaks_for_the_site(haggler: Path, shelf: Path) -> None:
    a_run(haggler)
    said = ship("made", "--voice", "made")
    shipped = read_checkpoint(shelf / "sauda-tiny-sft")
    assert shipped.version in said
    assert shipped_voice() == shipped
    assert shipped.digest == read_checkpoint(haggler).digest
    assert json.loads((shelf / "shipped.json").read_text()) == {"voice": "sauda-tiny-sft"}
    assert {path.name for path in shipped.folder.iterdir()} == {
        *(path.name for path in haggler.iterdir()),
        "README.md",
    }


def test_its_card_has_figures_settings_and_commands(haggler: Path, shelf: Path) -> None:
    a_run(haggler, key="first", source="/home/asha/models/secret", epochs=0.7)
    first = Run.objects.get()
    a_run(haggler, key="second", stage="grpo", after=first, steps=7)
    ship("second")
    card = (shelf / "sauda-tiny-sft" / "README.md").read_text()
    assert card.startswith("# Haggler, SFT\n")
    assert "| Share of the zone, winnable games | 0.5123 | 0.48 to 0.55 |" in card
    assert "| Valid JSON, of 1234 answers | 0.9988 | |" in card
    commands = [line.strip() for line in card.splitlines() if line.startswith("    manage.py")]
    assert [command.split()[2] for command in commands] == ["sft", "grpo"]
    assert "--size mini --from FOLDER" in commands[0]
    assert "--set epochs=0.7" in commands[0]
    assert "--size mini --from RUN" in commands[1]
    assert "--set steps=7" in commands[1]
    assert "suites" not in commands[1]
    assert "secret" not in card


def test_a_chain_with_nothing_changed_is_made_again_by_one_word(haggler: Path, shelf: Path) -> None:
    from training.jobs.chains import stages_of
    from training.stages.registry import defaults

    run = None
    for stage in stages_of("mini", begins_with_model=False):
        run = a_run(haggler, key=stage, stage=stage, after=run)
        run.config = {"stage": stage, "config": json.loads(json.dumps(defaults(stage, "mini")))}
        run.save()
    ship("dpo")
    card = (shelf / "sauda-tiny-sft" / "README.md").read_text()
    assert "\n    make train-mini\n" in card
    assert "manage.py train" not in card


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nothing",), "There is no run 'nothing'"),
        (("made", "nothing"), "There is no run 'nothing'"),
        (("made", "half"), "half is interrupted; only a finished stage can be shipped"),
        (("made", "empty"), "holds no model"),
        (("made", "--voice", "half"), "--voice names one of the runs that are shipped, not 'half'"),
    ],
)
def test_nothing_is_shipped_where_anything_is_wrong(
    words: Sequence[str], told: str, haggler: Path, shelf: Path, tmp_path: Path
) -> None:
    a_run(haggler)
    a_run(haggler, key="half", status=Run.Status.INTERRUPTED)
    a_run(tmp_path, key="empty")
    with pytest.raises(CommandError, match=told):
        ship(*words)
    assert not shelf.exists()


def test_half_precision_plays_as_whole_precision_does(haggler: Path) -> None:
    """Measured in every turn of 24 games: no next token is likelier by a two-hundredth."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from agents.dialects.compact import Compact
    from training.data.teaching import SUITE_IDS
    from training.stages.games import Deal, play_games
    from training.stages.generation import Player, Sampling
    from training.stages.model_files import _halved

    tokenizer = AutoTokenizer.from_pretrained(haggler, padding_side="left")
    whole: Any = AutoModelForCausalLM.from_pretrained(haggler)
    halved = _halved(whole)
    assert {str(part.dtype) for part in halved.parameters()} == {"torch.float16"}
    assert {str(part.dtype) for part in whole.parameters()} == {"torch.float32"}
    deals = [Deal(suite, seed) for suite in SUITE_IDS for seed in range(3)][:24]
    games = play_games(Player(whole, tokenizer, Compact()), deals, Sampling(temperature=0.0))
    said = [turn.said for game in games for turn in game.turns]
    assert len(said) > 24
    models = whole, halved.float()
    for one in said:
        tokens = torch.tensor([[*one.prompt, *one.answer]])
        with torch.inference_mode():
            first, second = (model(tokens).logits.softmax(-1) for model in models)
        assert float((first - second).abs().max()) < 0.005


def test_a_league_ships_its_network_with_a_card(shelf: Path) -> None:
    run = open_stage(quick("league", "toy"), "league")
    run_stage(run, io.StringIO())
    said = ship(run.pk)
    network, card = load_network(shelf / "sauda-network")
    assert said == f"sauda-network#{card.digest}: {shelf / 'sauda-network'}\n"
    told = (shelf / "sauda-network" / "README.md").read_text()
    assert f"weights {card.digest}" in told
    assert "| proud |" in told
    assert "manage.py train league --size toy" in told
    assert sum(one.size for one in network.weights.values()) == run.summary["parameters"]


def test_a_league_that_is_not_done_is_not_shipped(shelf: Path) -> None:
    run = open_stage(quick("league", "toy"), "league")
    with pytest.raises(CommandError, match="only a finished stage"):
        ship(run.pk)


def test_a_network_without_words_cannot_become_the_voice(shelf: Path) -> None:
    run = open_stage(quick("league", "toy"), "league")
    run_stage(run, io.StringIO())
    with pytest.raises(CommandError, match="prices and no words"):
        ship(run.pk, "--voice", run.pk)
    assert not shelf.exists()
