"""Many answers in step are the answers that transformers itself makes, each row as if alone."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from agents.backends.local.loading import end_ids
from agents.backends.local.player import answer_in_step, generate
from tests.support.tiny_llama import make_tiny_llama
from tests.support.tiny_sauda import OFFER, make_sauda

TEXTS = ("Namaste", "last price 170, bhai, box sealed", "kal se badhega", "Namaste", "ek aur baat")
MOST = 24


@pytest.fixture(scope="module")
def babbling(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """Random weights and ends of turn, so that rows end here and there."""
    folder = make_tiny_llama(tmp_path_factory.mktemp("in-step") / "m", vocabulary=300)
    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    return model.eval(), AutoTokenizer.from_pretrained(folder)


def prompts(tokenizer: Any) -> list[list[int]]:
    return [tokenizer(text)["input_ids"] for text in TEXTS]


def theirs(model: Any, prompt: list[int], ends: frozenset[int]) -> list[int]:
    """What transformers says, always the likeliest token."""
    made = model.generate(
        torch.tensor([prompt]),
        attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
        do_sample=False,
        max_new_tokens=MOST,
        eos_token_id=sorted(ends),
        pad_token_id=0,
    )
    return [int(token) for token in made[0, len(prompt) :]]


def test_the_likeliest_answers_are_those_of_transformers(babbling: tuple[Any, Any]) -> None:
    model, tokenizer = babbling
    # One token in twelve ends an answer here, so that rows leave while others go on.
    ends = end_ids(tokenizer, model.generation_config) | set(range(0, len(tokenizer), 12))
    mine = answer_in_step(
        model,
        prompts(tokenizer),
        lambda logits: logits.argmax(dim=-1),
        ends=ends,
        pad=0,
        max_new_tokens=MOST,
    )
    assert mine == [theirs(model, prompt, ends) for prompt in prompts(tokenizer)]
    assert mine[0] == mine[3]
    assert len({len(answer) for answer in mine}) > 1


def test_company_changes_no_answer(babbling: tuple[Any, Any]) -> None:
    model, tokenizer = babbling
    how: dict[str, Any] = {"temperature": 0.0, "max_new_tokens": MOST}
    together = generate(model, tokenizer, prompts(tokenizer), **how)
    alone = [generate(model, tokenizer, [one], **how)[0] for one in prompts(tokenizer)]
    in_twos = generate(model, tokenizer, prompts(tokenizer), **how, rows=2)
    assert together == alone == in_twos
    assert not model.training


def test_it_draws_from_what_top_p_leaves(tmp_path: Path) -> None:
    # Two beginnings are equally likely.
    stages = (('{"action": "offer", ', '{"action": "walk", '), *OFFER[1:])
    folder = make_sauda(tmp_path / "two", stages=stages)
    model: Any = AutoModelForCausalLM.from_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    prompt = [tokenizer("move")["input_ids"]] * 200
    with torch.random.fork_rng():
        torch.manual_seed(1)
        how: dict[str, Any] = {"temperature": 1.0, "top_p": 0.95, "max_new_tokens": 12}
        made = generate(model, tokenizer, prompt, **how)
        torch.manual_seed(1)
        assert generate(model, tokenizer, prompt, **how) == made
        torch.manual_seed(1)
        # Half of the mass and no more: one of the two alike, always the same.
        cold = generate(model, tokenizer, prompt, **(how | {"top_p": 0.4}))
    begun = Counter(tokenizer.decode(answer[:1]) for answer in made)
    assert set(begun) == {'{"action": "offer", ', '{"action": "walk", '}
    assert all(60 < count < 140 for count in begun.values())
    assert len({tuple(answer) for answer in cold}) == 1
    assert tokenizer.decode(made[0], skip_special_tokens=True).endswith('theek hai"}')
