"""The two players that play on from a position of a finished game, with the same seeds.

A suite's pinned seller keeps luck and a memory: it is rebuilt by playing its recorded turns.
Everybody else keeps nothing, so the seed is enough; a model's plain form stands for the model, and
a stand-in for a person.
"""

from collections.abc import Sequence
from random import Random
from typing import Protocol

import msgspec

from bazaarbatna.bargain.episode import State, advance, follow, show_tells, start
from bazaarbatna.bargain.events import Ended, Event, OfferAccepted, OfferMade, WalkedAway
from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import (
    CareerSummary,
    SellerObservation,
    observe,
    observe_buyer,
    observe_seller,
)
from bazaarbatna.bargain.proposals import repair
from bazaarbatna.bargain.quantities import Side
from bazaarbatna.bargain.scenario import Scenario, SellerRules
from bazaarbatna.bargain.sellers import SELLERS, VERSIONS, HouseSeller, make_seller
from bazaarbatna.bargain.sellers.base import RuleSeller, inventory_pressure
from bazaarbatna.bargain.sellers.persona import HOUSE
from bazaarbatna.bargain.tells import Tells
from negotiation.bargain import opponent
from negotiation.bargain.recorded import PERSON, RULE_SELLER, Record
from negotiation.policies import policy

BACKEND = "stand-in"

BUYERS = ("rules:smart", "rules:linear", "rules:boulware", "sauda")
"""Policies that may stand in for a buyer."""

UNSEEN = {"fidget_level": None, "eye_contact": None, "posture": None}
"""Signals that nobody could observe in a written game: they are not invented for a stand-in."""


def buyer_name(seed: int) -> str:
    """Choose who stands in for a buyer."""
    return BUYERS[Random(f"stand-in:{seed}").randrange(len(BUYERS))]


class SellerStandIn:
    """A rule seller that begins at a position: the ask that stands is its anchor.

    It plans to have spent its room (down to the reservation price) when the rounds end; its
    persona, drawn among the four, then hurries, bluffs or leans as ever.
    """

    def __init__(self, state: State, seed: int) -> None:
        luck = Random(f"stand-in:{seed}")
        persona = tuple(SELLERS)[luck.randrange(len(SELLERS))]
        self.version = VERSIONS[persona]
        self._rounds_gone = state.round - 1
        self._asks_gone = len(state.asks) - 1
        scenario = _from_here(state, persona, seed)
        self._seller: RuleSeller = SELLERS[persona](scenario, luck)

    def tells(self, seen: SellerObservation) -> Tells:
        """Show what written words could have shown; comes before ``act``, as with every seller."""
        shown = self._seller.tells(self._here(seen))
        return msgspec.structs.replace(shown, **UNSEEN)

    def act(self, seen: SellerObservation) -> Move:
        """Answer the standing bid."""
        return msgspec.structs.replace(self._seller.act(self._here(seen)), text="")

    def _here(self, seen: SellerObservation) -> SellerObservation:
        return msgspec.structs.replace(
            seen,
            round=seen.round - self._rounds_gone,
            max_rounds=seen.max_rounds - self._rounds_gone,
            asks=seen.asks[self._asks_gone :],
        )


def _from_here(state: State, persona: str, seed: int) -> Scenario:
    scenario = state.scenario
    ask, sealed = state.standing_ask, scenario.sealed
    rounds = scenario.max_rounds - state.round + 1
    pressed = 1 + HOUSE.pressure_weight * inventory_pressure(SellerRules())
    rate = (ask - sealed.reservation) / ask / rounds / pressed
    return msgspec.structs.replace(
        scenario,
        max_rounds=rounds,
        anchor=ask,
        sealed=msgspec.structs.replace(sealed, persona=persona, seed=seed),
        rules=SellerRules(concession_rate=rate, bluff_raise=scenario.rules.bluff_raise),
    )


GOLDEN = 0x9E3779B97F4A7C15
SEED_BITS = (1 << 53) - 1


class Made(msgspec.Struct, frozen=True):
    """What a player's turn led to, and who served it."""

    state: State
    events: tuple[Event, ...]
    backend: str
    version: str


class Player(Protocol):
    """Plays one side of a game from any position."""

    def turn(self, state: State, seq: int, shown: bool) -> Made:
        """Move, or answer words; ``shown``: the tells of this turn are in the log already."""


def luck_seed(seed: int, luck: int) -> int:
    """Return the seed of a continuation; number 0 is the game's own."""
    return seed ^ (luck * GOLDEN & SEED_BITS)


class LivePlayer:
    """The opponent at a live table, words and all: exactly what it did against a person."""

    def __init__(self, name: str) -> None:
        self.name = name

    def turn(self, state: State, seq: int, shown: bool) -> Made:
        """Take the opponent's turn by its plain policy."""
        turn = opponent.take(state, self.name, seq)
        if turn is None:
            return Made(state, (), "", "")
        return Made(turn.state, turn.events, turn.served.backend, turn.served.policy_version)


