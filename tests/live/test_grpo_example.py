"""``examples/grpo_trl.py`` trains a model against the served site, and it learns which bid pays."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import ROOT, inherited
from tests.support.servers import Site
from tests.support.tiny_llama import CERTAIN, make_tiny_llama

HERE = {"PYTHONPATH": str(ROOT)}
"""The library of this checkout, whatever was installed before."""

SEED = 7
LOW, FAIR = "10", "53"
"""Bids in game 7: the seller asks 57.48 and takes the second one, in either of the two rounds."""

CALL = ("<tool_call>\n", '{"name": "offer", "arguments": {"price": ')
PIECES = (*CALL, LOW, "}}\n</tool_call>", FAIR)


@pytest.fixture
def undecided(tmp_path: Path) -> Path:
    """A model that calls the tool ``offer`` and tosses a coin for the price."""
    import torch
    import trl
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = make_tiny_llama(tmp_path / "coin", says=PIECES, end="<|im_end|>", eos="<|im_end|>")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    templates = Path(trl.__file__).parent / "chat_templates"
    tokenizer.chat_template = (templates / "qwen3.jinja").read_text()
    tokenizer.save_pretrained(folder)
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
        "games": 1,
        "turns": 2,
        "tokens": 400,
        "seed": SEED,
    }
    command = [sys.executable, "examples/grpo_trl.py", "--cpu", "--learning-rate", "0.01"]
    command += [f"--{name}={value}" for name, value in options.items()]
    command += [f"--url={site.ws_url}/env/bazaar/ws", f"--model={undecided}", f"--out={out}"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        # So small a model is quickest with one thread, on a busy machine by far.
        env={**inherited(), **HERE, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^4 steps, mean reward -?\d\.\d{3} -> -?\d\.\d{3}$", done.stdout, re.M)
    assert preference(undecided) == 0.0
    assert preference(out) > 0.0
