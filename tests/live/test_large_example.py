"""``examples/large.py`` trains a model against the served site, and it learns which bid pays."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support import warm
from tests.support.commands import ROOT, inherited
from tests.support.servers import Site
from tests.support.tiny_llama import CERTAIN, make_tiny_llama, teach_tools

HERE = {"PYTHONPATH": str(ROOT)}
"""The library of this checkout, whatever was installed before."""

ALONE = {**inherited(), **HERE, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
"""So small a model is quickest with one thread, on a busy machine by far."""

SEED = 7
LOW, FAIR = "10", "53"
"""Bids in game 7: the seller asks 57.48 and takes the second one, in either of the two rounds."""

CALL = ("<tool_call>\n", '{"name": "offer", "arguments": {"price": ')
PIECES = (*CALL, LOW, "}}\n</tool_call>", FAIR)


def command(*asked: object) -> list[str]:
    return [sys.executable, "examples/large.py", *map(str, asked), "--cpu"]


def large(*asked: object) -> subprocess.CompletedProcess[str]:
    """Run it in a process that has the libraries of training already."""
    return warm.run(command(*asked), env=ALONE, knows=warm.TRAINING)


def cold(*asked: object) -> subprocess.CompletedProcess[str]:
    """Run it as whoever downloads it does."""
    return subprocess.run(
        command(*asked), cwd=ROOT, env=ALONE, capture_output=True, text=True, check=False
    )


@pytest.fixture
def undecided(tmp_path: Path) -> Path:
    """A model that calls the tool ``offer`` and tosses a coin for the price."""
    import torch
    from transformers import AutoModelForCausalLM

    folder = make_tiny_llama(tmp_path / "coin", says=PIECES, end="<|im_end|>", eos="<|im_end|>")
    tokenizer = teach_tools(folder)
    model = AutoModelForCausalLM.from_pretrained(folder)
    end, close, fair = tokenizer.convert_tokens_to_ids(["<|im_end|>", *PIECES[3:]])
    head = model.lm_head.weight
    with torch.no_grad():
        # The chain runs low -> close -> fair -> end; the coin makes it low or fair -> close -> end.
        head[fair, 4] = head[end, 5] = 0.0
        head[end, 4] = head[close, 5] = head[fair, 2] = CERTAIN
    model.save_pretrained(folder)
    return folder


def preference(folder: Path) -> float:
    """How much rather the model bids fairly: the difference of both prices' weights."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    head = AutoModelForCausalLM.from_pretrained(folder).lm_head.weight.detach()
    low, fair = tokenizer.convert_tokens_to_ids([LOW, FAIR])
    return float(head[fair, 2] - head[low, 2])


def test_it_learns_which_of_two_bids_closes(site: Site, undecided: Path, tmp_path: Path) -> None:
    out = tmp_path / "trained"
    options = {
        "task": "single_deal",
        "steps": 4,
        "group": 12,
        "batch": 12,
        "learning-rate": 0.01,
        "games": 1,
        "turns": 2,
        "tokens": 400,
        "seed": SEED,
    }
    told = [f"--{name}={value}" for name, value in options.items()]
    told += [f"--url={site.ws_url}/env/bazaar/ws", f"--model={undecided}", f"--out={out}"]
    done = large("grpo", *told)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^4 steps, mean reward -?\d\.\d{3} -> -?\d\.\d{3}$", done.stdout, re.M)
    assert preference(undecided) == 0.0
    assert preference(out) > 0.0


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A model that babbles, whose chat template knows tools."""
    folder = make_tiny_llama(tmp_path / "small", end="<|im_end|>", eos="<|im_end|>")
    teach_tools(folder)
    return folder


def test_it_imitates_prefers_and_goes_on_where_it_stopped(small: Path, tmp_path: Path) -> None:
    sft, dpo, few = tmp_path / "sft", tmp_path / "dpo", ("--games", 12, "--batch", 2, "--lora", 4)
    first = ("sft", "--model", small, "--out", sft, *few, "--save", 2)
    done = large(*first, "--steps", 2)
    assert done.returncode == 0, done.stderr
    done = large(*first, "--steps", 4, "--resume")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^4 steps, mean loss \d+\.\d{3} -> \d+\.\d{3}$", done.stdout, re.M)
    assert (sft / "checkpoint-4").is_dir()
    assert (sft / "adapter_config.json").is_file()
    done = large("dpo", "--model", sft / "merged", "--out", dpo, *few, "--steps", 2)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^2 steps, mean loss 0\.69\d -> ", done.stdout, re.M)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--task", "nowhere"], "There is no task 'nowhere'"),
        (["--four-bit"], "add --lora 16"),
        (["--four-bit", "--lora", "8", "--vllm"], "vLLM takes no weights of 4 bits"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_loaded(asked: list[str], told: str) -> None:
    done = cold("grpo", "--model", "nobody/nothing", *asked)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert told in done.stderr


def test_a_model_that_is_not_there_is_told_in_a_sentence() -> None:
    done = large("sft", "--model", "nobody/nothing", "--games", "2")
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "'nobody/nothing' cannot be trained: " in done.stderr


@pytest.mark.skipif(find_spec("vllm") is not None, reason="here is vLLM")
def test_without_vllm_it_is_said_what_to_install() -> None:
    done = cold("grpo", "--model", "nobody/nothing", "--vllm")
    assert (done.returncode, "pip install 'trl[vllm]'" in done.stderr) == (2, True)


def test_the_table_of_costs_is_what_its_lines_compute(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "examples" / "large.md").read_text()
    exec(compile(re.findall(r"```python\n(.*?)```", page, re.S)[0], "large.md", "exec"), {})
    rows = re.findall(r"^\| (?:H100|24 GB).*$", page, re.M)
    assert capsys.readouterr().out.splitlines() == rows
    assert len(rows) > 6


def test_every_option_of_the_page_is_one_of_the_script() -> None:
    page = (ROOT / "examples" / "large.md").read_text()
    told = {word for line in page.splitlines() if "large.py " in line for word in line.split()}
    options = {word for word in told if word.startswith("--") and "num_processes" not in word}
    script = (ROOT / "examples" / "large.py").read_text()
    assert [one for one in sorted(options) if f'"{one}"' not in script] == []
