"""A case between two people: its table, and what becomes of it when one of them goes.

Where tables are looked after the first role is called "seller" and the second one "buyer"; the
functions have the names, and do the same, as those of ``bargain.pairs``.
"""

from collections.abc import Iterable, Mapping

import msgspec
from django.db import transaction
from django.utils import timezone

from bazaarbatna.bargain.quantities import Side
from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, Role, other
from negotiation.bargain.clocks import Clocks, Why, clocks_from, seconds_left
from negotiation.bargain.pairs import FORSAKEN_S, VERSION
from negotiation.bargain.terms import PERSON, Terms, terms_of
from negotiation.cases.game import CASE, Dealt, language
from negotiation.games import notify
from negotiation.games.event_log import ClaimLost, Served, until_claimed
from negotiation.games.jumps import of_now
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
) -> Game:
    """Open a table of one or two people, each known by a session key; the house has the rest.

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
        deal=lambda seed: Dealt(seed, case),
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
    terms = terms_of(game)
    if game.status != Game.Status.LIVE or not terms.is_timed:
        return None
    _, _, position = current(game.pk)
    rows = EventRow.objects.filter(game=game.pk, seq__lte=position.seq).order_by("seq")
    times = [of_now(at) for at in rows.values_list("created_at", flat=True)]
    used: dict[str, float] = {"seller": 0.0, "buyer": 0.0}
    began = times[0]
    for event, at in zip(position.events, times, strict=False):
        if told := play.move_of(event):
            passed = (at - began).total_seconds() - terms.paused_s(began, at)
            used[SIDE_OF[told[0]]] += max(0.0, passed)
            began = at
    running = position.state.turn
    if running not in CASE.people(game):
        return None
    return clocks_from(game, SIDE_OF[running], used, began, times[-1])


def look_after_all(games: Iterable[Game]) -> int:
    """Let time run out where it has; how many tables went on."""
    return sum(_look_after(game) for game in games)


def look_everywhere() -> int:
    """Look after every table with limits; how many went on."""
    live = Game.objects.filter(kind__in=CASE.kinds, status=Game.Status.LIVE)
    return look_after_all(live.filter(terms__has_key="back"))


def replace(game_id: str, side: Side) -> bool:
    """Let the house take the seat of one of two people, as often as they move meanwhile."""

    def attempt() -> bool:
        game = Game.objects.filter(pk=game_id, status=Game.Status.LIVE, policy=PERSON).first()
        if game is None:
            return False
        if not _hand_over(game, side):
            raise ClaimLost
        return True

    return until_claimed(attempt)


def give_back(game_id: str, session: str) -> bool:
    """Give somebody who is back the seat that the house keeps; False: none, or the time is up."""

    def attempt() -> bool:
        kept = Game.objects.filter(pk=game_id, gone=session, status=Game.Status.LIVE)
        game = kept.first() if session else None
        if game is None:
            return False
        now = timezone.now()
        game.policy, game.rival, game.seller_seen_at, game.buyer_seen_at = PERSON, session, now, now
        if seconds_left(clocks_of(game)) == 0:
            return False
        same = kept.filter(last_seq=game.last_seq)
        if not same.update(
            policy=PERSON, rival=session, gone="", seller_seen_at=now, buyer_seen_at=now
        ):
            raise ClaimLost
        transaction.on_commit(lambda: notify.ring(game_id, 0), robust=True)
        return True

    return until_claimed(attempt)


def leave(game_id: str, side: Side) -> None:
    """Let a person go who will not come back: the house plays on, or it ends."""
    live = Game.objects.filter(pk=game_id, status=Game.Status.LIVE)
    if replace(game_id, side):
        live.update(gone="")
    elif live.exists():
        close(game_id, "closed")


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


def _look_after(game: Game) -> bool:
    if (clocks := clocks_of(game)) is None:
        return game.policy != PERSON and opponents_move(game.pk)
    if seconds_left(clocks) == 0:
        if game.policy == PERSON and terms_of(game).absence == "policy":
            return _hand_over(game, clocks.running) and opponents_move(game.pk)
        return close(game.pk, clocks.why, game.last_seq)
    is_forsaken = bool(game.gone) and game.policy != PERSON
    if is_forsaken and (timezone.now() - clocks.heard).total_seconds() > FORSAKEN_S:
        return close(game.pk, "absent", game.last_seq)
    return False


def _hand_over(game: Game, side: Side) -> bool:
    """Let the house take a seat until its person is back; False: the game has gone on since."""
    seat = ROLE_OF[side]
    stays = game.turned() if game.seat == seat else game
    same = Game.objects.filter(
        pk=game.pk, last_seq=game.last_seq, status=Game.Status.LIVE, policy=PERSON
    )
    taken = same.update(
        owner=stays.owner,
        rival="",
        seat=stays.seat,
        terms=stays.terms,
        policy=CASE.kinds[0],
        gone=stays.rival,
    )
    transaction.on_commit(lambda: notify.ring(game.pk, 0), robust=True)
    return bool(taken)
