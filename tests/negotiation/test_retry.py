"""Trying again: as often as there are pauses, and only what may pass."""

from collections.abc import Callable
from typing import Any

import pytest

from negotiation.retry import retry


def failing(*wrong: Exception) -> Callable[[], Any]:
    left = list(wrong)

    async def attempt() -> str:
        if left:
            raise left.pop(0)
        return "done"

    return attempt


async def tried(
    attempt: Callable[[], Any], pause: Callable[[OSError, float], float | None] | None = None
) -> tuple[str, list[float]]:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    more: dict[str, Any] = {} if pause is None else {"pause": pause}
    return await retry(attempt, (1.0, 2.0), OSError, sleep=sleep, **more), slept


async def test_what_passes_is_tried_again_after_each_pause() -> None:
    assert await tried(failing(OSError(), OSError())) == ("done", [1.0, 2.0])
    assert await tried(failing()) == ("done", [])


async def test_the_last_failure_is_raised() -> None:
    with pytest.raises(OSError, match="third"):
        await tried(failing(OSError("first"), OSError("second"), OSError("third")))


async def test_what_cannot_pass_is_raised_at_once() -> None:
    with pytest.raises(ValueError, match="no"):
        await tried(failing(ValueError("no")))
    with pytest.raises(OSError, match="no"):
        await tried(failing(OSError("no")), lambda wrong, planned: None)


async def test_a_failure_may_ask_for_another_pause() -> None:
    assert await tried(failing(OSError()), lambda wrong, planned: 7.0) == ("done", [7.0])
