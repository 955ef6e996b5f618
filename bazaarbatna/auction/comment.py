"""The comment on a finished match: sentences with numbers, computed from its log alone."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from bazaarbatna.auction import auction_theory, selling
from bazaarbatna.auction.events import (
    ArenaEvent,
    AskLowered,
    Bidding,
    Ended,
    Hold,
    Leave,
    Opened,
    Placed,
    RoundRevealed,
    Sold,
)
from bazaarbatna.auction.match import fold, place
from bazaarbatna.auction.scenario import ArenaScenario, Seat
from bazaarbatna.bargain.errors import BrokenLog
from bazaarbatna.bargain.quantities import Paise, to_paise, to_rupees
from bazaarbatna.money import about_text, least_text, most_text, rupees_text
from bazaarbatna.word_tables import Phrase, Values, texts_of

TEXTS = texts_of(__file__)

NUMBER_WORDS = (
    *(TEXTS["no"], TEXTS["one"], TEXTS["two"], TEXTS["three"]),
    *(TEXTS["four"], TEXTS["five"], TEXTS["six"], TEXTS["seven"]),
    *(TEXTS["eight"], TEXTS["nine"], TEXTS["ten"], TEXTS["eleven"]),
    TEXTS["twelve"],
)


class Remark(msgspec.Struct, frozen=True):
    """One sentence about a finished match.

    ``buyer`` is the seat it is about (None: nobody alone); ``numbers`` holds the figures of the
    sentence by name: prices in paise, shares 0..1, rounds and counts.
    """

    kind: str
    buyer: int | None
    phrase: Phrase
    numbers: dict[str, float] = {}

    @property
    def text(self) -> str:
        """The sentence in English."""
        return self.phrase.told()


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

    def name(self, seat: int) -> Phrase:
        """Return a buyer's name; two of one name are told apart by their seats."""
        seats = self.scenario.seats
        own = seats[seat].name
        if _is_alone(own, seats):
            return Phrase(own)
        told = TEXTS["name_with_seat"]
        return Phrase(told, {"who": Phrase(own), "seat": seat + 1})

    def money(self, paise: float) -> str:
        """Return a price in the currency of the match."""
        return rupees_text(to_rupees(round(paise)), self.scenario.item.currency)

    def most(self, paise: float) -> str:
        """Return a budget as its owner would say it, in whole rupees."""
        return most_text(to_rupees(round(paise)), self.scenario.item.currency)

    def least(self, paise: float) -> str:
        """Return the seller's limit as they would say it, in whole rupees."""
        return least_text(to_rupees(round(paise)), self.scenario.item.currency)

    def about(self, paise: float) -> str:
        """Return a distance between limits, to the nearest rupee."""
        return about_text(to_rupees(round(paise)), self.scenario.item.currency)

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


def rounds_text(count: int) -> Phrase:
    """Return a count of rounds in words.

    >>> rounds_text(1).told(), rounds_text(2).told(), rounds_text(30).told()
    ('one round', 'two rounds', '30 rounds')
    """
    if count == 1:
        return Phrase(TEXTS["one_round"])
    number = Phrase(NUMBER_WORDS[count]) if count < len(NUMBER_WORDS) else count
    return Phrase(TEXTS["number_rounds"], {"number": number})


def in_rounds(numbers: Sequence[int]) -> Phrase:
    """Return numbers of rounds in words.

    >>> in_rounds([4]).told(), in_rounds([2, 4, 7]).told()
    ('in round 4', 'in rounds 2, 4 and 7')
    """
    if len(numbers) == 1:
        return Phrase(TEXTS["in_round_number"], {"number": numbers[0]})
    head = ", ".join(str(number) for number in numbers[:-1])
    told = TEXTS["in_rounds_numbers_and_last"]
    return Phrase(told, {"numbers": head, "last": numbers[-1]})


