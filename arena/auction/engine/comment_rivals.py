"""Remarks on those who did not win: who left too early, who bluffed, what rivalry cost."""

from collections.abc import Iterator
from itertools import pairwise

from arena.auction.engine.comment_facts import Facts, Remark, in_rounds, rounds_text
from arena.auction.engine.events import Ended


def on_leaving(match: Facts) -> Iterator[Remark]:
    """Say who would have won by waiting: who left with more than the price in its pocket."""
    price, end = match.ended.price, match.ended.round
    for seat, round_ in sorted(match.left.items(), key=lambda one: (one[1], one[0])):
        budget = match.budgets[seat]
        if price is not None and budget > price:
            when = f"{rounds_text(end - round_)} later" if end > round_ else "in the same round"
            text = (
                f"{match.name(seat)} left in round {round_} with {match.money(budget)} to spend; "
                f"it went for {match.money(price)} {when}."
            )
            yield Remark("left-early", seat, text, {"budget": budget, "price": price})
        elif price is None and budget >= match.reservation:
            text = (
                f"{match.name(seat)} left in round {round_} with {match.money(budget)} to spend, "
                f"and {match.money(match.reservation)} would have bought it."
            )
            figures: dict[str, float] = {"budget": budget, "price": match.reservation}
            yield Remark("left-early", seat, text, figures)


def on_signals(match: Facts) -> Iterator[Remark]:
    """Say who bluffed, and whether the winner was among them."""
    for seat in range(len(match.budgets)):
        rounds = [number for number, bid in match.bids_of(seat) if bid.signal == "bluff"]
        if not rounds:
            continue
        result = "and won" if seat == match.ended.winner else "and did not get it"
        text = f"{match.name(seat)} bluffed {in_rounds(rounds)} {result}."
        yield Remark("bluffed", seat, text, {"times": len(rounds)})


def on_the_lead(match: Facts) -> Iterator[Remark]:
    """Count how often the lead changed hands."""
    fronts = [one.best for one in match.rounds if one.best is not None]
    changes = sum(one != other for one, other in pairwise(fronts))
    if changes:
        times = "once" if changes == 1 else "twice" if changes == 2 else f"{changes} times"
        text = f"The lead changed hands {times} in {rounds_text(len(match.rounds))}."
        yield Remark("lead", None, text, {"changes": changes})


def on_rivalry(match: Facts, rival: int, without: Ended) -> Iterator[Remark]:
    """Say what the strongest rival cost the winner.

    Args:
        match: what happened.
        rival: the strongest rival's seat.
        without: how the same match ends if that rival leaves in the first round.
    """
    winner, price = match.ended.winner, match.ended.price
    if winner is None or price is None:
        return
    name, other = match.name(winner), match.name(rival)
    figures: dict[str, float] = {"price": price, "rival": rival}
    if without.winner == winner and without.price is not None:
        saved = price - without.price
        figures |= {"without": without.price, "cost": saved}
        alone = f"{match.money(without.price)} in round {without.round}"
        if saved > 0:
            text = (
                f"Rivalry cost {name} {match.money(saved)}: with {other} gone from the start the "
                f"price would have been {alone}."
            )
        elif saved == 0:
            text = f"{other} changed nothing: without that rival {name} would have paid the same."
        else:
            text = (
                f"{other} did {name} a favour: with that rival gone from the start the price would "
                f"have been {alone}."
            )
        yield Remark("rivalry", winner, text, figures)
    elif without.winner is not None and without.price is not None:
        text = (
            f"Without {other} it would have gone to {match.name(without.winner)} for "
            f"{match.money(without.price)}."
        )
        yield Remark("rivalry", winner, text, figures | {"without": without.price})
    else:
        text = f"Without {other} nobody would have bought it."
        yield Remark("rivalry", winner, text, figures)
