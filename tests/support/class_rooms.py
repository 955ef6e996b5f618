"""A room full of finished games, as a class leaves it: by hand, or dealt and played by rules."""

import random
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from django.contrib.auth import get_user_model

from bazaarbatna.bargain.episode import State, apply
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import observe
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from negotiation.bargain import sessions
from negotiation.bargain.commands import Command, Say
from negotiation.bargain.terms import Terms
from negotiation.games.event_log import Served
from negotiation.models import Game
from negotiation.policies import policy
from rooms.models import Member, Room, RoomGame
from rooms.plan import Plan

GOODS = ("Pressure cooker", "Steel tiffin", "Study lamp", "Cricket bat", "Sitar, hardly played")

PEOPLE = (
    "Asha", "Ravi", "Meena", "Farhan", "Lata", "Joseph", "Gurpreet", "Nila", "Omar", "Divya",
    "Kabir", "Sara",
)  # fmt: skip

SAID = (
    "It was a wedding present, used twice.",
    "My brother-in-law sells the same for less, bhaiya.",
    "That is my last word. Almost.",
    "I can pay now and carry it home myself.",
)

Deed = tuple[Side, Literal["offer", "accept", "walk", "say"], float, str]
"""Who, what, at which price in rupees, with which words."""


def bid(price: float, text: str = "") -> Deed:
    """The buyer names a price."""
    return ("buyer", "offer", price, text)


def ask(price: float, text: str = "") -> Deed:
    """The seller names a price."""
    return ("seller", "offer", price, text)


def takes(side: Side, text: str = "") -> Deed:
    """A side takes the standing price."""
    return (side, "accept", 0, text)


def walks(side: Side, text: str = "") -> Deed:
    """A side leaves."""
    return (side, "walk", 0, text)


def a_room(name: str = "Monday class", *, host: str = "teacher", **fields: Any) -> Room:
    """A room of a host, who is made where there is none."""
    users = get_user_model().objects
    user = users.filter(username=host).first() or users.create_user(host, password="open sesame")
    plan = msgspec.to_builtins(fields.pop("plan", Plan(games=2)))
    return Room.objects.create(host=user, name=name, plan=plan, **fields)


def a_member(room: Room, nickname: str, **fields: Any) -> Member:
    """Somebody in a room; the session is the nickname's until another one is given."""
    number = room.members.count() + 1
    fields = {"session": f"{room.pk}-{number}", **fields}
    return Member.objects.create(room=room, number=number, nickname=nickname, **fields)


def a_game(
    room: Room,
    seller: Member | str,
    buyer: Member | str,
    deeds: Sequence[Deed],
    *,
    limits: tuple[float, float, float] = (2000, 1200, 1700),
    title: str = GOODS[0],
    number: int = 1,
    rounds: int = 10,
    closed: str = "",
) -> RoomGame:
    """Play one game of a room by hand; a seat is a member or a policy's name.

    ``limits`` are the opening ask, the reservation price and the budget in rupees. Deeds that do
    not end the game leave it live.
    """
    scenario = _scenario(title, limits, rounds, 7)
    game = _open(room, seller, buyer, scenario)
    for side, what, price, text in deeds:
        sitter = seller if side == "seller" else buyer
        if isinstance(sitter, Member):
            sessions.play(game.pk, sitter.session, _command(what, price, text))
            continue
        _, position = sessions.current(game.pk)
        state, events = apply(position.state, side, _move(what, price, text))
        sessions.append(game, position, state, events, Served("rules", "rules@1", 3))
    game.refresh_from_db()
    return _placed(room, game, seller, buyer, number, closed)


def fill(room: Room, *, people: int = 12, rounds: int = 2, seed: int = 1) -> list[RoomGame]:
    """Let a room play rounds in pairs by rule players; Sauda or a shopkeeper takes the odd one."""
    luck = random.Random(seed)
    members = [
        a_member(room, _nickname(place), may_quote=place % 3 > 0)
        for place in range(people - room.members.count())
    ]
    played = []
    for number in range(1, rounds + 1):
        here = list(members)
        luck.shuffle(here)
        while len(here) > 1:
            played.append(_deal(room, here.pop(), here.pop(), number, luck))
        if here:
            odd = here.pop()
            seats = (odd, "sauda") if number % 2 else ("seller:default", odd)
            played.append(_deal(room, *seats, number, luck))
    return played


def _nickname(place: int) -> str:
    turn, name = divmod(place, len(PEOPLE))
    return PEOPLE[name] + (f" {turn + 1}" if turn else "")


