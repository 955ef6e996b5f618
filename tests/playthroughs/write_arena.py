"""Print whole matches with what each buyer may see: ``python -m tests.playthroughs.write_arena``.

A field is printed when it differs from what the same buyer saw last. A diff in a file in
``arena/`` is a change of the rules, of the seller, of a buyer or of what a buyer sees; say which
in the commit.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import django
from django.apps import apps

if not apps.ready:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()

from arena.auction.web.buyers import player_of
from arena.auction.web.records import actor
from arena.auction.web.what_if import commentary
from bazaarbatna.auction.auction_theory import reference_lines
from bazaarbatna.auction.events import ArenaEvent, Bidding, RoundRevealed, TellsShown
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.match import ArenaState, place, start
from bazaarbatna.auction.observe import ArenaObservation, observe
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.goods import SAMPLE_LISTINGS
from bazaarbatna.bargain.sealed import committed_text
from tests.playthroughs.printing import Printer
from tests.support.matches import a_seat

HERE = Path(__file__).parent / "arena"
PRINTER = Printer(Bidding, turns=2, is_named=True)

MATCHES: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "four_buyers": ("default", 21, ("rules:aggressive", "rules:smart", "rules:og", "sauda")),
    "impatient_seller": ("impatient", 12, ("sauda", "rules:smart")),
    "nobody_buys": ("deceptive", 4, ("rules:aggressive", "sauda")),
}
"""File name -> persona, seed, line-up."""


def playthrough(persona: str, seed: int, line_up: tuple[str, ...]) -> str:
    """Play one match and write down everything."""
    seats = tuple(a_seat(name) for name in line_up)
    scenario = make_match(SAMPLE_LISTINGS[seed % len(SAMPLE_LISTINGS)], seats, persona, seed)
    return "\n".join([*_lines(scenario, f"{persona} seller, seed {seed}"), ""])


def _lines(scenario: ArenaScenario, title: str) -> Iterator[str]:
    yield f"{scenario.suite}, {title}: {', '.join(seat.policy for seat in scenario.seats)}"
    yield f"sealed        {PRINTER.fields(scenario.sealed)}"
    yield f"promise of    {committed_text(scenario.sealed, scenario.salt)}"
    state, opening = start(scenario)
    events: list[ArenaEvent] = [*opening]
    yield from map(_event, opening)
    players = [player_of(scenario, seat) for seat in range(len(scenario.seats))]
    known: dict[str, object] = {}
    while state.ended is None:
        seat = state.awaited[0]
        seen = observe(state, seat)
        yield from _view(state, seen, known)
        state, happened = place(state, seat, players[seat](seen))
        yield from map(_event, happened)
        events += happened
    yield ""
    yield "=== Afterwards"
    for name, price in reference_lines(scenario).items():
        yield f"theory        {name}: {price:.2f}"
    for remark in commentary(scenario, events):
        yield f"{remark.kind:<14}{remark.text}"


def _view(state: ArenaState, seen: ArenaObservation, known: dict[str, object]) -> Iterator[str]:
    who = actor(seen.buyer)
    yield ""
    yield f"--- Round {state.round}: {who} ({state.scenario.seats[seen.buyer].policy}) sees"
    for name in seen.__struct_fields__:
        value = getattr(seen, name)
        before = known.get(f"{who} {name}")
        known[f"{who} {name}"] = value
        if value not in (None, (), before):
            yield f"  {name:<14}{PRINTER.show(name, value)}"


def _event(event: ArenaEvent) -> str:
    kind = str(event.__struct_config__.tag)
    if isinstance(event, TellsShown):
        return f"* tells       {PRINTER.fields(event.tells)}"
    if isinstance(event, RoundRevealed):
        rows = [f"* round       {event.round} · best {event.best}"]
        rows += [f"                {PRINTER.fields(bid)}" for bid in event.bids]
        return "\n".join(rows)
    return f"* {kind:<12}{PRINTER.fields(event)}"


def main() -> None:
    """Write every playthrough of a match again."""
    for name, match in MATCHES.items():
        (HERE / f"{name}.txt").write_text(playthrough(*match))


if __name__ == "__main__":
    main()
