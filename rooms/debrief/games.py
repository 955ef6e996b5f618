"""What a room played: its finished games, read from their logs; live games are never read."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, Literal, TypeVar, get_args

import msgspec
from django.utils.translation import gettext

from bazaarbatna.bargain.events import (
    Ended,
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    OfferWithdrawn,
    Opened,
    WalkedAway,
)
from bazaarbatna.bargain.quantities import Paise, Side, to_rupees
from negotiation.bargain.clocks import Why
from negotiation.bargain.game import SALE
from negotiation.bargain.shops import shop_of
from negotiation.bargain.terms import PERSON
from negotiation.games.event_log import from_payload
from negotiation.models import EventRow, Game
from negotiation.policies import title_of
from rooms.debrief.counted import games_in
from rooms.models import Member, Room, RoomGame

SIDES: tuple[Side, Side] = ("seller", "buyer")

READ = ("opened", "offer", "withdrawn", "accept", "walk", "message", "ended")
"""Kinds of events that a debrief is made from."""

MadeBy = Literal["person", "policy", "table"]

BROKEN_OFF = ("absent", "closed", "deadline-seller", "deadline-buyer")
"""Reasons of ``clocks.Why`` that say nothing of how people bargain; a clock run out does."""


class Chair(msgspec.Struct, frozen=True):
    """Who sat on a side: a member, somebody who is gone, or a policy called ``house``.

    ``helped``: a policy made some of the person's moves.
    """

    side: Side
    member: int | None
    nickname: str
    may_quote: bool
    house: str
    helped: bool = False

    @property
    def is_person(self) -> bool:
        """A person sat here, from the first move to the last."""
        return not self.house and not self.helped


class Made(msgspec.Struct, frozen=True):
    """A move of any kind of game: an offer, an acceptance, a walk or mere words.

    ``by``: a person, a policy, also one that plays for who was gone, or the table that closed it.
    """

    by: MadeBy
    side: Side
    kind: str
    text: str


class Move(Made, frozen=True):
    """A move of a sale; ``price`` in rupees, None without one."""

    seq: int
    round: int
    price: float | None


AnyMove = TypeVar("AnyMove", bound=Made)


class Played(msgspec.Struct, Generic[AnyMove], frozen=True, kw_only=True):
    """A finished game of a room, whatever was played; ``number`` counts the room's games from 1.

    ``by``: who ended it. What follows from how a game was left is the same for all.
    """

    number: int
    round: int
    game: str
    seller: Chair
    buyer: Chair
    moves: tuple[AnyMove, ...]
    outcome: str
    by: Side | None
    closed: str = ""

    @property
    def is_deal(self) -> bool:
        """They agreed."""
        raise NotImplementedError

    @property
    def has_zone(self) -> bool:
        """Some deal suits both sides."""
        raise NotImplementedError

    @property
    def is_broken_off(self) -> bool:
        """Closed because somebody was gone: it counts for nobody."""
        return self.closed in BROKEN_OFF and not self.is_deal

    @property
    def kept_waiting(self) -> Side | None:
        """Return the side for which the other one waited in vain; None: neither."""
        if self.closed == "absent":
            return self.by
        return next((side for side in SIDES if self.closed == f"deadline-{side}"), None)

    @property
    def is_between_people(self) -> bool:
        """No policy played any part."""
        return self.seller.is_person and self.buyer.is_person

    def chair(self, side: Side) -> Chair:
        """Return who sat on a side."""
        return self.seller if side == "seller" else self.buyer

    def share(self, side: Side) -> float | None:
        """Return a side's part of what there was to gain, 0..1; None: nothing."""
        raise NotImplementedError

    def is_loss(self, side: Side) -> bool:
        """Whether no deal would have been worth more to a side."""
        raise NotImplementedError

    def share_if(self, offer: AnyMove | None, side: Side) -> float | None:
        """Return a side's share if it had taken an offer, or what stood before any; None: none.

        Less than 0 is worse than no deal.
        """
        raise NotImplementedError

    def earned(self, side: Side) -> float | None:
        """Return the share that counts for a person on a side, 0..1; None: the game does not.

        What a program did for somebody who was gone earns nothing: of such a game no more counts
        than what stood for the taking at that moment would have given. So leaving is never worth
        more than staying.
        """
        if not self.has_zone or (share := self.share(side)) is None:
            return None
        if self.is_broken_off:
            return 0.0 if self.kept_waiting == side else None
        if not self.chair(side).helped:
            return share
        return max(0.0, min(share, self.share_if(self._left_at(side), side) or 0.0))

    def took_part(self, side: Side) -> bool:
        """Whether a person sat on a side to the end, and bargained as long as there was time."""
        if self.chair(side).helped or (self.is_broken_off and self.kept_waiting == side):
            return False
        if any((one.side, one.by) == (side, "person") for one in self.moves):
            return True
        is_late = self.closed == "clock" and self.by == side
        return not is_late and not self.closed.startswith("deadline-")

    def decided_well(self, side: Side) -> bool | None:
        """Say whether a person's last decision was right; None: the game ended without one.

        Right is a deal within the own limit, and leaving where none suited both, or where what
        stood was beyond the own limit.
        """
        if self.is_broken_off or self.chair(side).helped:
            return None
        if self.is_deal:
            return not self.is_loss(side)
        if not self.has_zone:
            return True
        last = self.moves[-1] if self.moves else None
        if last is None or (last.kind, last.side, last.by) != ("walk", side, "person"):
            return None
        stood = self.share_if(self._offered(self.moves, side), side)
        return stood is None or stood < 0

    def _left_at(self, side: Side) -> AnyMove | None:
        """Return what the other side had offered when a program took a seat."""
        own = (at for at, one in enumerate(self.moves) if (one.side, one.by) == (side, "policy"))
        return self._offered(self.moves[: next(own, None)], side)

    def _offered(self, moves: Sequence[AnyMove], side: Side) -> AnyMove | None:
        """Return the last offer that a side has heard."""
        heard = (one for one in reversed(moves) if one.side != side and one.kind == "offer")
        return next(heard, None)


