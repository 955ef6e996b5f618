"""A case between two people: its table, and what becomes of it when one of them goes.

Where tables are looked after the first role is called "seller" and the second one "buyer"; the
functions have the names, and do the same, as those of ``bargain.pairs``.
"""

from collections.abc import Callable, Iterable, Mapping

import msgspec
from django.db import transaction
from django.db.models import Q

from bazaarbatna.bargain.quantities import Side
from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, Role, other
from negotiation.bargain import clocks
from negotiation.bargain.chairs import VERSION, Chairs, goes_on, is_deserted, sit_down
from negotiation.bargain.clocks import Clocks, Why
from negotiation.bargain.terms import PERSON, Terms, terms_of
from negotiation.cases.game import CASE, Dealt, language
from negotiation.games.event_log import Served, until_claimed
from negotiation.games.turn_play import append, current, open_game, opponents_move
from negotiation.models import CLOSED, EventRow, Game

ROLE_OF: dict[Side, Role] = {"seller": "a", "buyer": "b"}
SIDE_OF: dict[str, Side] = {role: side for side, role in ROLE_OF.items()}


def open_table(
    case: Case,
    people: Mapping[Side, str],
    terms: Terms,
    *,
    names: Mapping[str, str],
    client: str,
    may_train: bool = False,
    house: str = "",
) -> Game:
    """Open a table of one or two people, each known by a session key; ``house`` has the rest.

    What its end tells is the terms' to say. Called within a transaction.
    """
    (first, owner), *rest = people.items()
    seat, rival = ROLE_OF[first], rest[0][1] if rest else ""
    case = msgspec.structs.replace(case, reveal="all")
    game = open_game(
        CASE.kinds[0],
        owner,
        seat,
        is_public=False,
        client=client,
        deal=lambda seed: Dealt(seed, case, house, bool(rival) and terms.talks_freely),
        title=play.words(case.title, language())[:200],
        suite="" if terms.reveal == "all" else CLOSED,
        terms={**msgspec.to_builtins(terms), **({"rival_seat": other(seat)} if rival else {})},
        rival=rival,
        policy=PERSON if rival else CASE.kinds[0],
        names=dict(names),
        may_train=may_train,
    )
    transaction.on_commit(lambda: let_house_move(game.pk), robust=True)
    return game


def let_house_move(game_id: str) -> None:
    """Let the house move where it is its turn."""
    opponents_move(game_id)


def clocks_of(game: Game) -> Clocks | None:
    """Return the clocks of a live table with limits to the person who is to move."""
    return clocks.clocks_of(game, TURNS)


def is_left_waiting(game: Game, seat: str) -> bool:
    """Whether somebody waits for a person who is away, and is told so."""
    running = clocks_of(game)
    is_away = running is not None and running.is_away and running.running != SIDE_OF[seat]
    return is_away and terms_of(game).persona_told


def was_closed(game: Game) -> bool:
    """Whether nobody left a table that is over: it was closed for whoever was to move."""
    return EventRow.objects.filter(game=game.pk, kind="walked", policy_version=VERSION).exists()


def look_after_all(games: Iterable[Game]) -> int:
    """Let time run out where it has; how many tables went on."""
    return _look(_look_after, games)


def look_everywhere() -> int:
    """Look after every table of a room, and every other one of two people; how many went on."""
    tables = Q(terms__has_key="back") | Q(terms__has_key="rival_seat")
    live = Game.objects.filter(tables, kind__in=CASE.kinds, status=Game.Status.LIVE)
    return _look(_move_for, live)


def hand_over(game: Game, side: Side) -> bool:
    """Let the house take a seat until its person is back; False: the game has gone on since."""
    return sit_down(game, ROLE_OF[side], CASE.kinds[0])


def close(game_id: str, why: Why, seq: int | None = None) -> bool:
    """End a game without a deal: whoever is to move leaves; False: it has ended, or gone on."""

    def attempt() -> bool:
        game, rules, position = current(game_id)
        if position.state.ended is not None or seq not in (None, position.seq):
            return False
        seat = position.state.turn
        append(game, rules, position, seat, play.Move("walk"), Served(why, VERSION, 0))
        return True

    return until_claimed(attempt)


def _look(look: Callable[[Game, Clocks | None], bool], games: Iterable[Game]) -> int:
    games = list(games)
    running = {game.pk: own for game, own in clocks.running_clocks(games, TURNS)}
    return sum(goes_on(look, game, running.get(game.pk)) for game in games)


def _move_for(game: Game, running: Clocks | None) -> bool:
    if is_deserted(game):
        return close(game.pk, "absent", game.last_seq)
    return _look_after(game, running)


def _look_after(game: Game, running: Clocks | None) -> bool:
    if running is None:
        return game.policy != PERSON and opponents_move(game.pk)
    if not CHAIRS.look_after(game, running):
        return False
    opponents_move(game.pk)
    return True


def _begins(opened: bytes) -> Side:
    return SIDE_OF[msgspec.json.decode(opened, type=_Opened).begins]


class _Opened(msgspec.Struct, frozen=True):
    """Of an opening event as much as is asked of it."""

    begins: str


TURNS = clocks.Turns(passes=("offered", "said"), begins=_begins, seats=ROLE_OF)
CHAIRS = Chairs(hand_over=hand_over, close=close, clocks=clocks_of)
replace, give_back, leave = CHAIRS.replace, CHAIRS.give_back, CHAIRS.leave
