"""The comment on a finished match: sentences with numbers, computed from its log alone."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from arena.auction.engine import auction_theory, selling
from arena.auction.engine.events import (
    ArenaEvent,
    AskLowered,
    Bidding,
    Ended,
    Hold,
    Opened,
    Placed,
    RoundRevealed,
    Sold,
)
from arena.auction.engine.match import fold, place
from arena.auction.engine.scenario import ArenaScenario, Seat
from negotiation.engine.errors import BrokenLog
from negotiation.engine.quantities import Paise, to_paise, to_rupees
from negotiation.money import rupees_text

NUMBER_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


class Remark(msgspec.Struct, frozen=True):
    """One sentence about a finished match.

    ``buyer`` is the seat it is about (None: nobody alone); ``numbers`` holds the figures of the
    sentence by name: prices in paise, shares 0..1, rounds and counts.
    """

    kind: str
    buyer: int | None
    text: str
    numbers: dict[str, float] = {}


class Facts(msgspec.Struct, frozen=True):
    """A finished match. ``asks`` holds each round's ask, ``left`` by seat the round it left."""

    scenario: ArenaScenario
    events: tuple[ArenaEvent, ...]
    ended: Ended
    rounds: tuple[RoundRevealed, ...]
    asks: tuple[Paise, ...]
    left: dict[int, int]

    @property
    def budgets(self) -> tuple[Paise, ...]:
        """What each buyer could have paid."""
        return self.scenario.sealed.budgets

    @property
    def reservation(self) -> Paise:
        """What the seller would have taken."""
        return self.scenario.sealed.reservation

    @property
    def richest(self) -> int:
        """The buyer with the highest budget; of several the first."""
        return self.budgets.index(max(self.budgets))

    def name(self, seat: int) -> str:
        """Return a buyer's name; two of one name are told apart by their seats."""
        seats = self.scenario.seats
        own = seats[seat].name
        return own if _is_alone(own, seats) else f"{own} (seat {seat + 1})"

    def whose(self, seat: int) -> str:
        """Return the possessive of a buyer."""
        return "their" if self.scenario.seats[seat].person else "its"

    def money(self, paise: float) -> str:
        """Return a price in the currency of the match."""
        return rupees_text(to_rupees(round(paise)), self.scenario.item.currency)

    def bids_of(self, seat: int) -> list[tuple[int, Bidding]]:
        """Return a buyer's opened envelopes with their rounds."""
        return [
            (revealed.round, bid)
            for revealed in self.rounds
            for bid in revealed.bids
            if bid.buyer == seat
        ]


def facts(scenario: ArenaScenario, events: Sequence[ArenaEvent]) -> Facts:
    """Return the facts of a finished match from its log; ``BrokenLog`` where it has not ended."""
    last = events[-1] if events else None
    if not isinstance(last, Ended):
        raise BrokenLog("Only a finished match has a comment; this log has no end.")
    rounds = tuple(event for event in events if isinstance(event, RoundRevealed))
    return Facts(
        scenario=scenario,
        events=tuple(events),
        ended=last,
        rounds=rounds,
        asks=tuple(event.price for event in events if isinstance(event, Opened | AskLowered)),
        left={
            bid.buyer: revealed.round
            for revealed in rounds
            for bid in revealed.bids
            if bid.action == "walk"
        },
    )


def percent(share: float) -> str:
    """Return a share of 0..1 as whole percents.

    >>> percent(0.314)
    '31 %'
    """
    return f"{round(100 * share)} %"


def rounds_text(count: int) -> str:
    """Return a count of rounds in words.

    >>> rounds_text(1), rounds_text(2), rounds_text(30)
    ('one round', 'two rounds', '30 rounds')
    """
    word = NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else str(count)
    return f"{word} round{'' if count == 1 else 's'}"


def in_rounds(numbers: Sequence[int]) -> str:
    """Return numbers of rounds in words.

    >>> in_rounds([4]), in_rounds([2, 4, 7])
    ('in round 4', 'in rounds 2, 4 and 7')
    """
    if len(numbers) == 1:
        return f"in round {numbers[0]}"
    head = ", ".join(str(number) for number in numbers[:-1])
    return f"in rounds {head} and {numbers[-1]}"


def _is_alone(name: str, seats: Sequence[Seat]) -> bool:
    return sum(seat.name == name for seat in seats) == 1


KINDS = (
    "sold",
    "capitulated",
    "hasty",
    "in-time",
    "efficient",
    "inefficient",
    "theory",
    "rational-walk",
    "mutual-loss",
    "refused",
    "left-early",
    "bluffed",
    "lead",
    "rivalry",
)

WORTH_SAYING = 0.01
"""Of the price: a smaller gain by waiting is not spoken of."""


def comment(
    scenario: ArenaScenario,
    events: Sequence[ArenaEvent],
    *,
    without: tuple[int, Ended] | None = None,
) -> tuple[Remark, ...]:
    """Return what is worth saying about a finished match, the most important first.

    ``without`` is the winner's strongest rival, and how the same match ends without it.
    """
    match = facts(scenario, events)
    remarks = [*on_the_sale(match), *on_no_sale(match), *on_leaving(match)]
    if without is not None:
        remarks += on_rivalry(match, *without)
    remarks += [*on_signals(match), *on_the_lead(match)]
    return tuple(remarks)


def strongest_rival(scenario: ArenaScenario, winner: int) -> int:
    """Return the rival of the winner with the highest budget; of several the first."""
    budgets = scenario.sealed.budgets
    others = [seat for seat in range(len(budgets)) if seat != winner]
    return max(others, key=lambda seat: (budgets[seat], -seat))


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
    """Say what the strongest rival cost the winner, given how the match ends without it."""
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