AnyGame = TypeVar("AnyGame", bound=Played[Any])
Own = tuple[AnyGame, Side]


def own_games(games: Iterable[AnyGame]) -> dict[int, list[Own[AnyGame]]]:
    """Return by number what each member played, and on which side."""
    own: dict[int, list[Own[AnyGame]]] = {}
    for game in games:
        for side in SIDES:
            number = game.chair(side).member
            if number is not None:
                own.setdefault(number, []).append((game, side))
    return own


class FinishedGame(Played[Move], frozen=True, kw_only=True):
    """A finished sale; prices in rupees.

    ``reservation`` and ``budget`` come from the game's end, which opened them.
    """

    title: str
    currency: str
    max_rounds: int
    anchor: float
    reservation: float
    budget: float
    price: float | None
    rounds: int

    @property
    def zone(self) -> float:
        """Width of the zone, 0 or less where no price suits both."""
        return self.budget - self.reservation

    @property
    def has_zone(self) -> bool:
        """Some price suits both sides."""
        return self.zone > 0

    @property
    def is_deal(self) -> bool:
        """They agreed."""
        return self.price is not None

    @property
    def is_missed(self) -> bool:
        """No deal although some price suited both."""
        return not self.is_deal and self.has_zone and not self.is_broken_off

    @property
    def is_rightly_left(self) -> bool:
        """No deal, and no price suited both."""
        return not self.is_deal and not self.has_zone and not self.is_broken_off

    def surplus(self, side: Side) -> float:
        """Return how much better than its own limit a side came out, in rupees."""
        if self.price is None:
            return 0.0
        return self.price - self.reservation if side == "seller" else self.budget - self.price

    def share(self, side: Side) -> float:
        """Return a side's part of the zone, 0..1; 0 without a deal."""
        if self.price is None:
            return 0.0
        return self.surplus(side) / self.zone if self.zone > 0 else 0.5

    def is_loss(self, side: Side) -> bool:
        """Whether no deal would have been worth more to a side."""
        return self.surplus(side) < 0

    def share_if(self, offer: Move | None, side: Side) -> float | None:
        """Return a side's share if it had taken an offer: what stands first is the asking price."""
        price = offer.price if offer is not None else self.anchor if side == "buyer" else None
        if price is None:
            return None
        gain = price - self.reservation if side == "seller" else self.budget - price
        return gain / self.zone

    @property
    def place(self) -> float:
        """Where in its zone the deal lies: 0 the reservation price, 1 the budget."""
        return self.share("seller")

    @property
    def first_bid(self) -> float | None:
        """The buyer's first price."""
        bids = (m.price for m in self.moves if m.side == "buyer" and m.kind == "offer")
        return next(bids, None)

    def standing(self, side: Side) -> float | None:
        """Return the last price that a side named; None for a buyer who named none."""
        named = [m.price for m in self.moves if m.side == side and m.kind == "offer"]
        return named[-1] if named else (self.anchor if side == "seller" else None)


Log = Sequence[tuple[int, Any, str]]
"""Numbers, events, and who served them."""


def logs_in(
    room: Room, kinds: Sequence[str], read: Callable[[bytes | memoryview], Any], **of: Any
) -> Iterator[tuple[int, RoomGame, Log]]:
    """Give the finished games that count, by round; few queries; ``of``: those of a kind."""
    rows = list(games_in(room).select_related("game", "seller", "buyer"))
    logs: dict[str, list[tuple[int, Any, str]]] = {}
    stored = EventRow.objects.filter(
        game__in_room__room=room, game__status=Game.Status.ENDED, kind__in=kinds, **of
    ).order_by("game", "seq")
    for game, seq, payload, backend in stored.values_list("game_id", "seq", "payload", "backend"):
        logs.setdefault(game, []).append((seq, read(payload), backend))
    for number, row in enumerate(rows, start=1):
        if row.game.status == Game.Status.ENDED and (log := logs.get(row.game_id)):
            yield number, row, log


