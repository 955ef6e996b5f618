"""A bargain as a few lines of text, for people who look over a learner's shoulder."""

from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import to_rupees
from negotiation.money import rupees_text


def draw(seen: BuyerObservation, bargain: int, bargains: int) -> str:
    """Draw what the buyer sees.

    Args:
        seen: its observation.
        bargain: which bargain is on the table, counted from 1.
        bargains: how many there are.
    """

    def money(paise: int) -> str:
        return rupees_text(to_rupees(paise), seen.item.currency)

    words = {turn.round: turn.text for turn in seen.turns if turn.actor == "seller"}
    head = f"{seen.item.title} | {seen.suite} | bargain {bargain} of {bargains}"
    lines = [head, f"  the seller opens at {money(seen.opening_ask)}"]
    for round_, bid in enumerate(seen.bids, start=1):
        answer = f"seller asks {money(seen.asks[round_])}" if round_ < len(seen.asks) else ""
        said = f"  {words[round_]}" if words.get(round_) else ""
        lines.append(f"  {round_:>2}  you bid {money(bid):<12}{answer:<24}{said}".rstrip())
    if seen.outcome:
        lines.append(f"  over: {seen.outcome} in round {seen.round}")
    else:
        budget = money(seen.budget)
        lines.append(f"  round {seen.round} of {seen.max_rounds}; your budget is {budget}")
    return "\n".join(lines)