class PolicyPlayer:
    """A policy that keeps nothing between turns; ``quiet`` asks it for deeds without words."""

    def __init__(
        self, name: str, seed: int, career: CareerSummary | None = None, *, quiet: bool = False
    ) -> None:
        entry = policy(name)
        player = entry.make(seed)
        decide = getattr(player, "decide", None)
        self._decide = decide if quiet and decide is not None else player.act
        self._wordless = quiet and decide is None
        self.side: Side = entry.side
        self.career = career
        self.backend, self.version = entry.backend, entry.version

    def turn(self, state: State, seq: int, shown: bool) -> Made:
        """Move."""
        if self.side == "buyer":
            move = self._decide(observe_buyer(state, self.career))
        else:
            move = self._decide(observe(state, "seller"))
        if self._wordless:
            move = msgspec.structs.replace(move, text="")
        moved, events = advance(state, repair(state, self.side, move))
        return Made(moved, events, self.backend, self.version)


class PinnedSeller:
    """The rule seller of a suite: shows its tells, then moves."""

    def __init__(self, seller: HouseSeller, version: str) -> None:
        self.seller = seller
        self.version = version

    def turn(self, state: State, seq: int, shown: bool) -> Made:
        """Show what this turn lets the buyer notice, and move."""
        seen = observe_seller(state)
        # Asked also where the log has them: a turn always takes the same draws.
        tells = self.seller.tells(seen)
        before: tuple[Event, ...] = ()
        if not shown:
            state, before = show_tells(state, "seller", tells)
        move: Move = repair(state, "seller", self.seller.act(seen))
        moved, events = advance(state, move)
        return Made(moved, (*before, *events), "rules", self.version)


class StandInSeller:
    """Plays on for a person who sold; what it lets show follows its move, as words would."""

    def __init__(self, state: State, seed: int) -> None:
        self.seller = SellerStandIn(state, seed)
        self.version = self.seller.version

    def turn(self, state: State, seq: int, shown: bool) -> Made:
        """Move in silence."""
        seen = observe_seller(state)
        tells = self.seller.tells(seen)
        moved, events = advance(state, repair(state, "seller", self.seller.act(seen)))
        _, noticed = show_tells(state, "seller", tells, of_seq=seq + 1)
        moved, _ = show_tells(moved, "seller", tells)
        ending = events[1:] if isinstance(events[-1], Ended) else ()
        return Made(moved, (events[0], *noticed, *ending), BACKEND, self.version)


class StandInBuyer(PolicyPlayer):
    """Plays on for a person who bought."""

    def __init__(self, seed: int) -> None:
        super().__init__(buyer_name(seed), seed, quiet=True)
        self.backend = BACKEND


class Opponents:
    """Both players of a record as they stand at its event ``seq``.

    What a rule seller would have done there is played for its luck: the next turn meets the draws
    it met in the record.
    """

    def __init__(self, record: Record, seq: int) -> None:
        self.record = record
        self._pinned = None
        if record.seller == RULE_SELLER:
            self._pinned = caught_up(record, record.events[:seq])

    def buyer(self, luck: int = 0, *, quiet: bool = False) -> Player:
        """Make the player of the buyer's side."""
        record = self.record
        if record.buyer == PERSON:
            return StandInBuyer(luck_seed(record.setting.sealed.seed, luck))
        if record.is_live and not quiet and not luck:
            return LivePlayer(record.buyer)
        seed = luck_seed(record.buyer_seed, luck)
        return PolicyPlayer(record.buyer, seed, record.setting.career, quiet=quiet)

    def seller(self, state: State, luck: int = 0, *, quiet: bool = False) -> Player:
        """Make the player of the seller's side; a stand-in begins at ``state``."""
        record = self.record
        seed = luck_seed(record.setting.sealed.seed, luck)
        if self._pinned is not None:
            # A twin: whoever plays on must not spend the draws of the next one.
            twin = self._pinned.twin(Random(seed) if luck else None)
            return PinnedSeller(twin, record.setting.seller)
        if record.seller == PERSON:
            return StandInSeller(state, seed)
        if record.is_live and not quiet and not luck:
            return LivePlayer(record.seller)
        return PolicyPlayer(record.seller, seed, quiet=quiet)


def caught_up(record: Record, events: Sequence[Event]) -> HouseSeller:
    """Rebuild the rule seller of a suite by letting it play every turn that it had."""
    seller = make_seller(record.setting)
    state, expected = start(record.setting)
    for event in events:
        if isinstance(event, OfferMade | OfferAccepted | WalkedAway) and event.actor == "seller":
            seen = observe_seller(state)
            seller.tells(seen)
            seller.act(seen)
        state, expected = follow(state, expected, event)
    return seller