def closed_by(row: RoomGame, log: Log) -> str:
    """Say why a table was closed: its log says it, also where nobody wrote it into the row.

    Who had the turn longer before a deadline stands in the row alone.
    """
    why = next((one for _, _, one in log if made_by(one) == "table"), row.closed)
    return why if why != "deadline" else row.closed or "closed"


def chair_of(row: RoomGame, side: Side, seat: str, house: str, moves: Iterable[Made]) -> Chair:
    """Return who sat on a side, whose seat has a name; ``house``: what a policy is called."""
    member: Member | None = getattr(row, side)
    is_house = row.game.policy != PERSON and row.game.seat != seat
    helped = any((move.side, move.by) == (side, "policy") for move in moves)
    if member is None:
        name = house if is_house else ""
        return Chair(side, None, "", may_quote=False, house=name, helped=helped and not is_house)
    may = member.may_quote and member.withdrawn_at is None
    shown = "" if member.withdrawn_at else member.nickname
    # A policy that took the seat may have had nothing to do in it any more.
    return Chair(side, member.number, shown, may_quote=may, house="", helped=helped or is_house)


def played_in(room: Room) -> list[FinishedGame]:
    """Read all finished sales that count, by round."""
    return [_played(*one) for one in logs_in(room, READ, from_payload, game__kind__in=SALE.kinds)]


def _played(number: int, row: RoomGame, log: Log) -> FinishedGame:
    opened, ended = log[0][1], log[-1][1]
    assert isinstance(opened, Opened)
    assert isinstance(ended, Ended)
    gone = {event.of_seq for _, event, _ in log if isinstance(event, OfferWithdrawn)}
    made = [move for seq, event, served in log if (move := _move(seq, event, made_by(served)))]
    seller, buyer = (chair_of(row, side, side, house_of(row.game, side), made) for side in SIDES)
    return FinishedGame(
        number=number,
        round=row.round,
        game=row.game_id,
        title=opened.item.title,
        currency=opened.item.currency,
        max_rounds=opened.max_rounds,
        anchor=to_rupees(opened.price),
        reservation=to_rupees(ended.opened.reservation),
        budget=to_rupees(ended.opened.budget),
        price=_rupees(ended.price),
        outcome=ended.outcome,
        by=ended.by,
        rounds=ended.round,
        seller=seller,
        buyer=buyer,
        moves=tuple(move for move in made if move.seq not in gone),
        closed=closed_by(row, log),
    )


def house_of(game: Game, side: Side) -> str:
    """Name the policy on a side; "" where a person sat."""
    if game.policy == PERSON or side == game.seat:
        return ""
    name = game.policy
    return shop_of(name).keeper if side == "seller" else gettext(title_of(name))


def _move(seq: int, event: Event, by: MadeBy) -> Move | None:
    match event:
        case OfferMade(actor=side, round=number, price=price, text=text):
            return Move(by, side, "offer", text, seq, number, to_rupees(price))
        case OfferAccepted(actor=side, round=number, price=price, text=text):
            return Move(by, side, "accept", text, seq, number, to_rupees(price))
        case WalkedAway(actor=side, round=number, text=text):
            return Move(by, side, "walk", text, seq, number, None)
        case MessageSent(actor=side, round=number, text=text):
            return Move(by, side, "message", text, seq, number, None)
        case _:
            return None


def made_by(backend: str) -> MadeBy:
    """Say who made a move, by who served it."""
    if not backend:
        return "person"
    return "table" if backend in get_args(Why) else "policy"


def _rupees(price: Paise | None) -> float | None:
    return None if price is None else to_rupees(price)


def currency_of(games: Iterable[FinishedGame]) -> str:
    """Return the currency that most games were played in."""
    found = Counter(game.currency for game in games).most_common(1)
    return found[0][0] if found else "INR"


def names_of(game: FinishedGame, *, named: bool) -> dict[str, str]:
    """Say who sat on each side: nicknames where the room is by name, else what they did."""
    return {side: called(game.chair(side), named=named) for side in SIDES}


def called(chair: Chair, *, named: bool, role: str = "") -> str:
    """Name whoever sat on a chair: the house always, a person by name or by role."""
    if chair.house:
        return chair.house
    if named and chair.nickname:
        return chair.nickname
    sides = {"seller": gettext("the seller"), "buyer": gettext("the buyer")}
    return role or sides[chair.side]
