"""The stages of the voice on a tiny model: they leave an adapter, and resume what was begun."""

import msgspec
import pytest

from agents.speech.box import read_voice
from tests.support.tiny_llama import PEFT_LAGS, make_tiny_llama
from training.models import Run
from training.runs import lifecycle
from training.stages.config import BadConfig, Stage
from training.stages.registry import make_config
from training.stages.running import open_stage, run_stage
from training.stages.voice.stages import Pair

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here"), PEFT_LAGS]

LITTLE = {"max_length": 2048, "batch": 8, "rows_at_once": 8}


class Silent:
    def write(self, _: str) -> None: ...

    def flush(self) -> None: ...


def play(stage: Stage, source: str, after: Run | None = None, **changes: object) -> Run:
    config = make_config(stage, "toy", **LITTLE, **changes)
    run = open_stage(config, stage, source=source, after=after)
    run_stage(run, Silent())  # type: ignore[arg-type]
    run.refresh_from_db()
    return run


def test_sft_then_dpo(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch):
    from training.stages.voice import lessons, stages

    few = lessons.exchanges(("english",))[:8]
    for module in (stages, lessons):
        monkeypatch.setattr(module, "exchanges", lambda languages, held_out=False: few)
    base = make_tiny_llama(tmp_path_factory.mktemp("base"), vocabulary=600)
    sft = play("voice-sft", str(base), epochs=1.0)
    folder = lifecycle.folder_of(sft) / "model"
    assert (folder / "adapter_model.safetensors").is_file()
    card = read_voice(folder)
    assert (card.name, card.base, card.languages) == ("sauda-voice:sft", str(base), ())
    assert sft.summary is not None
    assert sft.summary["lessons"] == 8
    polished = play("voice-dpo", "", after=sft)
    assert read_voice(lifecycle.folder_of(polished) / "model").name == "sauda-voice:dpo"
    lines = (lifecycle.folder_of(polished) / "pairs.jsonl").read_bytes().splitlines()
    pairs = [msgspec.json.decode(line, type=Pair) for line in lines]
    assert {one.chosen for one in pairs} <= {one.line for one in few}
    assert all(one.faults for one in pairs)


def test_dpo_begins_with_a_voice(tmp_path_factory: pytest.TempPathFactory) -> None:
    base = make_tiny_llama(tmp_path_factory.mktemp("base"), vocabulary=600)
    with pytest.raises(BadConfig, match="begins with a voice of voice-sft"):
        play("voice-dpo", str(base))
