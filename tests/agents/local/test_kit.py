"""The local backend keeps the contract of all backends, and what it takes in memory."""

import asyncio
import gc

from agents.backends.base import Completion
from agents.backends.local.backend import LocalBackend
from agents.testing.backends import check_backend
from tests.agents.local.conftest import asha_asks
from tests.support.local_models import when_ready


async def test_the_contract_holds(scripted, babbling):
    for model in (scripted, babbling):
        await check_backend(await when_ready(LocalBackend(str(model), timeout_s=30)), callers=12)


async def test_two_hundred_answers_leave_nothing_behind(babbling):
    backend = await when_ready(LocalBackend(str(babbling), batch=8, stop_at_object=False))
    await crowd(backend, range(100))
    before = held()
    await crowd(backend, range(100, 300))
    assert held() <= before * 1.02
    await backend.close()


async def crowd(backend: LocalBackend, numbers: range) -> None:
    """Ask in waves; each wave has one who leaves early."""
    for first in numbers[::10]:
        asked = [
            asyncio.create_task(backend.complete(asha_asks(first % 50 + n, max_new_tokens=6 + n)))
            for n in range(10)
        ]
        await asyncio.sleep(0)
        asked[3].cancel()
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert sum(isinstance(answer, Completion) for answer in answers) == 9


def held() -> int:
    """Count the bytes of all tensors that anybody still holds."""
    import torch

    gc.collect()
    return sum(each.nbytes for each in gc.get_objects() if type(each) is torch.Tensor)
