"""What stands in the two files, read with the library of the GGUF project."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from django.core.management import CommandError, call_command

from agents.dialects.compact import DIALECTS
from agents.gguf.weights import paired
from training.gguf.exporting import CHAT, FRAMINGS, export

TALKS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("user", "Kitna?"),),
    (("system", "Be brief."), ("user", 'Say "<price>"\n\t{{ 7 }} \\ ₹'), ("assistant", " 90 ")),
    (("user", "a"), ("assistant", "b"), ("user", "c")),
)


def fields(path: Path) -> dict[str, Any]:
    """Everything a file says of itself."""
    return {name: field.contents() for name, field in gguf.GGUFReader(path).fields.items()}


def go(template: str, messages: Sequence[tuple[str, str]]) -> str:
    """Perform the little of Go's templates that a Modelfile of ours is made of."""
    head, _, rest = template.partition("{{ range .Messages }}")
    body, _, tail = rest.rpartition("{{ end }}{{ end }}")
    cases = re.findall(
        r"\{\{ (?:else )?if eq \.Role \"(\w+)\" \}\}(.*?)(?=\{\{ else if|\Z)", body, re.S
    )
    said = [
        _constants(dict(cases)[role].replace("{{ .Content }}", "\0")).replace("\0", content)
        for role, content in messages
    ]
    return "".join([_constants(head), *said, _constants(tail)])


def _constants(text: str) -> str:
    whole = re.sub(r'\{\{ ("(?:[^"\\]|\\.)*") \}\}', lambda m: json.loads(m[1]), text)
    assert "{{" not in re.sub(r'"(?:[^"\\]|\\.)*"', "", text).replace("{{  }}", "")
    return whole


def template_in(modelfile: str) -> str:
    found = re.search(r'^TEMPLATE """(.*?)"""$', modelfile, re.S | re.M)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("make", ["small", "chatty"])
def test_ollama_frames_a_chat_as_training_did(
    make: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from transformers import AutoTokenizer

    source = request.getfixturevalue(make)
    tokenizer = AutoTokenizer.from_pretrained(source)
    made = export(source, tmp_path, name="m")
    template = template_in(made.modelfile.read_text())
    for talk in TALKS:
        messages = [{"role": role, "content": content} for role, content in talk]
        wanted = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        assert go(template, talk) == wanted


def test_the_modelfile_draws_as_the_site_does(small: Path, tmp_path: Path) -> None:
    made = export(small, tmp_path, name="sauda-mini")
    lines = made.modelfile.read_text().splitlines()
    assert "FROM ./sauda-mini.gguf" in lines
    parameters = [line.removeprefix("PARAMETER ") for line in lines if line.startswith("PARAM")]
    assert parameters == [
        "num_ctx 256",
        "temperature 0.7",
        "top_p 0.9",
        "top_k 0",
        "min_p 0.0",
        "repeat_penalty 1.0",
        "num_predict 48",
        'stop "<|end_of_text|>"',
    ]
    assert any("thousandths of the opening ask" in line for line in lines)


def test_the_file_says_what_the_model_is(small: Path, chatty: Path, tmp_path: Path) -> None:
    found = fields(export(small, tmp_path, name="small").weights)
    assert found["general.name"] == "Sauda mini, toy"
    assert found["llama.context_length"] == 256
    assert (found["llama.attention.head_count"], found["llama.attention.head_count_kv"]) == (4, 2)
    assert found["tokenizer.ggml.pre"] == "smollm"
    assert found["tokenizer.ggml.add_bos_token"] is False
    tokens, kinds = found["tokenizer.ggml.tokens"], found["tokenizer.ggml.token_type"]
    assert len(tokens) == len(kinds) == 704
    assert tokens[found["tokenizer.ggml.eos_token_id"]] == "<|end_of_text|>"
    assert kinds[tokens.index("<|end_of_text|>")] == gguf.TokenType.CONTROL
    assert kinds[tokens.index("<price>")] == gguf.TokenType.USER_DEFINED
    assert kinds[-1] == gguf.TokenType.UNUSED
    other = fields(export(chatty, tmp_path, name="chatty", force=True).weights)
    assert other["tokenizer.ggml.pre"] == "gpt-2"
    assert other["tokenizer.chat_template"]


def test_weights_are_the_checkpoints_own(small: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    source = load_file(small / "model.safetensors")
    for numbers, exact in (("f32", True), ("f16", True), ("q8_0", False)):
        path = export(small, tmp_path, name="m", numbers=numbers, force=True).weights
        there = {
            one.name: gguf.quants.dequantize(one.data, one.tensor_type)
            for one in gguf.GGUFReader(path).tensors
        }
        assert "output.weight" not in there
        rows = {
            "token_embd.weight": source["model.embed_tokens.weight"],
            "blk.1.ffn_down.weight": source["model.layers.1.mlp.down_proj.weight"],
            "blk.0.attn_q.weight": paired(source["model.layers.0.self_attn.q_proj.weight"], 4),
            "blk.0.attn_k.weight": paired(source["model.layers.0.self_attn.k_proj.weight"], 2),
        }
        for name, wanted in rows.items():
            apart = np.abs(there[name] - wanted.astype(np.float32)).max()
            assert apart == 0 if exact else 0 < apart < 0.01, (numbers, name)


def test_every_dialect_has_a_template() -> None:
    assert FRAMINGS.keys() == DIALECTS.keys()
    for framing in FRAMINGS.values():
        assert go(framing.template, CHAT) == framing.framed


def test_a_model_that_frames_chats_otherwise_needs_a_template(chatty: Path, tmp_path: Path) -> None:
    import shutil

    from transformers import AutoTokenizer

    source, out = shutil.copytree(chatty, tmp_path / "source"), tmp_path / "out"
    tokenizer = AutoTokenizer.from_pretrained(source)
    for template in (
        "{% for m in messages %}{{ m['content'] | upper }}\n{% endfor %}",
        "{% for m in messages %}{{ loop.index }}{{ m['content'] }}{% endfor %}",
        "{{ raise_exception('no') }}",
    ):
        tokenizer.chat_template = template
        tokenizer.save_pretrained(source)
        with pytest.raises(CommandError, match="--template"):
            call_command("export_gguf", str(source), str(out))
        assert not list(out.glob("*"))
    (tmp_path / "own").write_text("{{ .Prompt }}\n")
    call_command("export_gguf", str(source), str(out), "--template", str(tmp_path / "own"))
    assert 'TEMPLATE """{{ .Prompt }}"""' in (out / "Modelfile").read_text()


@pytest.mark.parametrize("text", [None, "", '{{ .Prompt }}"""\nFROM other'])
def test_an_odd_template_is_refused(chatty: Path, tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "own").write_text(text)
    with pytest.raises(CommandError, match=r"own (cannot be read|must hold)"):
        call_command(
            "export_gguf", str(chatty), str(tmp_path / "out"), "--template", str(tmp_path / "own")
        )
    assert not (tmp_path / "out").exists()