def _is_alone(name: str, seats: Sequence[Seat]) -> bool:
    return sum(seat.name == name for seat in seats) == 1


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
    yield from _tied(match, winner, price)
    if price > selling.RULES.capitulation * match.scenario.anchor:
        part = price / match.scenario.anchor
        told = TEXTS["capitulated"]
        phrase = Phrase(told, {"who": match.name(winner), "part": percent(part)})
        yield Remark("capitulated", winner, phrase, {"price": price, "of_anchor": part})
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
    values: Values = {
        "who": match.name(richest),
        "limit": match.least(reservation),
        "budget": match.most(budget),
        "more": match.about(budget - reservation),
    }
    if budget < reservation:
        told = TEXTS["nobody_could_pay"]
        yield Remark("rational-walk", None, Phrase(told, values), figures)
        return
    told = TEXTS["lost_just_enough" if budget == reservation else "lost_more_than_enough"]
    yield Remark("mutual-loss", richest, Phrase(told, values), figures)
    yield from _refused(match)


def _sold(match: Facts, winner: int, price: Paise) -> Remark:
    share = match.ended.shares[winner]
    told = TEXTS["sold"]
    values: Values = {
        "who": match.name(winner),
        "round": match.ended.round,
        "price": match.money(price),
        "share": percent(share),
        "limit": match.least(match.reservation),
        "budget": match.most(match.budgets[winner]),
    }
    return Remark("sold", winner, Phrase(told, values), {"price": price, "share": share})


def _tied(match: Facts, winner: int, price: Paise) -> Iterator[Remark]:
    loud = {bid.buyer: bid.signal for bid in match.rounds[-1].bids if bid.price == price}
    for other, signal in loud.items():
        is_louder = selling.loudness(loud[winner]) > selling.loudness(signal)
        names: Values = {"who": match.name(winner), "other": match.name(other)}
        told = TEXTS["tied_by_call" if is_louder else "tied_by_lot"]
        phrase = Phrase(told, {**names, "price": match.money(price)})
        if other != winner:
            yield Remark("tied", other, phrase, {"price": price})


def _one_round_more(match: Facts, winner: int, price: Paise) -> Iterator[Remark]:
    after = _had_the_winner_held(match, winner)
    values: Values = {
        "who": match.name(winner),
        "round": match.ended.round,
        "price": match.money(price),
    }
    match after:
        case AskLowered(_, ask) if price - ask >= WORTH_SAYING * price:
            if _somebody_else_could_pay(match, winner, ask):
                return
            told = TEXTS["hasty"]
            values |= {"ask": match.money(ask), "saved": match.money(price - ask)}
            phrase = Phrase(told, values)
            yield Remark("hasty", winner, phrase, {"ask": ask, "saved": price - ask})
        case Sold(_, rival, other) if rival != winner:
            told = TEXTS["in_time"]
            values |= {"rival": match.name(rival), "other": match.money(other)}
            phrase = Phrase(told, values)
            yield Remark("in-time", winner, phrase, {"price": other, "rival": rival})


def _somebody_else_could_pay(match: Facts, winner: int, ask: Paise) -> bool:
    """Whether a rival who was still there might have had it for the next ask."""
    gone = {e.buyer for e in match.events if isinstance(e, Placed) and isinstance(e.move, Leave)}
    rivals = set(range(len(match.budgets))) - gone - {winner}
    return any(match.budgets[rival] >= ask for rival in rivals)


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
        told = TEXTS["efficient"]
        phrase = Phrase(told, {"who": match.name(winner)})
        return Remark("efficient", winner, phrase, {"budget": budgets[winner]})
    told = TEXTS["inefficient"]
    phrase = Phrase(told, {"who": match.name(richest), "more": match.about(gap)})
    return Remark("inefficient", richest, phrase, {"budget": budgets[richest], "gap": gap})


def _beside_theory(match: Facts, price: Paise, second: Paise) -> Remark:
    gap = abs(price - second)
    if not gap:
        told = TEXTS["theory_same"]
    elif second < price:
        told = TEXTS["theory_less"]
    else:
        told = TEXTS["theory_more"]
    values: Values = {"count": Phrase(NUMBER_WORDS[len(match.budgets)]), "gap": match.about(gap)}
    return Remark("theory", None, Phrase(told, values), {"price": price, "second_price": second})


