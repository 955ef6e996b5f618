"""The model fails in the middle: those under way hear of it, the worker goes on."""

import asyncio
from typing import Any

import pytest

from agents.backends.base import BackendError, Completion
from agents.backends.local.backend import LocalBackend
from agents.backends.local.worker import Worker
from tests.agents.local.conftest import asha_asks
from tests.support.local_models import when_ready


class Faltering(Worker):
    """Loads a model that fails in each forward pass whose tokens are as ``fails_at`` says."""

    fails_at: Any = None

    def _load(self):
        decoder = super()._load()

        def falter(module, args, given):
            if self.fails_at(given["input_ids"]):
                raise RuntimeError("out of memory")

        decoder._loaded.model.register_forward_pre_hook(falter, with_kwargs=True)
        return decoder


async def faltering(babbling, fails_at) -> LocalBackend:
    backend = LocalBackend(str(babbling), stop_at_object=False)
    resident = backend._residents.main
    resident.worker = Faltering(resident.source, 8, stop_at_object=False)
    resident.worker.fails_at = lambda ids: False
    await when_ready(backend)
    resident.worker.fails_at = fails_at
    return backend


async def test_all_answers_under_way_fail_together_and_the_next_is_answered(babbling, caplog):
    steps = iter(range(1000))
    backend = await faltering(babbling, lambda ids: ids.shape[1] == 1 and next(steps) == 5)
    answers = await asyncio.gather(
        *(backend.complete(asha_asks(n)) for n in range(3)), return_exceptions=True
    )
    assert [getattr(answer, "code", "") for answer in answers] == ["generation-failed"] * 3
    assert "out of memory" in caplog.text
    again = await asyncio.gather(*(backend.complete(asha_asks(n)) for n in range(3)))
    assert [answer.completion_tokens for answer in again] == [96] * 3
    await backend.close()


async def test_a_prompt_that_cannot_be_read_fails_alone(babbling):
    prompts = iter(range(1000))
    backend = await faltering(babbling, lambda ids: ids.shape[1] > 1 and next(prompts) == 1)
    answers = await asyncio.gather(
        *(backend.complete(asha_asks(n)) for n in range(3)), return_exceptions=True
    )
    assert isinstance(answers[1], BackendError)
    assert answers[1].code == "generation-failed"
    assert answers[1].asked
    assert all(isinstance(answer, Completion) for answer in (answers[0], answers[2]))
    await backend.close()


@pytest.mark.parametrize("wrong", ["cuda out of memory", "/srv/secret/model"])
async def test_nothing_of_the_failure_reaches_the_asker(babbling, wrong):
    def fail(ids):
        raise RuntimeError(wrong)

    backend = await faltering(babbling, fail)
    with pytest.raises(BackendError) as error:
        await backend.complete(asha_asks())
    assert str(error.value) == "generation-failed"
    await backend.close()
