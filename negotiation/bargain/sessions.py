"""The only writer: opens games and appends to their logs, each change in one transaction."""

import functools
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec
from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils.translation import get_language

from bazaarbatna.bargain.episode import State, start
from bazaarbatna.bargain.errors import NotYourTurn
from bazaarbatna.bargain.events import Event, OfferMade, OfferWithdrawn
from bazaarbatna.bargain.quantities import Side, other
from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain import opponent
from negotiation.bargain.clocks import clocks_of, seconds_left
from negotiation.bargain.commands import Command, Note, Say, carry_out, last_offer
from negotiation.bargain.game import SALE, Position, position_of
from negotiation.bargain.purchases import NewPurchase, purchase_scenario
from negotiation.bargain.recorded import ending_fields
from negotiation.bargain.scenarios import NewSale, scenario_of
from negotiation.bargain.shops import rival_of
from negotiation.bargain.terms import PERSON, USUAL, Terms, owes_answer, terms_of
from negotiation.errors import AnswerFirst, Paused, TimeIsUp, UnknownGame
from negotiation.games import notify
from negotiation.games.event_log import (
    ClaimLost,
    Served,
    append_rows,
    from_payload,
    game_row,
    row_of,
    until_claimed,
)
from negotiation.games.lease import Lease
from negotiation.models import PAIR, EventRow, Game, Listing, SealedRecord
from negotiation.policies import UnknownPolicy, policy
from negotiation.sentences import sentences

say = sentences(__file__)

TURN = Lease(seconds=2.0, until="thinking_until")
"""Somebody waits in front of a turn: a dead thinker's is taken over as soon as may be."""

SURE_GAMES = 2
"""How many of a visitor's first games, sales and purchases together, are sure to have a zone."""


FIRST_LINES, REMEMBERED_GAMES, REMEMBERED_BY = 20, 3, 512
"""How the house began, within so many events, so many games of one person is not how it begins the
next one; a process keeps it for so many games that are played."""


class Receipt(msgspec.Struct, frozen=True):
    """What a command did: the log ends at ``seq``; ``note`` is for the sender alone."""

    seq: int
    note: Note | None = None


def open_sale(
    owner: str,
    sale: NewSale,
    below: Callable[[int], int] = secrets.randbelow,
    *,
    client: str = "",
    has_zone: bool = False,
) -> Game:
    """Open a sale: draw and seal the budget, write the first event.

    ``owner`` is the seller's session key; ``below`` gives the sealed seed, a whole number of 0 up
    to its argument; ``client`` is the key of the address that opens it, for those who count what a
    client causes; ``has_zone`` promises that some price suits both sides.

    Raises:
        BadSale: the item cannot be sold as described.
        InvalidPrice: a price is out of range or the asking price below the reservation price.
        UnknownPolicy: no buyer has that name.
    """
    if policy(sale.policy).side != "buyer":
        raise UnknownPolicy(f"{sale.policy!r} sells; choose a buyer.")
    scenario = scenario_of(sale, below, has_zone=has_zone)
    game = _new_game(owner, scenario, sale.policy, client)
    game.zone_promised = has_zone
    game.listing, game.share_replay = sale.listing, sale.share_replay
    return _open(game, scenario)


def open_dealt(
    owner: str,
    scenario: Scenario,
    policy_name: str,
    *,
    client: str = "",
    kind: str = "sell",
    seat: str = Game.Seat.SELLER,
    suite: str = "",
    listing: Listing | None = None,
    zone_promised: bool = False,
    rematch_of: Game | None = None,
    terms: Terms = USUAL,
    names: Mapping[str, str] | None = None,
    may_train: bool = False,
    language: str = "",
) -> Game:
    """Open a game of a scenario that was fixed before; ``suite`` "" is the scenario's own.

    ``language`` "" is that of the page that asks for it.

    The same scenario gives everybody the same goods, values and luck. ``names``: what people call
    themselves, by seat.
    """
    game = _new_game(owner, scenario, policy_name, client)
    game.terms, game.names, game.may_train = (
        msgspec.to_builtins(terms),
        dict(names or {}),
        may_train,
    )
    game.kind, game.seat, game.suite = kind, seat, suite or scenario.suite
    game.listing, game.zone_promised, game.rematch_of = listing, zone_promised, rematch_of
    game.language = language or game.language
    return _open(game, scenario)


