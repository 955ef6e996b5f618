"""Print whole games with what each side may see: ``python -m tests.playthroughs.write``.

A field is printed when it differs from what the same side saw last.
A diff in a file beside this one is a change of the rules, of a seller or of what a side sees;
say which in the commit.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from bazaarbatna.bargain import (
    Buyer,
    BuyerObservation,
    Career,
    Event,
    Offer,
    Scenario,
    SellerObservation,
    State,
    TellsShown,
    advance,
    committed_text,
    legal_moves,
    make_scenario,
    make_seller,
    observe_buyer,
    observe_seller,
    remember,
    repair,
    show_tells,
    start,
    suite,
)
from tests.playthroughs.printing import Printer
from tests.support.players import PatientBuyer, SteadyBuyer

HERE = Path(__file__).parent
PRINTER = Printer()

GAMES: dict[str, tuple[str, int, Callable[[int], Buyer]]] = {
    "single_deal": ("single_deal@sampled-1", 14, SteadyBuyer),
    "single_deal_hopeless": ("single_deal@sampled-1", 12, SteadyBuyer),
    "single_deal_fixed": ("single_deal@fixed-1", 11, PatientBuyer),
    "asymmetric_pressure": ("asymmetric_pressure@sampled-1", 11, SteadyBuyer),
    "career_10": ("career_10@sampled-1", 11, SteadyBuyer),
    "deceptive_seller": ("deceptive_seller@sampled-1", 13, SteadyBuyer),
    "impatient_seller": ("impatient_seller@sampled-1", 24, PatientBuyer),
    "collaborative_seller": ("collaborative_seller@sampled-1", 11, SteadyBuyer),
    "read_the_tells": ("read_the_tells@sampled-1", 17, PatientBuyer),
    "amazon_realistic": ("amazon_realistic@sampled-1", 11, SteadyBuyer),
    "people": ("people@1", 15, SteadyBuyer),
    "people_insulted": ("people-proud@1", 13, PatientBuyer),
}
"""File name -> suite, seed, buyer; at least one per suite, and of the population."""


def playthrough(suite_id: str, seed: int, make_buyer: Callable[[int], Buyer]) -> str:
    """Play one game of a suite and write down everything."""
    return "\n".join([*_lines(suite_id, seed, make_buyer), ""])


def _lines(suite_id: str, seed: int, make_buyer: Callable[[int], Buyer]) -> Iterator[str]:
    row = suite(suite_id)
    buyer = make_buyer(seed)
    yield f"{suite_id}, seed {seed}, {type(buyer).__name__}: {row.title}"
    yield f"level {row.level} · solved from {row.success} · {PRINTER.fields(row.game_type)}"
    career = Career()
    for episode in range(row.episodes):
        scenario = make_scenario(suite_id, seed, episode, career)
        told = career.summary() if row.career else None
        yield from ("", f"=== Episode {episode + 1} of {row.episodes}", *_sealed(scenario))
        state, opening = start(scenario)
        yield from map(_event, opening)
        seller = make_seller(scenario)
        known: dict[str, object] = {}
        while state.ended is None:
            if state.to_move == "buyer":
                view = observe_buyer(state, told)
                yield from _view("buyer", state, view, known)
                move = repair(state, "buyer", buyer.act(view))
            else:
                seen = observe_seller(state)
                yield from _view("seller", state, seen, known)
                state, shown = show_tells(state, "seller", seller.tells(seen))
                yield from map(_event, shown)
                move = repair(state, "seller", seller.act(seen))
            if isinstance(move, Offer):
                yield f"  proposes    {move.price / 100:.2f}"
            state, happened = advance(state, move)
            yield from map(_event, happened)
        if row.career:
            career = remember(career, scenario.anchor, state.ended)


def _sealed(scenario: Scenario) -> Iterator[str]:
    yield f"sealed        {PRINTER.fields(scenario.sealed)}"
    yield f"promise of    {committed_text(scenario.sealed, scenario.salt)}"
    yield f"zone          {scenario.zopa / 100:.2f}"


def _view(
    side: str,
    state: State,
    view: BuyerObservation | SellerObservation,
    known: dict[str, object],
) -> Iterator[str]:
    yield ""
    yield f"--- Round {state.round}: the {side} sees"
    for name in view.__struct_fields__:
        value = getattr(view, name)
        before = known.get(f"{side} {name}")
        known[f"{side} {name}"] = value
        if value not in (None, (), before):
            yield f"  {name:<12}{PRINTER.show(name, value)}"
    yield f"  may         {', '.join(legal_moves(state, state.to_move or 'buyer'))}"


def _event(event: Event) -> str:
    kind = str(event.__struct_config__.tag)
    if isinstance(event, TellsShown):
        return f"* tells       {PRINTER.fields(event.tells)}"
    return f"* {kind:<12}{PRINTER.fields(event)}"


def main() -> None:
    """Write every playthrough again."""
    for name, game in GAMES.items():
        (HERE / f"{name}.txt").write_text(playthrough(*game))


if __name__ == "__main__":
    main()
