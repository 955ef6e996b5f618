"""On which threads turns are taken: those of a model on one of their own.

A model that is being loaded takes seconds, and its answers wait for each other anyway. On the
threads that all live games share, four such matches would hold everybody up.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from arena.gpu_market.room.seating import trained_in
from arena.market_models import MarketMatch
from negotiation.threads import in_thread

Given = ParamSpec("Given")
Result = TypeVar("Result")

_models = ThreadPoolExecutor(1, thread_name_prefix="lab")


async def think(
    match_id: str, function: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
) -> Result:
    """Call a function that takes turns of a match, off the event loop.

    Args:
        match_id: decides on which threads.
        function: what to call.
        args: for it.
        kwargs: for it.
    """
    if await in_thread(_has_model)(match_id):
        return await in_thread(function, _models)(*args, **kwargs)
    return await in_thread(function)(*args, **kwargs)


def _has_model(match_id: str) -> bool:
    seats = MarketMatch.objects.filter(pk=match_id).values_list("seats", flat=True).first()
    return bool(trained_in(seats or ()))