def open_pair(
    seller: str,
    buyer: str,
    scenario: Scenario,
    *,
    names: Mapping[str, str],
    terms: Terms = USUAL,
    client: str = "",
    listing: Listing | None = None,
    may_train: bool = False,
    zone_promised: bool = False,
) -> Game:
    """Open a game between two people, each known by a session key; ``names`` by seat.

    Raises ValueError where one person would sit opposite itself.
    """
    if not seller or not buyer or seller == buyer:
        raise ValueError("Two people are needed.")
    scenario = msgspec.structs.replace(scenario, suite=PAIR)
    game = _new_game(seller, scenario, PERSON, client)
    game.rival, game.listing, game.names = buyer, listing, dict(names)
    game.terms, game.may_train = msgspec.to_builtins(terms), may_train
    game.zone_promised = zone_promised
    return _open(game, scenario)


def move_seats(old: str, new: str, games: QuerySet[Game]) -> None:
    """Let whoever sat in these games with one session key sit there with another one."""
    games.filter(Q(owner=old) | Q(rival=old)).update(
        owner=Case(When(owner=old, then=Value(new)), default=F("owner")),
        rival=Case(When(rival=old, then=Value(new)), default=F("rival")),
    )
    games.filter(gone=old).update(gone=new)


def open_purchase(
    owner: str,
    purchase: NewPurchase,
    below: Callable[[int], int] = secrets.randbelow,
    *,
    client: str = "",
    has_zone: bool = False,
) -> Game:
    """Open a purchase: draw and seal the reservation price; arguments as for ``open_sale``.

    BadSale: the budget leaves nothing to bargain about; UnknownPolicy: no seller has that name.
    """
    scenario = purchase_scenario(purchase, below, has_zone=has_zone)
    game = _new_game(owner, scenario, purchase.policy, client)
    game.kind, game.seat = "buy", Game.Seat.BUYER
    game.zone_promised = has_zone
    game.listing, game.share_replay = purchase.listing, purchase.share_replay
    return _open(game, scenario)


def is_newcomer(owner: str, kinds: Sequence[str] = ("sell", "buy")) -> bool:
    """Whether a visitor's next game is one of the first, which are sure to have a zone.

    Games opened at the same moment may all count as the next: then some more of them have a zone,
    and each tells its person what was drawn for it.
    """
    begun = Game.objects.filter(
        owner=owner, kind__in=kinds, source=Game.Source.PERSON, rematch_of=None
    )
    return bool(owner) and begun[:SURE_GAMES].count() < SURE_GAMES


def owned_game(game_id: str, owner: str, kind: str = "") -> Game:
    """Return a visitor's own game, where asked for of one kind only, or raise UnknownGame.

    Of two people in one game, each gets it from the own chair (``Game.turned``).
    """
    game = game_row(game_id) if owner else None
    if game is None or owner not in (game.owner, game.rival):
        raise UnknownGame
    seen = game.as_seen_by(owner)
    if kind and seen.kind != kind:
        raise UnknownGame
    return seen