BUYERS = ("rules:climber", "rules:linear", "rules:split", "rules:smart", "rules:conceder", "sauda")
SELLERS = ("seller:default", "seller:firm", "seller:flexible", "seller:people-halver")


def _deal(
    room: Room, seller: Member | str, buyer: Member | str, number: int, luck: random.Random
) -> RoomGame:
    ask_ = luck.randrange(8, 60) * 100.0
    floor = round(ask_ * luck.uniform(0.5, 0.75))
    budget = round(floor * luck.uniform(1.05, 1.6))
    if luck.random() < 0.12:
        budget = round(floor * luck.uniform(0.8, 0.97))
    scenario = _scenario(luck.choice(GOODS), (ask_, floor, budget), 10, luck.randrange(10**6))
    players = {
        "buyer": policy(buyer if isinstance(buyer, str) else luck.choice(BUYERS)),
        "seller": policy(seller if isinstance(seller, str) else luck.choice(SELLERS)),
    }
    game = _open(room, seller, buyer, scenario)
    while (state := sessions.current(game.pk)[1].state).to_move is not None:
        side = state.to_move
        sitter = seller if side == "seller" else buyer
        if not isinstance(sitter, Member):
            sessions.opponent_turn(game.pk)
            continue
        move = players[side].make(scenario.sealed.seed).act(observe(state, side))
        sessions.play(game.pk, sitter.session, _as_a_person(move, side, state, luck))
    game.refresh_from_db()
    return _placed(room, game, seller, buyer, number, "")


def _open(room: Room, seller: Member | str, buyer: Member | str, scenario: Scenario) -> Game:
    terms = Terms(back=f"/rooms/{room.code}/")
    if isinstance(seller, Member) and isinstance(buyer, Member):
        names = {"seller": seller.nickname, "buyer": buyer.nickname}
        return sessions.open_pair(seller.session, buyer.session, scenario, names=names, terms=terms)
    if isinstance(seller, Member):
        assert isinstance(buyer, str)
        names = {"seller": seller.nickname}
        return sessions.open_dealt(seller.session, scenario, buyer, names=names, terms=terms)
    assert isinstance(buyer, Member)
    names = {"buyer": buyer.nickname}
    return sessions.open_dealt(
        buyer.session,
        scenario,
        seller,
        kind="buy",
        seat=Game.Seat.BUYER,
        names=names,
        terms=terms,
    )


def _placed(
    room: Room,
    game: Game,
    seller: Member | str,
    buyer: Member | str,
    number: int,
    closed: str,
) -> RoomGame:
    return RoomGame.objects.create(
        room=room,
        game=game,
        round=number,
        seller=seller if isinstance(seller, Member) else None,
        buyer=buyer if isinstance(buyer, Member) else None,
        closed=closed,
    )


def _as_a_person(move: Move, side: Side, state: State, luck: random.Random) -> Move:
    if isinstance(move, Offer):
        if state.round > 2 and luck.random() < 0.05:
            return Walk("This leads nowhere. Good day.")
        if side == "buyer" and state.bids and move.price < state.bids[-1]:
            move = Offer(state.bids[-1])
        if luck.random() < 0.3:
            return Offer(move.price, luck.choice(SAID))
        return Offer(move.price)
    return move


def _scenario(title: str, limits: tuple[float, float, float], rounds: int, seed: int) -> Scenario:
    anchor, floor, budget = (Paise(round(price * 100)) for price in limits)
    return Scenario(
        suite="sell@1",
        item=Item(title, "kitchen", "Used with care", "good"),
        max_rounds=rounds,
        anchor=anchor,
        sealed=SealedValues(floor, Paise(round(floor * 0.95)), budget, seed),
        salt="a1b2c3",
    )


def _command(what: str, price: float, text: str) -> Command:
    return Say(text) if what == "say" else _move(what, price, text)


def _move(what: str, price: float, text: str) -> Move:
    if what == "offer":
        return Offer(Paise(round(price * 100)), text)
    return Accept(text) if what == "accept" else Walk(text)


def secrets_of(one: RoomGame) -> set[str]:
    """The sealed prices of a game as anybody might write them."""
    sealed = msgspec.json.decode(bytes(one.game.sealed.scenario), type=Scenario).sealed
    found = set()
    for paise in (sealed.reservation, sealed.cost, sealed.budget):
        found |= {str(paise), f"{paise / 100:g}", f"{paise // 100:,}"}
    return found
