"""Finished games whose every move can be looked at again."""

from collections.abc import Iterator
from random import Random

from bazaarbatna.bargain.episode import State, legal_moves
from bazaarbatna.bargain.errors import IllegalMove
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.tasks import suite_ids
from negotiation.bargain import sessions
from negotiation.bargain.commands import Say
from negotiation.bargain.continuation import move_of
from negotiation.bargain.game import position_of
from negotiation.bargain.purchases import NewPurchase
from negotiation.bargain.recorded import RULE_SELLER, Record
from negotiation.models import Game, Listing
from negotiation.policies import policies
from replays.simulating import simulate
from tests.support.builders import a_sale

SELLER_SAYS = (
    "{price} last, bhai, three others are asking",
    "ok {price}. i need it gone today, plz",
    "{price}, bilkul sahi daam hai",
    "for you {price}",
)
SMALL_TALK = ("kitna doge?", "it was my nani's, sach", "everybody bargains here, yaar")


def simulated(count: int) -> Iterator[Record]:
    """Games of all suites and all rule buyers, careers included."""
    buyers = [entry.name for entry in policies("buyer") if entry.kind == "rules"]
    suites = suite_ids()
    made = seed = 0
    while True:
        buyer = buyers[(seed + seed // len(suites)) % len(buyers)]
        for game in simulate(suites[seed % len(suites)], buyer, seed):
            events = game.events
            moves = {n for n, event in enumerate(events, 1) if 1 < n < len(events)}
            yield Record(game.setting, events, buyer, RULE_SELLER, again=frozenset(moves))
            made += 1
            if made == count:
                return
        seed += 1


def moves_of(record: Record) -> list[int]:
    """Numbers of the events that tell of a move."""
    return [n for n, event in enumerate(record.events, 1) if move_of(event) is not None]


def a_finished_sale(number: int, **changes: object) -> Game:
    """Asha sells a lamp to Sauda by the real sessions, in her own words; the number is the seed."""
    game = a_sale(seed=number, **changes)
    luck = Random(number)
    while True:
        sessions.opponent_turn(game.pk)
        state = position_of(Game.objects.get(pk=game.pk)).state
        if state.ended is not None:
            return Game.objects.get(pk=game.pk)
        if luck.random() < 0.2:
            sessions.play(game.pk, game.owner, Say(luck.choice(SMALL_TALK)), luck.uniform(1, 30))
            sessions.opponent_turn(game.pk)
        sessions.play(game.pk, game.owner, _answer(state, luck), luck.uniform(1, 60))


def a_finished_purchase(listing: Listing, number: int, seller: str = "seller:default") -> Game:
    """Asha buys at a house stall by the real sessions; the number is the seed."""
    wanted = NewPurchase(listing=listing, policy=seller)
    game = sessions.open_purchase("asha-session-key", wanted, below=lambda limit: number)
    luck = Random(number)
    bid = int(listing.list_price * luck.uniform(0.5, 0.7))
    while True:
        state = position_of(Game.objects.get(pk=game.pk)).state
        if state.ended is not None:
            return Game.objects.get(pk=game.pk)
        budget = state.scenario.sealed.budget
        bid = min(int(bid * luck.uniform(1.0, 1.08)), budget)
        words = luck.choice(("{price}?", "bas {price} hai mere paas", "")).format(price=bid // 100)
        try:
            move: Move = Walk() if luck.random() < 0.03 else Offer(Paise(bid), words)
            sessions.play(game.pk, game.owner, move)
        except IllegalMove:
            sessions.play(game.pk, game.owner, Walk("enough"))
        sessions.opponent_turn(game.pk)


def _answer(state: State, luck: Random) -> Move:
    if luck.random() < 0.1:
        takes = "accept" in legal_moves(state, "seller")
        return Accept("done, le jao") if takes else Walk("nahi ho payega")
    price = max(int(state.standing_ask * luck.uniform(0.9, 1.0)), 120_000)
    return Offer(Paise(price), luck.choice(SELLER_SAYS).format(price=price // 100))
