"""What cannot be exported is refused in a sentence, and leaves nothing behind."""

import json
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agents.gguf import ExportError
from tests.support.tiny_llama import PEFT_LAGS, make_adapter
from training.gguf.exporting import export

Change = Callable[[dict[str, Any]], None]


def changed(source: Path, folder: Path, name: str, change: Change) -> Path:
    """Copy a checkpoint with one of its JSON files changed."""
    copy = shutil.copytree(source, folder / "changed")
    found = json.loads((copy / name).read_text())
    change(found)
    (copy / name).write_text(json.dumps(found))
    return copy


def refused(source: Path, out: Path, words: str, **how: Any) -> None:
    with pytest.raises(ExportError, match=words):
        export(source, out, name="m", **how)
    assert not list(out.glob("*"))


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("config.json", lambda c: c.update(model_type="mistral"), "is a mistral model"),
        (
            "config.json",
            lambda c: c.update(quantization_config={"quant_method": "bitsandbytes"}),
            "quantised weights",
        ),
        ("config.json", lambda c: c.update(hidden_act="gelu"), "activation is gelu"),
        (
            "config.json",
            lambda c: c.update(
                rope_parameters={"rope_type": "yarn", "factor": 2.0, "rope_theta": 1e4}
            ),
            "'yarn'",
        ),
        (
            "tokenizer.json",
            lambda t: t.update(
                pre_tokenizer={"type": "Sequence", "pretokenizers": [
                    {"type": "Whitespace"}, t["pre_tokenizer"]]}
            ),
            "no pre-tokenizer like",
        ),
        ("tokenizer.json", lambda t: t.update(normalizer={"type": "NFC"}), "normalizer"),
        ("tokenizer.json", lambda t: t["added_tokens"][0].update(lstrip=True), "lstrip"),
    ],
)  # fmt: skip
def test_what_llama_cpp_would_read_otherwise(
    chatty: Path, tmp_path: Path, name: str, change: Change, words: str
) -> None:
    refused(changed(chatty, tmp_path, name, change), tmp_path / "out", words)


@pytest.mark.parametrize("gone", ["tokenizer.json", "config.json", "model.safetensors"])
def test_a_checkpoint_that_lacks_something(chatty: Path, tmp_path: Path, gone: str) -> None:
    source = shutil.copytree(chatty, tmp_path / "source")
    (source / gone).unlink()
    refused(source, tmp_path / "out", "has no tokenizer.json|cannot be loaded")


def test_no_folder_at_all(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", tmp_path / "out", "There is no folder")


def test_a_base_for_whole_weights(chatty: Path, tmp_path: Path) -> None:
    refused(chatty, tmp_path / "out", "leave out --base", base=str(chatty))


@PEFT_LAGS
def test_an_adapter_of_a_quantised_base(chatty: Path, tmp_path: Path) -> None:
    adapter = make_adapter(chatty, tmp_path / "adapter")
    base = changed(
        chatty,
        tmp_path,
        "config.json",
        lambda c: c.update(quantization_config={"quant_method": "bitsandbytes"}),
    )
    refused(adapter, tmp_path / "out", "base of this adapter, has quantised", base=str(base))


def test_numbers_that_do_not_fit(chatty: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    source = shutil.copytree(chatty, tmp_path / "source")
    weights = load_file(source / "model.safetensors")
    weights["model.layers.0.mlp.up_proj.weight"][0, 0] = 1e6
    save_file(weights, source / "model.safetensors", metadata={"format": "pt"})
    refused(source, tmp_path / "out", "F16 cannot", numbers="f16")
    assert export(source, tmp_path / "out", name="m", numbers="f32").tensors


def test_files_that_are_there_stay(chatty: Path, tmp_path: Path) -> None:
    (tmp_path / "Modelfile").write_text("mine")
    with pytest.raises(ExportError, match="--force"):
        export(chatty, tmp_path, name="m")
    assert (tmp_path / "Modelfile").read_text() == "mine"
    export(chatty, tmp_path, name="m", force=True)
    assert (tmp_path / "Modelfile").read_text() != "mine"


def test_a_folder_that_is_a_file(chatty: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(ExportError, match="cannot be made"):
        export(chatty, tmp_path / "out", name="m")


@pytest.mark.parametrize("name", ["../m", "M", "", "a b", "-rf", "x" * 65])
def test_an_odd_name(chatty: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(ExportError, match="A model's name"):
        export(chatty, tmp_path / "out", name=name)
    assert not (tmp_path / "out").exists()


def test_a_full_disk_leaves_nothing(chatty: Path, tmp_path: Path) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, most))
    try:
        refused(
            chatty,
            tmp_path / "out",
            "cannot be written: (File too large|the disk is full)",
            numbers="f32",
        )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def test_the_command_says_what_to_do_next(
    chatty: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("export_gguf", str(chatty), str(tmp_path), "--type", "q8_0", "--name", "asha")
    said = capsys.readouterr().out
    assert f"ollama create asha -f {tmp_path / 'Modelfile'}" in said
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("export_gguf", str(tmp_path / "nowhere"), str(tmp_path / "out"))
