"""Every family's end of turn ends an answer."""

import pytest

from agents.backends.local.backend import LocalBackend
from agents.gguf.vocabulary import END_MARKS
from tests.agents.local.conftest import asha_asks
from tests.support.local_models import when_ready
from tests.support.tiny_llama import make_tiny_llama


@pytest.mark.parametrize("mark", END_MARKS)
async def test_each_mark_ends_the_answer_whatever_the_tokenizer_calls_its_end(tmp_path, mark):
    eos = "<|eot_id|>" if mark != "<|eot_id|>" else "</s>"
    model = make_tiny_llama(tmp_path, says=("theek ", "hai"), end=mark, eos=eos)
    backend = await when_ready(LocalBackend(str(model)))
    completion = await backend.complete(asha_asks())
    assert (completion.text, completion.completion_tokens) == ("theek hai", 3)
    await backend.close()


async def test_an_answer_without_end_is_as_long_as_was_allowed(tmp_path):
    model = make_tiny_llama(tmp_path, says=("theek ", "hai, "), end="")
    backend = await when_ready(LocalBackend(str(model)))
    completion = await backend.complete(asha_asks(max_new_tokens=5))
    assert completion.text == "theek hai, theek hai, theek "
    await backend.close()
