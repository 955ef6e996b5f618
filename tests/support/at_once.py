"""Works that begin at the same moment, each in a thread of its own."""

import threading
from collections.abc import Callable

from django.db import connections


def at_once(*works: Callable[[], object]) -> list[object]:
    """Run all at the same moment; return what came of each, or what went wrong with it."""
    results: list[object] = [None] * len(works)
    line = threading.Barrier(len(works))

    def run(place: int, work: Callable[[], object]) -> None:
        try:
            line.wait()
            results[place] = work()
        except BaseException as wrong:  # noqa: BLE001  told to the test
            results[place] = wrong
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=one) for one in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def all_at_once(*works: Callable[[], object]) -> list[BaseException]:
    """Run all at the same moment and return what went wrong."""
    return [one for one in at_once(*works) if isinstance(one, BaseException)]
