"""How many whole games one process plays: ``python -m tests.benchmarks.games_per_second``.

The linear rule buyer against the pinned seller on ``single_deal@sampled-1``: drawing the scenario,
sealing it, every offer, every tell, the ending; all logs are kept. The bar: 10,000 games a second.
"""

import argparse
import platform
import statistics
import time
from collections.abc import Callable, Sequence

import msgspec

from bazaarbatna.bargain import (
    Log,
    apply,
    make_scenario,
    make_seller,
    observe_buyer,
    observe_seller,
    play_episode,
    show_tells,
    start,
    to_text,
)
from bazaarbatna.players.simple import Linear

SUITE = "single_deal@sampled-1"
RUNS = 5
BAR = 10_000


def fast(seed: int) -> Log:
    """Play as rollouts do."""
    return play_episode(make_scenario(SUITE, seed), Linear(seed))


def checked(seed: int) -> Log:
    """Play the same game through the door for people."""
    scenario = make_scenario(SUITE, seed)
    buyer, seller = Linear(seed), make_seller(scenario)
    state, opening = start(scenario)
    events = [*opening]
    while state.ended is None:
        if state.to_move == "buyer":
            state, happened = apply(state, "buyer", buyer.act(observe_buyer(state)))
        else:
            seen = observe_seller(state)
            state, happened = show_tells(state, "seller", seller.tells(seen))
            events += happened
            state, happened = apply(state, "seller", seller.act(seen))
        events += happened
    return Log(scenario, tuple(events))


def measure(play: Callable[[int], Log], games: int) -> float:
    """Return games per second; the logs are kept until the clock stops."""
    began = time.perf_counter()
    logs = [play(seed) for seed in range(games)]
    return len(logs) / (time.perf_counter() - began)


def report(name: str, rates: Sequence[float]) -> float:
    """Print one line and give its median."""
    median = statistics.median(rates)
    print(f"{name:<24}{median:>9,.0f} games/s   ({min(rates):,.0f} to {max(rates):,.0f})")
    return median


def main() -> None:
    """Measure, print, judge nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000, help="games per run")
    games = parser.parse_args().games
    sample = [fast(seed) for seed in range(min(games, 1000))]
    assert sample == [checked(seed) for seed in range(min(games, 1000))]
    events = statistics.fmean(len(log.events) for log in sample)
    print(f"{SUITE}, {games:,} games a run, median of {RUNS} runs, one process")
    print(f"Python {platform.python_version()}, msgspec {msgspec.__version__}")
    rates = [(measure(fast, games), measure(checked, games)) for _ in range(RUNS)]
    quick = report("play_episode (advance)", [pair[0] for pair in rates])
    safe = report("checked door (apply)", [pair[1] for pair in rates])
    began = time.perf_counter()
    size = sum(len(to_text(log)) for log in sample)
    writing = (time.perf_counter() - began) / len(sample)
    print(f"ratio fast / checked    {quick / safe:>9.2f}")
    print(f"ratio to the bar        {quick / BAR:>9.2f}   (bar: {BAR:,})")
    print(f"events per game         {events:>9.1f}")
    print(f"log as text             {writing * 1e6:>9.0f} us, {size / len(sample):,.0f} characters")


if __name__ == "__main__":
    main()
