"""Print whole GPU markets with what a lab sees: ``python -m tests.playthroughs.write_market``.

A field is printed when it differs from what the lab saw last. A diff in a file in ``market/`` is a
change of the rules, of an archetype, of a policy or of what a lab sees; say which in the commit.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from bazaarbatna.market import (
    MarketScenario,
    Observation,
    make_market,
    observe,
    reward,
    start,
    step,
)
from bazaarbatna.market.events import MarketEvent
from bazaarbatna.market.planner import ceiling
from bazaarbatna.market.policies.registry import make_policy

HERE = Path(__file__).parent / "market"
ENCODER = msgspec.json.Encoder()

MARKETS: dict[str, tuple[str, int, str]] = {
    "single_trade": ("single_trade", 9, "rule_expert"),
    "market_round": ("market_round", 4, "rule_expert"),
    "coalition_market": ("coalition_market", 15, "rule_expert"),
    "coalition_market_planned": ("coalition_market", 15, "optimal_planner"),
}
"""File name -> task, seed, policy of the first lab."""


def playthrough(task: str, seed: int, policy: str) -> str:
    """Play one episode and write down everything."""
    return "\n".join(
        [*_lines(make_market(task, seed), f"{task}, seed {seed}: {policy}", policy), ""]
    )


def _lines(scenario: MarketScenario, title: str, policy: str) -> Iterator[str]:
    player, best = make_policy(policy, 0), ceiling(scenario, 0)
    yield title
    yield f"sealed  {_text(scenario.sealed)}"
    state, events = start(scenario)
    yield from map(_event, events)
    known: dict[str, str] = {}
    while state.ended is None:
        seen = observe(state, 0)
        yield from _view(seen, known)
        before = state
        state, events = step(state, 0, player(seen))
        yield from map(_event, events)
        columns = msgspec.structs.asdict(reward(before, state, 0, best))
        earned = {name: round(value, 4) for name, value in columns.items() if value}
        yield f"reward  {_text(earned)}"


def _view(seen: Observation, known: dict[str, str]) -> Iterator[str]:
    yield ""
    yield f"--- Round {seen.round}: {seen.lab} sees"
    for name in seen.__struct_fields__:
        value = getattr(seen, name)
        parts = value if isinstance(value, tuple) else (value,)
        for place, part in enumerate(parts):
            text, key = _text(part), f"{name} {place}"
            if known.get(key) != text:
                yield f"  {name:<19}{text}"
            known[key] = text


def _event(event: MarketEvent) -> str:
    return f"* {_text(event)}"


def _text(value: object) -> str:
    """JSON without the quotes around names, and short enough to read aloud."""
    return ENCODER.encode(value).decode().replace('"', "")


def main() -> None:
    """Write every playthrough of a market again."""
    HERE.mkdir(exist_ok=True)
    for name, market in MARKETS.items():
        (HERE / f"{name}.txt").write_text(playthrough(*market))


if __name__ == "__main__":
    main()
