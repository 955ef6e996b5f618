"""A match as a few lines of text: the ask of each round and the envelopes that were opened."""

from arena.auction.engine.match import ArenaState
from negotiation.engine.quantities import to_rupees
from negotiation.money import rupees_text


def draw(state: ArenaState) -> str:
    """Draw a match as a spectator sees it: envelopes that are not open yet stay closed."""
    scenario = state.scenario

    def money(paise: int | None) -> str:
        return "-" if paise is None else rupees_text(to_rupees(paise), scenario.item.currency)

    lines = [f"{scenario.item.title} | {scenario.suite} | {len(scenario.seats)} buyers"]
    for number, opened in enumerate(state.rounds, start=1):
        ask = f"  {number:>2}  ask {money(state.asks[number - 1]):<12}"
        bids = (
            f"{scenario.seats[bid.buyer].name} {_told(bid.action, bid.price)}" for bid in opened
        )
        lines.append(ask + "  ".join(bids))
    if state.ended is None:
        lines.append(f"  round {state.round} of {scenario.max_rounds}, ask {money(state.ask)}")
    elif state.ended.winner is None:
        lines.append(f"  over: {state.ended.outcome} in round {state.ended.round}")
    else:
        winner = scenario.seats[state.ended.winner].name
        lines.append(f"  sold to {winner} for {money(state.ended.price)}")
    return "\n".join(lines)


def _told(action: str, price: int | None) -> str:
    if action == "walk":
        return "leaves"
    return "waits" if price is None else f"{price / 100:.2f}"
