"""The path of large models, with a tiny Llama: adapters from stage to stage, 4-bit on a GPU."""

import io
import json
import shutil
from pathlib import Path

import pytest
import torch
from peft import PeftModel
from pytest_django import DjangoDbBlocker
from safetensors.torch import load, load_file
from transformers import AutoModelForCausalLM

from agents.buyers.trained import TrainedBuyer
from agents.checkpoints import read_checkpoint
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from tests.support.small_stages import Left, Reader, ctrl_c, play, play_on, quick, runs_in
from tests.support.tiny_llama import PEFT_LAGS
from training.models import Run
from training.stages.config import BadConfig
from training.stages.registry import make_config
from training.stages.running import open_stage, run_stage

pytestmark = [pytest.mark.usefixtures("folders"), PEFT_LAGS]

SHORT = {"epochs": 0.05, "batch": 4, "rows_at_once": 2, "max_length": 2048}


def shapes(left: Left) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the weights that a stage has left."""
    weights = load_file(left.folder / "model" / "adapter_model.safetensors")
    return {name: tuple(weight.shape) for name, weight in weights.items()}


GRPO = {"steps": 3, "updates": 1, "parts": 2, "select_every": 3, "learning_rate": 1e-2}
"""Rounds of games: to be stopped between them, and to have moved by the third (warmed up)."""


@pytest.fixture(scope="module")
def begun(
    stranger: Path,
    corpora: Path,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> tuple[Left, Left]:
    """SFT and GRPO of a large model, one on the other."""
    with django_db_blocker.unblock(), runs_in(tmp_path_factory.mktemp("large"), corpora):
        sft = play(quick("sft", "large", model=str(stranger), **SHORT))
        return sft, play(quick("grpo", "large", **GRPO), sft.folder / "model")


def test_an_adapter_goes_from_stage_to_stage_and_speaks_at_a_table(
    stranger: Path, begun: tuple[Left, Left]
) -> None:
    last = play(quick("dpo", "large", pairs=24, rows_at_once=2), begun[1].folder / "model")
    chain = (*begun, last)
    for stage, left in zip(("sft", "grpo", "dpo"), chain, strict=True):
        assert left.card["base"] == str(stranger)
        assert left.card["dialect"] == "chat"
        assert left.card["stage"] == stage
        made = json.loads((left.folder / "model" / "adapter_config.json").read_text())
        assert (made["r"], made["lora_alpha"], made["lora_dropout"]) == (16, 32, 0.05)
        assert set(made["target_modules"]) == {"q_proj", "k_proj", "v_proj", "o_proj"}
        # Two layers, four places, two factors; nothing else of the model, and no second adapter.
        assert len(shapes(left)) == 2 * 4 * 2
        assert not (left.folder / "model" / "model.safetensors").exists()
        assert [path for path in (left.folder / "model").iterdir() if path.is_dir()] == []
    assert all(bool(weight.any()) for weight in load(chain[0].weights).values())
    # Dropout parts a model a little from itself before it has moved.
    assert 0.0 <= chain[1].metrics[0]["kl"] < 0.1 < chain[1].metrics[-1]["kl"]
    assert chain[2].summary["rows"] > 0

    checkpoint = read_checkpoint(chain[2].folder / "model")
    assert checkpoint.is_adapter
    game = SuiteGame("single_deal@sampled-1", 3)
    buyer = TrainedBuyer(checkpoint, temperature=0.0)
    while (seen := game.observation) is not None:
        game.step(buyer.act(seen))
    assert buyer.answers > 0

    merged = PeftModel.from_pretrained(
        AutoModelForCausalLM.from_pretrained(stranger), chain[2].folder / "model"
    )
    ids = torch.tensor([[5, 6, 7, 8]])
    with torch.inference_mode():
        apart = merged(input_ids=ids).logits
        together = merged.merge_and_unload()(input_ids=ids).logits
        bare = AutoModelForCausalLM.from_pretrained(stranger)(input_ids=ids).logits
    assert torch.allclose(apart, together, atol=1e-3)
    assert not torch.allclose(apart, bare, atol=1e-3)


@pytest.mark.usefixtures("every_line")
def test_an_adapter_that_is_trained_on_ends_as_if_nobody_had_stopped_it(
    begun: tuple[Left, Left],
) -> None:
    run = open_stage(quick("grpo", "large", **GRPO), "stopped", source=f"{begun[0].folder}/model")
    with pytest.raises(KeyboardInterrupt):
        run_stage(run, Reader("grpo 2/3", ctrl_c))
    resumed = play_on(run)
    assert "goes on from step 1" in resumed.said
    assert resumed.weights == begun[1].weights
    assert resumed.metrics == begun[1].metrics


def test_an_adapter_on_a_whole_model_of_ours_names_it_as_its_base(haggler: Path) -> None:
    left = play(quick("grpo", steps=1, updates=1, parts=2, lora_rank=4), haggler)
    assert left.card["base"] == str(haggler)
    assert read_checkpoint(left.folder / "model").is_adapter


def test_4_bit_without_a_gpu_is_refused_before_anything_is_loaded_or_played(
    stranger: Path, tmp_path: Path, settings: object
) -> None:
    if torch.cuda.is_available():
        pytest.skip("here is a GPU")
    corpora = settings.CORPORA_DIR = tmp_path / "none"  # type: ignore[attr-defined]
    config = make_config("sft", "large", model="nobody/nothing")
    assert config.precision == "4bit"
    run = open_stage(config, "four-bits")
    with pytest.raises(BadConfig, match="need a CUDA GPU; set precision to bfloat16"):
        run_stage(run, io.StringIO())
    run.refresh_from_db()
    assert run.status == Run.Status.FAILED
    assert "CUDA" in run.note
    assert not corpora.exists()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="4-bit weights need a CUDA GPU")
def test_4_bit_weights_on_a_gpu_are_nf4_and_go_through_all_stages(stranger: Path) -> None:
    pytest.importorskip("bitsandbytes")
    from training.stages.model_files import open_model

    told = {"precision": "4bit"}
    config = quick("sft", "large", model=str(stranger), **SHORT, **told)
    layer = open_model(str(stranger), config).model.model.layers[0].self_attn.q_proj
    assert layer.weight.quant_type == "nf4"
    sft = play(config)
    grpo = play(quick("grpo", "large", steps=2, updates=1, parts=2, **told), sft.folder / "model")
    dpo = play(quick("dpo", "large", pairs=8, rows_at_once=2, **told), grpo.folder / "model")
    assert len(shapes(dpo)) == 2 * 4 * 2


@pytest.mark.parametrize("stage", ["grpo", "dpo"])
def test_what_does_not_know_the_protocol_yet_is_sent_to_sft(stage: str, stranger: Path) -> None:
    with pytest.raises(BadConfig, match="begins with a model that bargains: one of SFT"):
        play(quick(stage), stranger)  # type: ignore[arg-type]


def test_a_folder_without_a_model_is_refused_by_name(haggler: Path, tmp_path: Path) -> None:
    empty = tmp_path / "almost"
    shutil.copytree(haggler, empty)
    (empty / "model.safetensors").unlink()
    with pytest.raises(BadConfig, match="almost' cannot be loaded"):
        play(quick("sft"), empty)
