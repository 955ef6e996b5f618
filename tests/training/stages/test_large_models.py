"""Models of the hub, taught by TRL as ``examples/large.py`` does it: a run like any other."""

import io
import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch

from agents.buyers.trained import TrainedBuyer
from agents.checkpoints import read_checkpoint
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from tests.support.small_stages import Left, Reader, ctrl_c, play, play_on, quick
from tests.support.tiny_llama import PEFT_LAGS
from training.jobs.chains import make_selectable
from training.models import Run
from training.stages.config import BadConfig, Stage
from training.stages.large import words_for
from training.stages.registry import checked, defaults, make_config
from training.stages.running import open_stage, run_stage

pytestmark = [pytest.mark.usefixtures("folders"), PEFT_LAGS]


def test_a_model_goes_from_stage_to_stage_and_speaks_at_a_table(stranger: Path) -> None:
    sft = play(quick("large-sft"), stranger)
    dpo = play(quick("large-dpo"), sft.folder / "model")
    grpo = play(quick("large-grpo"), dpo.folder / "model")
    before = (stranger / "model.safetensors").read_bytes()
    for stage, left in zip(("sft", "dpo", "grpo"), (sft, dpo, grpo), strict=True):
        assert left.card["name"] == f"sauda-large:{stage}"
        assert (left.card["dialect"], left.card["base"]) == ("chat", "")
        assert left.card["stage"] == f"large-{stage}"
        assert not (left.folder / "checkpoints").exists()
        # Whole, and nothing that could be a program.
        assert [path.name for path in (left.folder / "model").glob("*.bin")] == []
        assert not (left.folder / "model" / "adapter_model.safetensors").exists()
    assert len({before, sft.weights, dpo.weights}) == 3
    assert [row["step"] for row in sft.metrics] == [1, 2, 3]
    assert {"loss", "accuracy"} <= set(sft.metrics[0])
    assert {"loss", "accuracy", "margin"} <= set(dpo.metrics[0])
    assert {"loss", "reward"} <= set(grpo.metrics[0])

    offered = make_selectable(Run.objects.get(pk=grpo.card["made_by"]), "from-the-hub")
    assert (offered.is_adapter, offered.card.dialect) == (False, "chat")

    game = SuiteGame("single_deal@sampled-1", 3)
    buyer = TrainedBuyer(offered, temperature=0.0)
    while (seen := game.observation) is not None:
        game.step(buyer.act(seen))
    assert buyer.answers > 0


@pytest.mark.usefixtures("every_line", "every_sign")
def test_one_that_is_trained_on_ends_as_if_nobody_had_stopped_it(stranger: Path) -> None:
    whole: Left = play(quick("large-sft"), stranger)
    run = open_stage(quick("large-sft"), "stopped", source=str(stranger))
    with pytest.raises(KeyboardInterrupt):
        run_stage(run, Reader("large-sft 2/3", ctrl_c))
    resumed = play_on(run)
    assert "large-sft goes on from step" in resumed.said
    assert resumed.weights == whole.weights
    assert resumed.metrics == whole.metrics


def test_all_weights_are_trained_without_an_adapter(stranger: Path) -> None:
    left = play(quick("large-sft", lora_rank=0), stranger)
    assert left.weights != (stranger / "model.safetensors").read_bytes()
    assert [path.name for path in (left.folder / "model").glob("*.bin")] == []


def test_every_setting_is_a_word_of_the_script() -> None:
    config = make_config("large-grpo", "large", vllm=True, seed=3)
    told = words_for(config, "owner/name", "out")  # type: ignore[arg-type]
    assert told[0] == "grpo"
    assert told[-1] == "--vllm"
    assert {"--model=owner/name", "--lora=16", "--group=8", "--seed=1101500"} <= set(told)
    assert "--four-bit" in words_for(
        make_config("large-dpo", "large", precision="4bit"),  # type: ignore[arg-type]
        "owner/name",
        "out",
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"task": "nowhere"}, "There is no task 'nowhere'"),
        ({"task": "people-held-out"}, "people-held-out is held out"),
        ({"precision": "4bit", "lora_rank": 0}, "set lora_rank"),
        ({"precision": "4bit", "vllm": True}, "vLLM takes no weights of 4 bits"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_loaded(
    changes: dict[str, object], words: str
) -> None:
    with pytest.raises(BadConfig, match=words):
        make_config("large-grpo", "large", **changes)


def test_4_bit_without_a_gpu_is_refused_before_anything_is_loaded() -> None:
    if torch.cuda.is_available():
        pytest.skip("here is a GPU")
    config = make_config("large-sft", "large", model="nobody/nothing", precision="4bit")
    run = open_stage(config, "four-bits")
    with pytest.raises(BadConfig, match="need a CUDA GPU"):
        run_stage(run, io.StringIO())
    run.refresh_from_db()
    assert (run.status, "CUDA" in run.note) == (Run.Status.FAILED, True)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="4-bit weights need a CUDA GPU")
def test_4_bit_weights_on_a_gpu_go_through_sft(stranger: Path) -> None:
    pytest.importorskip("bitsandbytes")
    left = play(quick("large-sft", precision="4bit"), stranger)
    assert read_checkpoint(left.folder / "model").card.name == "sauda-large:sft"


@pytest.mark.skipif(find_spec("vllm") is not None, reason="here is vLLM")
def test_without_vllm_it_is_said_what_to_install(stranger: Path) -> None:
    with pytest.raises(BadConfig, match=r"leave it out, or pip install 'trl\[vllm\]'"):
        play(quick("large-grpo", vllm=True), stranger)


@pytest.mark.parametrize("stage", ["sft", "grpo", "dpo"])
def test_a_stage_of_the_mini_sends_a_model_of_the_hub_to_trl(stage: Stage, stranger: Path) -> None:
    with pytest.raises(BadConfig, match=f"a model of the hub is for large-{stage}"):
        play(quick(stage), stranger)
    with pytest.raises(BadConfig, match="owner/name, and for large-sft"):
        open_stage(quick(stage), "hub", source="owner/name")


def test_a_folder_without_a_model_is_refused_by_name(haggler: Path, tmp_path: Path) -> None:
    empty = tmp_path / "almost"
    shutil.copytree(haggler, empty)
    (empty / "config.json").write_text(json.dumps({"model_type": "none"}))
    with pytest.raises(BadConfig, match="almost' cannot be loaded"):
        play(quick("sft"), empty)
    with pytest.raises(BadConfig, match="almost' cannot be trained"):
        play(quick("large-sft"), empty)


def test_a_run_of_before_the_settings_went_can_still_be_read() -> None:
    told = defaults("grpo", "mini")
    gone = {"lora_rank": 0, "lora_alpha": 32, "lora_dropout": 0.05}
    assert checked("grpo", told | gone).model_dump() == told
    with pytest.raises(BadConfig, match="lora_rank is no setting of grpo"):
        checked("grpo", told | gone | {"lora_rank": 16})
