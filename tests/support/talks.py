"""Whole sales between Sauda and a seller with a script, event by event, without a site."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Protocol

import msgspec

from agents.text.intent import read_intent
from bazaarbatna.bargain.episode import State, apply, say, start
from bazaarbatna.bargain.events import Event
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation, observe
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SALE, Item, Scenario, SealedValues
from negotiation.policies import BuyerPolicy

GOODS = (
    ("Brass hanging lamp with chain, peacock top", "Brass and crafts", 5800),
    ("Atlas cycle, 24 inch", "Sports", 4200),
    ("OnePlus 9, 128 GB", "Phones", 12500),
    ("Sheesham study table with two drawers", "Furniture", 9000),
)


class TalkingPolicy(BuyerPolicy, Protocol):
    """A buyer that also answers words that carry no price."""

    def reply(self, observation: BuyerObservation) -> str:
        """Say one short line without moving; the last turn holds the seller's words."""
        ...


class Spoken(msgspec.Struct, frozen=True):
    """One line of hers: the position before it, the move that it went with (None: words alone)."""

    seen: BuyerObservation
    move: Move | None
    text: str


class Talk(msgspec.Struct, frozen=True):
    """A game of a seed; the seller leaves when he has no more to say."""

    seed: int
    events: tuple[Event, ...]
    spoken: tuple[Spoken, ...]


def sale(seed: int, rounds: int = 10, goods: int | None = None) -> Scenario:
    """Draw a sale of the site's kind."""
    dice = Random(seed)
    title, category, ask = GOODS[seed % len(GOODS) if goods is None else goods]
    reservation = round(ask * dice.uniform(0.45, 0.65))
    budget = round(ask * dice.uniform(0.7, 1.0))
    sealed = SealedValues(
        Paise(100 * reservation), Paise(100 * reservation), Paise(100 * budget), seed
    )
    return Scenario(SALE, Item(title, category), rounds, Paise(100 * ask), sealed, "0" * 32)


def play(
    scenario: Scenario,
    buyer: TalkingPolicy,
    lines: Sequence[str],
    ask_of: Callable[[State, str], int | None],
) -> Talk:
    """Play until the lines or the game are over.

    Args:
        scenario: the sale.
        buyer: Sauda, in any voice.
        lines: what the seller says, one at each turn of his.
        ask_of: gives the price in paise that a line asks for; None where it asks for none.
    """
    state, events = start(scenario)
    spoken: list[Spoken] = []
    log = [*events]

    def her_turn(state: State) -> State:
        seen = observe(state, "buyer")
        assert isinstance(seen, BuyerObservation)
        move = buyer.act(seen)
        spoken.append(Spoken(seen, move, move.text))
        moved, events = apply(state, "buyer", move)
        log.extend(events)
        return moved

    state = her_turn(state)
    for line in lines:
        if state.ended is not None:
            break
        price = ask_of(state, line)
        if price is None:
            state, events = say(state, "seller", line)
            log.extend(events)
            seen = observe(state, "buyer")
            assert isinstance(seen, BuyerObservation)
            words = buyer.reply(seen)
            spoken.append(Spoken(seen, None, words))
            state, events = say(state, "buyer", words)
        else:
            bid = state.standing_bid
            takes = bid is not None and price <= bid
            state, events = apply(
                state, "seller", Accept(line) if takes else Offer(Paise(price), line)
            )
            log.extend(events)
            if state.ended is None:
                state = her_turn(state)
            continue
        log.extend(events)
    if state.to_move == "seller":
        state, events = apply(state, "seller", Walk())
        log.extend(events)
    return Talk(scenario.sealed.seed, tuple(log), tuple(spoken))


def as_read(state: State, line: str) -> int | None:
    """Read the price that a line asks for, as the site does; one that rises stays what it was."""
    intent = read_intent(line, state.standing_ask, state.standing_bid)
    if intent.kind != "price" or intent.price is None:
        return None
    return max(min(intent.price, state.standing_ask), state.scenario.sealed.reservation)


def coming_down(seed: int) -> Callable[[State, str], int | None]:
    """Make a seller who now and then comes down a little, whatever he says."""
    dice = Random(seed)

    def price(state: State, line: str) -> int | None:
        if dice.random() < 0.2:
            return None
        step = dice.choice((0, 0, 1, 50, 100, 300)) * 100
        return max(state.standing_ask - step, state.scenario.sealed.reservation)

    return price


def every(talks: Iterator[Talk]) -> tuple[Spoken, ...]:
    """Return all her lines of several talks."""
    return tuple(one for talk in talks for one in talk.spoken)