def play(
    game_id: str,
    owner: str,
    command: Command,
    typing_s: float | None = None,
    seen: int | None = None,
    kind: str = "",
) -> Receipt:
    """Carry out what the game's person asks for; ``typing_s`` seconds were spent on writing it.

    ``seen`` is the number of the last event the person knew of: a command given before the
    opponent's last move is a second click or comes from an old page. None: not checked.

    Raises:
        UnknownGame: not the owner's game.
        AnswerFirst: the table asks something that must be answered.
        GameOver, NotYourTurn, IllegalMove, TwoPrices, NoPrice: refused; nothing was recorded.
        TimeIsUp: somebody's time ran out before; ``pairs.play`` sees to that.
        Busy: other writers were faster too often.
    """

    def attempt() -> Receipt:
        game = owned_game(game_id, owner, kind)
        if terms_of(game).is_paused:
            raise Paused
        if game.terms and seconds_left(clocks_of(game)) == 0:
            raise TimeIsUp
        if owes_answer(game, owner):
            raise AnswerFirst
        position = position_of(game)
        side = side_of(game)
        _check_seen(position, seen, side, rival_of(game))
        answer = carry_out(
            position.state,
            position.seq,
            command,
            typing_s,
            side,
            rival=rival_of(game),
            chat=terms_of(game).chat,
            unanswered=unanswered_offer(game, position, seen),
            talks_freely=terms_of(game).talks_freely and game.policy == PERSON,
        )
        if isinstance(answer.events[0], OfferWithdrawn):
            _check_unheard(game, position, rival_of(game))
        grown = append(game, position, answer.state, answer.events, None)
        return Receipt(grown.seq, answer.note)

    receipt = until_claimed(attempt)
    notify.tell_moved(game_id)
    return receipt


def unanswered_offer(game: Game, position: Position, seen: int | None = None) -> int:
    """Return the number of the person's price that can still be taken back; 0: there is none.

    A person opposite has heard it already; the house waits a moment before it listens. Nobody takes
    back what they have not ``seen``: that is a second click.
    """
    seq = 0 if game.is_pair else last_offer(position.events, side_of(game))
    return seq if seen is None or seq <= seen else 0


def claim_turn(game_id: str, seq: int) -> bool:
    """Claim what comes next in a game whose log ends at ``seq``; False: somebody else has it."""
    free = TURN.is_free() | Q(thinking_at_seq__lt=seq)
    rows = Game.objects.filter(free, pk=game_id, last_seq=seq)
    # Nothing got updated: another process is thinking about this position, or the log has grown.
    return TURN.extend(rows, thinking_at_seq=seq)


def opponent_turn(game_id: str) -> bool:
    """Let the opponent's plain policy move or answer; False when there was nothing to do.

    Safe to call from any process, any number of times: one call writes, the others find the turn
    taken. Raises UnknownGame, and Busy where other writers were faster too often.
    """

    def attempt() -> bool:
        game, position = current(game_id)
        turn = _turn(game, position)
        if turn is None:
            return False
        append(game, position, turn.state, turn.events, turn.served)
        return True

    return until_claimed(attempt)


def write_turn(game: Game, position: Position, turn: opponent.Turn) -> bool:
    """Append what the opponent made of a position; False when the log has grown since."""
    try:
        append(game, position, turn.state, turn.events, turn.served)
    except ClaimLost:
        return False
    return True


def current(game_id: str) -> tuple[Game, Position]:
    """Return a game and where it stands, or raise UnknownGame."""
    game = game_row(game_id)
    if game is None:
        raise UnknownGame
    return game, position_of(game)


def awaits_opponent(game: Game) -> bool:
    """Whether the opponent has something to do."""
    return opponent.is_due(position_of(game).state, game.policy)


def is_behind(game: Game) -> bool:
    """Whether the log has grown since the game's row was read."""
    return position_of(game).seq > game.last_seq


def side_of(game: Game) -> Side:
    """Name the side that the game's person plays."""
    return "buyer" if game.seat == Game.Seat.BUYER else "seller"


def turn_of(game: Game) -> Side | Literal["over"]:
    """Return who is to move."""
    return position_of(game).state.to_move or "over"


def _new_game(owner: str, scenario: Scenario, policy_name: str, client: str) -> Game:
    item = scenario.item
    return Game(
        owner=owner,
        suite=scenario.suite,
        client=client,
        title=item.title,
        category=item.category,
        description=item.condition,
        language=(get_language() or "")[:7],
        policy=policy_name,
        policy_version="" if policy_name == PERSON else policy(policy_name).version,
    )


def _open(game: Game, scenario: Scenario) -> Game:
    state, events = start(scenario)
    game.last_seq = len(events)
    with transaction.atomic():
        game.save(force_insert=True)
        SealedRecord.objects.create(game=game, scenario=msgspec.json.encode(scenario))
        EventRow.objects.bulk_create(_rows(game, 1, events, None))
        position = Position(len(events), events, state)
        transaction.on_commit(functools.partial(SALE.positions.remember, game.pk, position))
    return game


