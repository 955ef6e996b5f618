"""What a bot may say: read, or refused without a word of it."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bazaarbatna.envs.openenv.errors import ProtocolError
from training.bots.socket import ResetFrame, read_frame

SECRET = "bzr_S3cret"

BROKEN = [
    pytest.param('{"type": "reset", "data": 7, "x": ', "INVALID_JSON", id="wrong, then broken"),
    pytest.param('{"type": "reset", "data": 7} x', "INVALID_JSON", id="wrong, then more"),
    pytest.param('{"type": "step", "data": 7' + "]" * 40, "INVALID_JSON", id="wrong brackets"),
    pytest.param('{"type": "mcp", "data": {}}', "UNKNOWN_TYPE", id="no tools here"),
    pytest.param('{"type": ["reset"]}', "UNKNOWN_TYPE", id="a type that is no text"),
    pytest.param("x" * 16_385, "VALIDATION_ERROR", id="too long"),
    pytest.param(None, "INVALID_JSON", id="bytes"),
]


@pytest.mark.parametrize(("text", "code"), BROKEN)
def test_what_cannot_be_read_is_refused_by_code(text: str | None, code: str) -> None:
    with pytest.raises(ProtocolError) as refused:
        read_frame(text)
    assert refused.value.code == code


@given(st.text(max_size=40))
@example('", "token": 3}')
def test_any_text_is_a_message_or_refused_and_the_token_is_never_quoted(text: str) -> None:
    for said in (text, f'{{"type": "reset", "data": {{"token": "{SECRET}"{text}'):
        assert SECRET not in refusal_of(said)


def refusal_of(said: str) -> str:
    try:
        read_frame(said)
    except ProtocolError as refused:
        return refused.message
    return ""


def test_a_reset_with_its_token_is_read_and_never_shown() -> None:
    frame = read_frame(json.dumps({"type": "reset", "data": {"token": SECRET}}))
    assert isinstance(frame, ResetFrame)
    assert frame.data.token == SECRET
    assert SECRET not in repr(frame)
