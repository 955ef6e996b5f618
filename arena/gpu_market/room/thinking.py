"""On which threads turns are taken: where a model has a say, on threads of their own.

A model that is being loaded takes seconds, and its answers wait for each other anyway; a judging
one may take seconds for its verdict on the round that a turn ends. On the threads that all live
games share, four such matches would hold everybody up.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from arena.gpu_market.room.judge_rulings import MOST_AT_ONCE
from arena.gpu_market.room.seating import trained_in
from arena.market_models import MarketMatch
from negotiation.threads import in_thread

Given = ParamSpec("Given")
Result = TypeVar("Result")

_labs = ThreadPoolExecutor(1, thread_name_prefix="lab")
# While as many as may wait for a verdict, the rule judges for the others on the one thread more.
_courts = ThreadPoolExecutor(MOST_AT_ONCE + 1, thread_name_prefix="court")


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
    threads = await in_thread(_threads_of)(match_id)
    called = in_thread(function) if threads is None else in_thread(function, threads)
    return await called(*args, **kwargs)


def _threads_of(match_id: str) -> ThreadPoolExecutor | None:
    """Give the threads of a match in which a model has a say; None: those of all live games."""
    rows = MarketMatch.objects.filter(pk=match_id).values_list("judge", "seats")
    judge, seats = rows.first() or ("off", ())
    if judge == "model":
        return _courts
    return _labs if trained_in(seats) else None
