"""Finished games whose grades are plain to see, as records without a database."""

from random import Random

from bazaarbatna.bargain.episode import apply, start
from bazaarbatna.bargain.events import Event
from bazaarbatna.bargain.match import play_episode
from bazaarbatna.bargain.moves import Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer, observe_seller
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item, SealedValues, SellerRules
from bazaarbatna.bargain.sellers import VERSIONS
from negotiation.bargain.players import LivePlayer, Player, PolicyPlayer
from negotiation.bargain.recorded import PERSON, RULE_SELLER, Record, Setting
from negotiation.policies import policy
from replays.simulating import simulate


def a_setting(
    *, reservation: int = 50, budget: int = 120, anchor: int = 100, concession: float = 0.08
) -> Setting:
    """A lamp sold by the plain rule seller; amounts in rupees."""
    sealed = SealedValues(
        Paise(100 * reservation), Paise(95 * reservation), Paise(100 * budget), seed=7
    )
    return Setting(
        suite="single_deal@sampled-1",
        item=Item("Brass lamp"),
        max_rounds=8,
        anchor=Paise(100 * anchor),
        sealed=sealed,
        salt="salt",
        seller=VERSIONS["default"],
        rules=SellerRules(concession_rate=concession),
        buyer_seed=7,
    )


class Scripted:
    """A buyer that makes these moves and then leaves."""

    def __init__(self, *moves: Move) -> None:
        self.moves = list(moves)

    def act(self, observation: BuyerObservation) -> Move:
        """Make the next move."""
        return self.moves.pop(0) if self.moves else Walk()


def a_game_of(*moves: Move, setting: Setting | None = None, buyer: str = "sauda") -> Record:
    """Play a buyer's moves against the rule seller; where it goes on, the named policy plays."""
    setting = setting or a_setting()
    log = play_episode(setting, Scripted(*moves))
    return Record(setting, log.events, buyer, RULE_SELLER)


def a_simulated_game(suite: str, seed: int, buyer: str = "sauda") -> Record:
    """The first episode of a suite, played by policies."""
    game = next(simulate(suite, buyer, seed))
    return Record(game.setting, game.events, buyer, RULE_SELLER)


def a_purchase(*bids: int, seller: str = "seller:default") -> Record:
    """A person's bids in rupees on a lamp that its seller gives away from 1,200 rupees on."""
    setting = a_person_s_setting("buy@1", 1)
    keeper = policy(seller).make(1)
    state, opening = start(setting)
    events: list[Event] = [*opening]
    offers: list[Move] = [Offer(Paise(100 * bid)) for bid in bids]
    while state.to_move is not None:
        move: Move
        if state.to_move == "seller":
            move = keeper.act(observe_seller(state))
        else:
            move = offers.pop(0) if offers else Walk()
        state, happened = apply(state, state.to_move, move)
        events += happened
    return Record(setting, tuple(events), PERSON, seller, "buy")


def a_person_s_setting(suite: str, seed: int) -> Setting:
    """A lamp at 2,000 rupees, reservation price 1,200, budget 1,700, ten rounds."""
    sealed = SealedValues(Paise(120_000), Paise(114_000), Paise(170_000), seed=seed)
    return Setting(
        suite=suite,
        item=Item("Brass lamp"),
        max_rounds=10,
        anchor=Paise(200_000),
        sealed=sealed,
        salt="salt",
    )


def a_long_sale(number: int) -> Record:
    """A person's sale to Sauda that takes all ten rounds: the ask comes down a little each time."""
    dice = Random(number)
    setting = a_person_s_setting("sell@1", number)
    buyer = policy("sauda").make(number)
    state, opening = start(setting)
    events: list[Event] = [*opening]
    while state.to_move is not None:
        move: Move
        if state.to_move == "seller":
            move = Offer(Paise(state.standing_ask - dice.randrange(1_000, 5_000)))
        else:
            move = buyer.act(observe_buyer(state))
            if not isinstance(move, Offer):
                move = Offer(state.bids[-1])  # however little is left to haggle about
        state, happened = apply(state, state.to_move, move)
        events += happened
    return Record(setting, tuple(events), "sauda", PERSON, "sell")


def a_sale_between(seller: str, buyer: str, number: int) -> Record:
    """A sale to a live buyer by somebody who bargains as a policy does, in silence."""
    setting = a_person_s_setting("sell@1", number)
    players: dict[str, Player] = {
        "seller": PolicyPlayer(seller, number, quiet=True),
        "buyer": LivePlayer(buyer),
    }
    state, opening = start(setting)
    events: list[Event] = [*opening]
    while state.to_move is not None:
        made = players[state.to_move].turn(state, len(events), shown=False)
        state, events = made.state, [*events, *made.events]
    return Record(setting, tuple(events), buyer, PERSON, "sell")
