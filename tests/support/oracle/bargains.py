"""Surfaces of games for two: a sale, a purchase, a table of two people, a kept finished game."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

import msgspec
from django.test import Client

from bazaarbatna.bargain.moves import Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SALE, Item, Scenario, SealedValues
from bazaarbatna.bargain.sealed import commitment
from negotiation import policies
from negotiation.bargain import sessions
from negotiation.bargain.commands import Command, Say
from negotiation.bargain.guests import share
from negotiation.bargain.purchases import SUITE
from negotiation.bargain.scenarios import stored_scenario
from negotiation.models import EventRow, Game, Listing
from negotiation.policies import policy
from replays.challenge.dealing import begin, send
from tests.support.oracle.asking import Depth, everything
from tests.support.oracle.worlds import Ask, World, public_log
from tests.support.viewers import guests_look, owners_look
from tests.support.visitors import a_visitor, key_of

ANCHOR, FLOOR, COST, BUDGET = Paise(200_000), Paise(120_000), Paise(114_300), Paise(170_000)
SALT = "0123456789abcdef" * 2
SEED = 4_503_599_627_370_497

BUDGETS = tuple(Paise(price) for price in (170_000, 170_100, 169_900, 171_000, 169_000, 175_000))
FLOORS = tuple(Paise(price) for price in (150_000, 150_100, 149_900, 151_000, 149_000, 145_000))
WIDE = tuple(Paise(price) for price in (170_000, 125_000, 110_000, 199_000))
"""Far apart, and one of them without a zone: where nothing that is done depends on them."""


def a_scenario(**sealed: Any) -> Scenario:
    """A lamp at 2,000 rupees; the same but for what is sealed."""
    plain = {"reservation": FLOOR, "cost": COST, "budget": BUDGET, "seed": SEED}
    return Scenario(
        suite=SALE,
        item=Item("Brass lamp", "home", "Nearly new", "good"),
        max_rounds=10,
        anchor=ANCHOR,
        sealed=SealedValues(**(plain | sealed)),
        salt=SALT,
    )


def visitors() -> dict[str, Client]:
    """Asha and Bilal, who have been here before; Chetan, who has too; and nobody."""
    return {name: a_visitor() for name in ("asha", "bilal", "chetan")} | {"nobody": Client()}


def goods() -> Listing:
    """Something on the stall: several pages need it."""
    made: Listing = Listing.objects.create(
        title="Brass lamp",
        category="home",
        list_price=200_000,
        street_price=150_000,
        source_key="lamp",
    )
    return made


def played(game: Game, moves: Sequence[Command]) -> None:
    """Let the house answer each move of a game's person."""
    sessions.opponent_turn(game.pk)
    for move in moves:
        if Game.objects.get(pk=game.pk).status != Game.Status.LIVE:
            return
        sessions.play(game.pk, game.owner, move)
        sessions.opponent_turn(game.pk)


def sockets(game: Game, seat: Game) -> dict[str, str]:
    """Return what the sockets of a game tell who sits in a seat, and guests: frames and HTML."""
    told = {}
    for html in (False, True):
        view = owners_look(seat, 0, html=html)
        scene = msgspec.structs.replace(view.scene, viewers={})
        told[f"socket {seat.kind} {html}"] = f"{view.texts} {view.batch.panels} {scene}"
    if game.watch_key:
        for html in (False, True):
            view = guests_look(game, 0, html=html)
            told[f"socket of a guest {html}"] = f"{view.texts} {view.batch.panels}"
    return told


SELLS: tuple[Command, ...] = (
    Offer(Paise(195_000), "1950, it is nearly new."),
    Say("What is your budget? Tell me the most you can pay."),
    Offer(Paise(190_000), "1900, last price."),
)
BUYS: tuple[Command, ...] = (
    Offer(Paise(90_000), "900 for me."),
    Say("What did you pay for it? What is the least?"),
    Offer(Paise(100_000), "1000, and I come now."),
)


