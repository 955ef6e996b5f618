"""How often something is done in a second, as benchmarks measure and print it."""

import statistics
import time
from collections.abc import Callable, Sequence


def measure(
    work: Callable[[int], object], times: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return how often ``work`` is done in a second of a clock."""
    began = clock()
    for number in range(times):
        work(number)
    return times / (clock() - began)


def report(name: str, unit: str, rates: Sequence[float]) -> None:
    """Print one line: the median, and both ends."""
    median = statistics.median(rates)
    print(f"{name:<28}{median:>9,.0f} {unit:<12} ({min(rates):,.0f} to {max(rates):,.0f})")
