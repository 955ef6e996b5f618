"""The parts that need no model."""

import doctest
import importlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.backends.local.source import Source
from agents.backends.local.worker import ObjectEnd


@pytest.mark.parametrize("name", ["local.worker", "local.model", "hf"])
def test_the_examples_are_true(name):
    module = importlib.import_module(f"agents.backends.{name}")
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"price": 150} and so on', '{"price": 150}'),
        ('Sure! {"a": {"b": 1}} {"c": 2}', 'Sure! {"a": {"b": 1}}'),
        ('{"say": "} \\" }"} x', '{"say": "} \\" }"}'),
        ('{"say": "\\\\"} x', '{"say": "\\\\"}'),
        ('<think>{"no": 1} {</think>{"yes": 1} x', '<think>{"no": 1} {</think>{"yes": 1}'),
        ("no object, } none", None),
        ('{"open": "', None),
    ],
)
@given(cuts=st.sets(st.integers(1, 40)))
def test_the_first_object_is_found_however_the_text_is_cut(text, answer, cuts):
    edges = sorted({0, *(cut for cut in cuts if cut < len(text)), len(text)})
    end, kept = ObjectEnd(), ""
    for begin, stop in itertools.pairwise(edges):
        piece = text[begin:stop]
        closed = end.closed_after(piece)
        kept += piece if closed is None else piece[:closed]
    assert kept == (text if answer is None else answer)


def test_a_label_shows_no_folders():
    assert Source("/srv/models/sauda-8b/").label == "sauda-8b"
    assert Source("/srv/models/sauda.gguf").label == "sauda.gguf"
    assert Source("unsloth/Llama-3.2-1B").label == "unsloth/Llama-3.2-1B"
    assert Source("../models/sauda").label == "sauda"
