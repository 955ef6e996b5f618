"""Try again what may work the next time, with pauses that grow."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

Result = TypeVar("Result")
Wrong = TypeVar("Wrong", bound=Exception)

Sleep = Callable[[float], Awaitable[Any]]


def doubled_s(first_s: float, failures: int, longest_s: float = float("inf")) -> float:
    """Return the pause after so many failures in a row."""
    return min(first_s * 2.0 ** max(failures - 1, 0), longest_s)


async def retry(
    attempt: Callable[[], Awaitable[Result]],
    pauses_s: Sequence[float],
    on: type[Wrong] | tuple[type[Wrong], ...],
    *,
    pause: Callable[[Wrong, float], float | None] = lambda _, planned_s: planned_s,
    sleep: Sleep = asyncio.sleep,
) -> Result:
    """Await something, again after each pause while it fails; the last failure is raised.

    What is not ``on`` the list of what may pass is raised at once. ``pause`` returns the pause
    after a failure, given the planned one; None: it cannot pass.
    """
    for planned_s in pauses_s:
        try:
            return await attempt()
        except on as wrong:
            wait_s = pause(wrong, planned_s)
            if wait_s is None:
                raise
        await sleep(wait_s)
    return await attempt()
