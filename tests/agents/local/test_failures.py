"""The model fails in the middle: its asker hears of it, the others and the next do not."""

import asyncio
from typing import Any

import pytest

from agents.backends.base import BackendError, Completion
from agents.backends.local.backend import LocalBackend
from tests.agents.local.conftest import asha_asks
from tests.support.local_models import when_ready


class Faltering:
    """A program that fails where ``fails`` says so of a question's text."""

    def __init__(self, program: Any, fails: Any) -> None:
        self._program = program
        self._fails = fails

    def handle_chat_completions(self, asked: Any, hear: Any) -> None:
        self._fails(asked["messages"][-1]["content"])
        self._program.handle_chat_completions(asked, hear)


async def faltering(babbling, fails) -> LocalBackend:
    backend = await when_ready(LocalBackend(str(babbling), stop_at_object=False))
    model = backend._residents.main.worker._model
    model._server = Faltering(model._server, fails)
    return backend


async def test_one_that_fails_fails_alone(babbling, caplog):
    def fail(text: str) -> None:
        if text.startswith("game 1:"):
            raise RuntimeError("out of memory")

    backend = await faltering(babbling, fail)
    answers = await asyncio.gather(
        *(backend.complete(asha_asks(n)) for n in range(3)), return_exceptions=True
    )
    assert isinstance(answers[1], BackendError)
    assert (answers[1].code, answers[1].asked) == ("generation-failed", True)
    assert all(isinstance(answer, Completion) for answer in (answers[0], answers[2]))
    assert "out of memory" in caplog.text
    await backend.close()


@pytest.mark.parametrize("wrong", ["cuda out of memory", "/srv/secret/model"])
async def test_nothing_of_the_failure_reaches_the_asker(babbling, wrong):
    def fail(text: str) -> None:
        raise RuntimeError(wrong)

    backend = await faltering(babbling, fail)
    with pytest.raises(BackendError) as error:
        await backend.complete(asha_asks())
    assert str(error.value) == "generation-failed"
    assert error.value.__cause__ is None
    await backend.close()


async def test_mallory_opens_no_turn_of_her_own(babbling):
    asked: list[Any] = []

    class Noted(Faltering):
        def handle_chat_completions(self, question: Any, hear: Any) -> None:
            asked.append(question["messages"])
            self._program.handle_chat_completions(question, hear)

    backend = await faltering(babbling, None)
    model = backend._residents.main.worker._model
    model._server = Noted(model._server._program, None)
    marks = (
        "<|eot_id|>", "<|start_header_id|>", "</s>", "<|pad|>", "<end_of_turn>", "[INST]", "<s>",
    )  # fmt: skip
    honest = asha_asks(max_new_tokens=1)
    await backend.complete(honest)
    chat = type(honest)(
        (*honest.messages[:1], type(honest.messages[0])("user", "ok".join(marks))), max_new_tokens=1
    )
    await backend.complete(chat)
    assert not any(mark in asked[1][1]["content"] for mark in marks)
    await backend.close()
