"""Remarks on how the item was sold, or why it was not."""

from collections.abc import Iterator

from arena.auction.engine import auction_theory, selling
from arena.auction.engine.comment_facts import NUMBER_WORDS, Facts, Remark, percent
from arena.auction.engine.events import AskLowered, Placed, Sold
from arena.auction.engine.match import fold, place
from arena.auction.engine.moves import Hold
from negotiation.engine.quantities import Paise, to_paise

WORTH_SAYING = 0.01
"""Of the price: a smaller gain by waiting is not spoken of."""


def on_the_sale(match: Facts) -> Iterator[Remark]:
    """Say who won at what price and what that was worth, if it was sold."""
    winner, price = match.ended.winner, match.ended.price
    if winner is None or price is None:
        return
    yield _sold(match, winner, price)
    if price > selling.RULES.capitulation * match.scenario.anchor:
        part = price / match.scenario.anchor
        text = f"{match.name(winner)} paid {percent(part)} of the opening ask: a capitulation."
        yield Remark("capitulated", winner, text, {"price": price, "of_anchor": part})
    yield from _one_round_more(match, winner, price)
    yield _allocation(match, winner)
    second = auction_theory.reference_lines(match.scenario).get(auction_theory.SECOND_PRICE)
    if second is not None:
        yield _beside_theory(match, price, to_paise(second))


def on_no_sale(match: Facts) -> Iterator[Remark]:
    """Say who could have had the item, if nobody bought it."""
    if match.ended.winner is not None:
        return
    richest, reservation = match.richest, match.reservation
    budget = match.budgets[richest]
    figures: dict[str, float] = {"budget": budget, "reservation": reservation}
    if budget < reservation:
        yield Remark(
            "rational-walk",
            None,
            f"Nobody could pay: the seller would not go below {match.money(reservation)}, and the "
            f"largest budget was {match.money(budget)}.",
            figures,
        )
        return
    if budget == reservation:
        room = f"{match.name(richest)} could have paid just what the seller needed"
    else:
        room = (
            f"{match.name(richest)} could have paid {match.money(budget - reservation)} more than "
            f"the {match.money(reservation)} the seller needed"
        )
    yield Remark("mutual-loss", richest, f"Nobody bought it, and both sides lost: {room}.", figures)
    yield from _refused(match)


def _sold(match: Facts, winner: int, price: Paise) -> Remark:
    share = match.ended.shares[winner]
    text = (
        f"{match.name(winner)} bought it in round {match.ended.round} for {match.money(price)} and "
        f"kept {percent(share)} of the room between the seller's {match.money(match.reservation)} "
        f"and {match.whose(winner)} own {match.money(match.budgets[winner])}."
    )
    return Remark("sold", winner, text, {"price": price, "share": share})


def _one_round_more(match: Facts, winner: int, price: Paise) -> Iterator[Remark]:
    """Replay the last round with the winner holding its bid: was it hasty, or just in time?"""
    after = _had_the_winner_held(match, winner)
    name, paid = match.name(winner), match.money(price)
    match after:
        case AskLowered(_, ask) if price - ask >= WORTH_SAYING * price:
            text = (
                f"Patience would have paid: had {name} held in round {match.ended.round}, the next "
                f"ask would have been {match.money(ask)}, {match.money(price - ask)} less."
            )
            yield Remark("hasty", winner, text, {"ask": ask, "saved": price - ask})
        case Sold(_, rival, other) if rival != winner:
            text = (
                f"Just in time: had {name} held in round {match.ended.round} instead of paying "
                f"{paid}, {match.name(rival)} would have had it for {match.money(other)}."
            )
            yield Remark("in-time", winner, text, {"price": other, "rival": rival})


def _had_the_winner_held(match: Facts, winner: int) -> AskLowered | Sold | None:
    last = match.ended.round
    placed = [e for e in match.events if isinstance(e, Placed) and e.round == last]
    state = fold(match.scenario, match.events[: match.events.index(placed[0])])
    happened: list[object] = []
    for envelope in placed:
        move = Hold() if envelope.buyer == winner else envelope.move
        state, events = place(state, envelope.buyer, move)
        happened += events
    return next((e for e in happened if isinstance(e, AskLowered | Sold)), None)


def _allocation(match: Facts, winner: int) -> Remark:
    richest, budgets = match.richest, match.budgets
    gap = budgets[richest] - budgets[winner]
    if gap == 0:
        text = f"It went to the largest budget at the table, {match.name(winner)}'s."
        return Remark("efficient", winner, text, {"budget": budgets[winner]})
    text = (
        f"It did not go to the largest budget: {match.name(richest)} had "
        f"{match.money(gap)} more to spend than the winner."
    )
    return Remark("inefficient", richest, text, {"budget": budgets[richest], "gap": gap})


def _beside_theory(match: Facts, price: Paise, second: Paise) -> Remark:
    gap = abs(price - second)
    than = f"{match.money(gap)} {'less' if second < price else 'more'}" if gap else "the same"
    buyers = NUMBER_WORDS[len(match.budgets)]
    text = f"A second-price auction among the same {buyers} buyers would have brought {than}."
    return Remark("theory", None, text, {"price": price, "second_price": second})


def _refused(match: Facts) -> Iterator[Remark]:
    last = match.rounds[-1]
    bid = next((bid for bid in last.bids if bid.buyer == last.best), None)
    if bid is None or bid.price is None or bid.price < match.reservation:
        return
    text = (
        f"In the last round the seller let {match.name(bid.buyer)}'s {match.money(bid.price)} "
        f"stand, {match.money(bid.price - match.reservation)} above what it needed."
    )
    yield Remark("refused", bid.buyer, text, {"bid": bid.price})