def _refused(match: Facts) -> Iterator[Remark]:
    last = match.rounds[-1]
    bid = next((bid for bid in last.bids if bid.buyer == last.best), None)
    if bid is None or bid.price is None or bid.price < match.reservation:
        return
    told = TEXTS["refused"]
    values: Values = {
        "who": match.name(bid.buyer),
        "price": match.money(bid.price),
        "above": match.about(bid.price - match.reservation),
    }
    yield Remark("refused", bid.buyer, Phrase(told, values), {"bid": bid.price})


def on_leaving(match: Facts) -> Iterator[Remark]:
    """Say who would have won by waiting: who left with more than the price in its pocket."""
    price, end = match.ended.price, match.ended.round
    for seat, round_ in sorted(match.left.items(), key=lambda one: (one[1], one[0])):
        budget = match.budgets[seat]
        values: Values = {
            "who": match.name(seat),
            "round": round_,
            "budget": match.most(budget),
        }
        if price is not None and budget > price:
            told = TEXTS["left_in_the_same_round"]
            if end > round_:
                told = TEXTS["left_before_the_sale"]
            values |= {"price": match.money(price), "rounds": rounds_text(max(end - round_, 1))}
            figures: dict[str, float] = {"budget": budget, "price": price}
            yield Remark("left-early", seat, Phrase(told, values), figures)
        elif price is None and budget >= match.reservation:
            told = TEXTS["left_and_nobody_bought"]
            values |= {"limit": match.least(match.reservation)}
            figures = {"budget": budget, "price": match.reservation}
            yield Remark("left-early", seat, Phrase(told, values), figures)


def on_signals(match: Facts) -> Iterator[Remark]:
    """Say who bluffed, and whether the winner was among them."""
    for seat in range(len(match.budgets)):
        rounds = [number for number, bid in match.bids_of(seat) if bid.signal == "bluff"]
        if not rounds:
            continue
        told = TEXTS["bluffed_in_vain"]
        if seat == match.ended.winner:
            told = TEXTS["bluffed_and_won"]
        phrase = Phrase(told, {"who": match.name(seat), "rounds": in_rounds(rounds)})
        yield Remark("bluffed", seat, phrase, {"times": len(rounds)})


def on_the_lead(match: Facts) -> Iterator[Remark]:
    """Count how often the lead changed hands."""
    fronts = [one.best for one in match.rounds if one.best is not None]
    changes = sum(one != other for one, other in pairwise(fronts))
    if changes:
        told = TEXTS["lead_changed"]
        if changes == 1:
            told = TEXTS["lead_changed_once"]
        elif changes == 2:
            told = TEXTS["lead_changed_twice"]
        phrase = Phrase(told, {"count": changes, "rounds": rounds_text(len(match.rounds))})
        yield Remark("lead", None, phrase, {"changes": changes})


def on_rivalry(match: Facts, rival: int, without: Ended) -> Iterator[Remark]:
    """Say what the strongest rival cost the winner, given how the match ends without it."""
    winner, price = match.ended.winner, match.ended.price
    if winner is None or price is None:
        return
    values: Values = {"who": match.name(winner), "other": match.name(rival)}
    figures: dict[str, float] = {"price": price, "rival": rival}
    if without.winner == winner and without.price is not None:
        saved = price - without.price
        figures |= {"without": without.price, "cost": saved}
        values |= {"price": match.money(without.price), "round": without.round}
        if saved > 0:
            values["cost"] = match.money(saved)
            told = TEXTS["rival_cost"]
        elif saved == 0:
            told = TEXTS["rival_changed_nothing"]
        else:
            told = TEXTS["rival_helped"]
    elif without.winner is not None and without.price is not None:
        told = TEXTS["rival_kept_it_from_another"]
        values |= {"winner": match.name(without.winner), "price": match.money(without.price)}
        figures |= {"without": without.price}
    else:
        told = TEXTS["rival_made_the_sale"]
    yield Remark("rivalry", winner, Phrase(told, values), figures)