class Deaf:
    """A buyer whose bids do not depend on what it can pay: whatever else depends on it shows."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, observation: BuyerObservation) -> Move:
        """Bid a little more each round."""
        share = 40 + 3 * observation.round
        return Offer(Paise(observation.opening_ask * share // 100), "That is what I can do.")


@contextmanager
def a_deaf_buyer() -> Iterator[None]:
    """Let there be one, called "rules:deaf"."""
    with mock.patch.dict(policies._entries):
        policies.register("rules:deaf", Deaf, version="deaf@1")
        yield


def a_sale(buyer: str, moves: Sequence[Command] = SELLS) -> Callable[[Paise], World]:
    """A live sale of Asha's; what is sealed from her is the buyer's budget."""

    def deal(budget: Paise) -> World:
        goods()
        people = visitors()
        scenario = a_scenario(budget=budget)
        game = sessions.open_dealt(key_of(people["asha"]), scenario, buyer)
        played(game, moves)
        game = share(game.pk, game.owner, "sell")
        return _world(people, game, scenario, watch=game.watch_key or "")

    return deal


def a_purchase(seller: str) -> Callable[[Paise], World]:
    """A live purchase of Asha's; what is sealed from her is the seller's floor and cost."""

    def deal(floor: Paise) -> World:
        goods()
        people = visitors()
        scenario = msgspec.structs.replace(
            a_scenario(
                reservation=floor,
                cost=Paise(floor * 20 // 21),
                budget=Paise(184_000),
                persona=seller.removeprefix("seller:"),
            ),
            suite=SUITE,
            seller=policy(seller).version,
            persona_visible=True,
        )
        owner = key_of(people["asha"])
        game = sessions.open_dealt(owner, scenario, seller, kind="buy", seat=Game.Seat.BUYER)
        played(game, BUYS)
        game = share(game.pk, owner, "buy")
        return _world(people, game, scenario, watch=game.watch_key or "")

    return deal


def a_table(sealed: str) -> Callable[[Paise], World]:
    """Two people at one table; ``sealed`` names the value that the other one must not know."""

    def deal(value: Paise) -> World:
        goods()
        people = visitors()
        scenario = a_scenario(**{sealed: value})
        seller, buyer = key_of(people["asha"]), key_of(people["bilal"])
        names = {"seller": "Asha", "buyer": "Bilal"}
        game = sessions.open_pair(seller, buyer, scenario, names=names)
        for who, move in (
            (buyer, Offer(Paise(90_000), "900 for me.")),
            (seller, Offer(Paise(195_000), "1950.")),
            (buyer, Say("Is that your last word?")),
            (buyer, Offer(Paise(100_000), "1000.")),
        ):
            sessions.play(game.pk, who, move)
        game.refresh_from_db()
        # The own chair shows what the own limit bars; asked is the other one.
        return _world(people, game, scenario, seat=game if sealed == "budget" else game.turned())

    return deal


def _walked(people: dict[str, Client], scenario: Scenario) -> Game:
    """Let Asha open a game and walk out of it."""
    game = sessions.open_dealt(key_of(people["asha"]), scenario, "rules:deaf")
    played(game, [Walk("No.")])
    game.refresh_from_db()
    return game


def a_private_game(budget: Paise) -> World:
    """A finished game that Asha keeps: its values are open to her alone."""
    goods()
    people = visitors()
    scenario = a_scenario(budget=budget)
    game = _walked(people, scenario)
    assert game.status == Game.Status.ENDED
    # Who walks leaves prices behind, and nothing of what was sealed.
    world = _world(people, game, scenario)
    return msgspec.structs.replace(world, public="walked", extra={})


def a_challenge(budget: Paise) -> World:
    """Chetan plays the cards of a game that Asha keeps: its values are not his to know."""
    goods()
    people = visitors()
    scenario = a_scenario(budget=budget)
    first = _walked(people, scenario)
    cards = send(first, first.owner)
    game = begin(cards, key_of(people["chetan"]), "chetan's address")
    played(game, SELLS)
    world = _world(people, game, stored_scenario(game))
    return msgspec.structs.replace(world, things={"card": cards.token, "game": game.pk})


def _world(
    people: dict[str, Client],
    game: Game,
    scenario: Scenario,
    *,
    seat: Game | None = None,
    watch: str = "",
) -> World:
    EventRow.objects.exclude(latency_ms=None).update(latency_ms=5)
    is_live = game.status == Game.Status.LIVE
    return World(
        people=people,
        things={"game": game.pk, **({"watch": watch} if watch else {})},
        public=public_log(game.pk),
        promises=(commitment(scenario.sealed, scenario.salt),),
        extra=sockets(game, seat or game) if is_live else {},
    )


def by(*who: str, depth: Depth = "quick") -> Callable[[World], list[Ask]]:
    """Let some people ask everything."""

    def asks(world: World) -> list[Ask]:
        return [ask for name in who for ask in everything(world, name, depth)]

    return asks
