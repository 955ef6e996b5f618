"""However bytes come, an answer is a completion or a BadAnswer, never anything else."""

import gzip
import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agents.backends.base import BadAnswer, Completion, unheard
from agents.backends.http_client import LONGEST_BODY, BoundedBody
from agents.backends.ollama import OllamaAnswer
from agents.backends.openai_answer import ChatAnswer
from agents.backends.shapes import Events, Lines

Answer = ChatAnswer | OllamaAnswer
MAKERS: tuple[Callable[[], Answer], ...] = (
    lambda: ChatAnswer(unheard, "m", streamed=True),
    lambda: ChatAnswer(unheard, "m", streamed=False),
    lambda: OllamaAnswer(unheard, "m"),
)

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
keys = st.sampled_from(
    ["choices", "delta", "message", "content", "done", "usage", "error", "finish_reason", "model"]
)
shapes = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4)
)
lines = st.binary(max_size=40) | shapes.map(lambda shape: json.dumps(shape).encode())
bodies = st.lists(
    st.tuples(
        st.sampled_from([b"", b"data: ", b"data:", b": "]),
        lines,
        st.sampled_from([b"\n", b"\n\n", b"\r\n\r\n"]),
    ),
    max_size=5,
).map(lambda parts: b"".join(b"".join(part) for part in parts))


def read(answer: Answer, pieces: list[bytes]) -> Completion | str:
    """Read an answer to its end; a BadAnswer gives its code."""
    try:
        for piece in pieces:
            if answer.feed(piece):
                break
        return answer.completion()
    except BadAnswer as error:
        return error.code


def cut(body: bytes, places: list[int]) -> list[bytes]:
    """Cut a body at places."""
    ends = sorted({place % (len(body) + 1) for place in places})
    return [body[a:b] for a, b in zip([0, *ends], [*ends, len(body)], strict=True)]


@given(bodies, st.sampled_from(MAKERS))
@example(b'data: {"choices": [{"delta": {"content": "\\ud800"}}]}\n\n', MAKERS[0])
@example(b'{"message": {"content": "a"}, "done": true, "eval_count": 1e999}', MAKERS[2])
@example(b"[" * 100_000, MAKERS[1])
def test_any_bytes_are_an_answer_or_a_bad_one(body: bytes, make: Callable[[], Answer]) -> None:
    assert isinstance(read(make(), [body]), Completion | str)


GOOD: tuple[tuple[Callable[[], Answer], bytes], ...] = (
    (
        MAKERS[0],
        b': hello\r\n\r\ndata: {"choices":[{"delta":{"role":"assistant"}}]}\r\n\r\n'
        + 'data:{"choices":[{"delta":{"content":"₹170 "}}]}\n\n'.encode()
        + 'event: x\ndata: {"choices":[{"delta":\ndata: {"content":"ठीक 🫖"}}]}\n\n'.encode()
        + b'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n'
        + b"data: [DONE]\n\n",
    ),
    (MAKERS[1], '\n{"choices":[{"message":{"content":"₹170 ठीक 🫖"}}]}\n'.encode()),
    (
        MAKERS[2],
        '{"message":{"content":"₹170 "}}\r\n\n'.encode()
        + '{"message":{"content":"ठीक 🫖"},"done":true}'.encode(),
    ),
)


@given(st.sampled_from(GOOD), st.lists(st.integers(0, 10_000), max_size=12))
def test_where_the_network_cuts_does_not_matter(
    good: tuple[Callable[[], Answer], bytes], places: list[int]
) -> None:
    make, body = good
    answer = read(make(), cut(body, places))
    assert isinstance(answer, Completion)
    assert answer.text == "₹170 ठीक 🫖"
    assert answer == read(make(), [body[n : n + 1] for n in range(len(body))])


@given(st.sampled_from(GOOD), st.integers(1, 10_000))
def test_every_half_is_cut_off_or_known_to_be_bad(
    good: tuple[Callable[[], Answer], bytes], length: int
) -> None:
    make, body = good
    half = body.rstrip()[: length % len(body.rstrip())]
    told = read(make(), [half])
    assert told == "cut-off" or half.rstrip().endswith(b"[DONE]")


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=8))
def test_lines_and_events_do_not_depend_on_the_cuts(body: bytes, places: list[int]) -> None:
    def fed(reader: Any) -> list[bytes]:
        return [item for piece in cut(body, places) for item in reader.feed(piece)]

    assert fed(Lines()) == Lines().feed(body)
    assert fed(Events()) == Events().feed(body)


def test_no_decoded_byte_beyond_the_bound_is_made() -> None:
    bomb = gzip.compress(b" " * 200_000_000, 1)
    tracemalloc.start()
    with pytest.raises(BadAnswer, match="too-long"):
        BoundedBody("gzip").decoded(bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, gzip", "x"])
def test_a_coding_that_nobody_asked_for_is_not_the_protocol(coding: str) -> None:
    with pytest.raises(BadAnswer, match="not-the-protocol"):
        BoundedBody(coding)


@pytest.mark.parametrize("coding", ["gzip", " GZIP", "deflate"])
def test_a_compressed_body_is_read_and_a_broken_one_cut_off(coding: str) -> None:
    assert BoundedBody(coding).decoded(gzip.compress(b"theek")) == b"theek"
    with pytest.raises(BadAnswer, match="cut-off"):
        BoundedBody(coding).decoded(b"theek")


def test_exactly_the_bound_is_not_too_long() -> None:
    body = BoundedBody()
    assert sum(len(body.decoded(b"x" * 1024)) for _ in range(256)) == LONGEST_BODY
    with pytest.raises(BadAnswer, match="too-long"):
        body.decoded(b"x")