def _check_seen(position: Position, seen: int | None, side: Side, rival: str) -> None:
    if seen is None or position.state.ended is not None:
        return
    theirs = other(side)
    if any(isinstance(news, OfferMade) and news.actor == theirs for news in position.events[seen:]):
        raise NotYourTurn(say("who_has_moved_since_you_sent", who=rival))


def _check_unheard(game: Game, position: Position, rival: str) -> None:
    """Claim the turn from the house, so that it never thinks about a price that is taken back."""
    if claim_turn(game.pk, position.seq):
        return
    if current(game.pk)[0].last_seq != position.seq:
        raise ClaimLost
    raise NotYourTurn(say("who_is_answering_already_so_this", who=rival))


def _turn(game: Game, position: Position) -> opponent.Turn | None:
    state, name = position.state, game.policy
    if not opponent.is_due(state, name):
        return None
    guest, chat = guest_of(game), terms_of(game).chat
    return opponent.take(state, name, position.seq, chat=chat, guest=guest)


def guest_of(game: Game) -> opponent.Guest:
    """Return what the house knows of a game's person, as it speaks.

    Only of who sells: a seller's first words answer a buyer's, and come again as they were.
    """
    if game.kind != "sell":
        return opponent.NOBODY
    heard = _heard_before(game.pk, game.owner, game.created_at) if game.owner else ()
    return opponent.Guest(game.language, heard)


@functools.lru_cache(maxsize=REMEMBERED_BY)
def _heard_before(game_id: str, owner: str, began: datetime) -> tuple[str, ...]:
    """Return how the house began this visitor's sales before; a game asks the log once."""
    before = Game.objects.filter(owner=owner, kind="sell", rival="", created_at__lt=began)
    last = before.exclude(pk=game_id).order_by("-created_at").values_list("pk", flat=True)
    games = list(last[:REMEMBERED_GAMES])
    # Nobody says much before the house does, and only how it begins is remembered.
    rows = EventRow.objects.filter(game__in=games, seq__lte=FIRST_LINES).exclude(backend="")
    payloads = rows.values_list("payload", flat=True) if games else ()
    spoken = map(from_payload, payloads)
    return tuple(text for event in spoken if (text := getattr(event, "text", "")))


def append(
    game: Game,
    position: Position,
    state: State,
    events: tuple[Event, ...],
    served: Served | None,
) -> Position:
    """Append what a position has led to, or raise ClaimLost."""
    grown = position.after(state, events)
    append_rows(
        game.pk,
        _rows(game, position.seq + 1, events, served),
        {"thinking_until": None, **_ending(game, grown)},
        ended=grown.state.ended is not None,
        remember=functools.partial(SALE.positions.remember, game.pk, grown),
        also=functools.partial(_check_seats, game) if game.is_pair else None,
    )
    return grown


def _check_seats(game: Game) -> None:
    """Raise ClaimLost where a policy has taken a seat of two people meanwhile."""
    if not Game.objects.filter(pk=game.pk, policy=game.policy).exists():
        raise ClaimLost


def _ending(game: Game, grown: Position) -> dict[str, Any]:
    if grown.state.ended is None:
        return {}
    fields = ending_fields(grown.state.ended, grown.events, other(side_of(game)))
    # Of people nobody has promised anything, and part of such a log may be theirs.
    return {**fields, "certificate": None, "persona": ""} if game.is_pair else fields


def _rows(
    game: Game, first: int, events: tuple[Event, ...], served: Served | None
) -> list[EventRow]:
    return [row_of(game, seq, event, served) for seq, event in enumerate(events, start=first)]


__all__ = [
    "NewPurchase",
    "NewSale",
    "Note",
    "Receipt",
    "Say",
    "append",
    "awaits_opponent",
    "claim_turn",
    "current",
    "is_behind",
    "is_newcomer",
    "move_seats",
    "open_dealt",
    "open_pair",
    "open_purchase",
    "open_sale",
    "opponent_turn",
    "owned_game",
    "play",
    "side_of",
    "turn_of",
    "unanswered_offer",
    "write_turn",
]
