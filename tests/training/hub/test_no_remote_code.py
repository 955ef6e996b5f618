"""A model may bring weights and words, never a program."""

import ast
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import ROOT
from tests.support.tiny_sauda import make_sauda

Load = Callable[[Path], Any]

ALLOWS = re.compile(
    r"trust_remote_code[\"']?\s*[=:]\s*(?!False\b)|[\"']trust_remote_code[\"']"
    r"|--trust-remote-code"
)
MALLORY = "from pathlib import Path\n\nPath(__file__).with_name('ran').touch()\n"


def listed() -> list[Path]:
    """Every file of the repository."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split("\0")
    paths = [ROOT / name for name in names if name]
    return [path for path in paths if path.is_file() and path != Path(__file__).resolve()]


def test_nothing_in_the_repository_lets_a_model_bring_code() -> None:
    paths = listed()
    assert sum(path.suffix == ".py" for path in paths) > 100
    assert [path for path in paths if ALLOWS.search(path.read_text(errors="replace"))] == []


def test_the_search_would_notice() -> None:
    for text in (
        "f(trust_remote_code=True)",
        "f(trust_remote_code=code)",
        '{"trust_remote_code": true}',
        "--trust-remote-code",
    ):
        assert ALLOWS.search(text)
    assert not ALLOWS.search("f(trust_remote_code=False)")


def questions(path: Path) -> Iterator[ast.Call]:
    """Find where a class of transformers is chosen by what a folder says of itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(ast.Attribute(ast.Name(name), "from_pretrained")) if "Auto" in name:
                yield node


def test_every_loader_says_no_so_that_nobody_is_asked_at_a_terminal() -> None:
    rooms = (
        "agents", "arena", "bazaar_site", "bazaarbatna", "negotiation", "replays", "rooms",
        "training",
    )  # fmt: skip
    found = [
        (path, call)
        for path in listed()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in rooms
        for call in questions(path)
    ]
    assert len(found) >= 5
    for path, call in found:
        said = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
        assert said.get("trust_remote_code") == "False", f"{path}:{call.lineno}"


def served(folder: Path) -> Any:
    from agents.backends.local.model import open_model
    from agents.backends.local.source import Source

    return open_model(Source(str(folder)))


def trained(folder: Path) -> Any:
    from training.stages.model_files import open_model
    from training.stages.registry import make_config

    return open_model(str(folder), make_config("sft", "toy")).model


def exported(folder: Path) -> Any:
    from training.gguf.exporting import export

    return export(folder, folder.parent / "out", name="model", template="-", force=True)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A model of ours with Mallory's program beside it, named in both configurations."""
    folder = make_sauda(tmp_path / "hostile")
    (folder / "mallory.py").write_text(MALLORY)
    brings(folder / "config.json", "AutoConfig", "AutoModelForCausalLM")
    brings(folder / "tokenizer_config.json", "AutoTokenizer")
    return folder


def brings(path: Path, *classes: str, **more: Any) -> None:
    config = json.loads(path.read_text())
    program = dict.fromkeys(classes, "mallory.Mallory")
    path.write_text(json.dumps(config | {"auto_map": program} | more))


@pytest.mark.parametrize("load", [served, trained, exported])
def test_mallorys_program_is_left_alone(hostile: Path, load: Load) -> None:
    assert load(hostile)
    brings(hostile / "config.json", "AutoConfig", "AutoModelForCausalLM", model_type="mallory")
    with pytest.raises(ValueError, match=r"mallory|custom code"):
        load(hostile)
    assert not (hostile / "ran").exists()
