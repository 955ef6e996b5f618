"""Games between two people: the cards, and what becomes of a game when one of them goes.

A seat whose person stays away is taken by the policy that the table's terms name, if the terms do
not close the game (``chairs``).
"""

import secrets
from collections.abc import Callable, Iterable

import msgspec
from django.db.models import Q

from bazaarbatna.bargain.episode import apply
from bazaarbatna.bargain.moves import Walk
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain import chairs, sessions
from negotiation.bargain.chairs import VERSION, Chairs, goes_on, is_deserted, is_quiet
from negotiation.bargain.clocks import Clocks, Why, clocks_of, running_clocks
from negotiation.bargain.commands import Command
from negotiation.bargain.game import SALE
from negotiation.bargain.purchases import draw_cost
from negotiation.bargain.scenarios import (
    RESERVATION_MARGIN,
    SEED_LIMIT,
    NewSale,
    draw_budget,
    scenario_of,
    whole_rupees,
)
from negotiation.bargain.sessions import TURN, Receipt
from negotiation.bargain.terms import PERSON, terms_of
from negotiation.errors import TimeIsUp
from negotiation.games.event_log import Served, until_claimed
from negotiation.models import PAIR, Game, Listing
from negotiation.policies import policy

MOST_IN_A_ROW = 30
FORGOTTEN_S = 60
"""Where somebody looks, the house has moved by then."""


def pair_scenario(
    listing: Listing,
    below: Callable[[int], int] = secrets.randbelow,
    *,
    has_zone: bool = False,
) -> Scenario:
    """Fix the cards of two people over a listing: both limits are drawn, so neither is known.

    ``below`` gives an unguessable whole number of 0 up to its argument. The floor is drawn as a
    house seller's, the budget as Sauda's.
    """
    seed = below(SEED_LIMIT)
    asking = Paise(listing.list_price)
    cost = draw_cost(seed, listing.street_price)
    # Two people name whole rupees, also over a samosa.
    floor = min(whole_rupees(RESERVATION_MARGIN * cost, 0), asking)
    drawn = draw_budget(seed, asking, floor, listing.street_price, has_zone=has_zone)
    dealt = scenario_of(NewSale(listing=listing, suite=PAIR), below, has_zone=has_zone)
    sealed = msgspec.structs.replace(
        dealt.sealed,
        reservation=floor,
        cost=min(cost, floor),
        budget=whole_rupees(drawn, 0),
        seed=seed,
    )
    return msgspec.structs.replace(dealt, sealed=sealed)


class Match(msgspec.Struct, frozen=True):
    """Games that two friends played in a row; the points of each in all, and in the newest."""

    games: int = 0
    own: int = 0
    theirs: int = 0
    newest: tuple[int, int] = (0, 0)


def match_of(game: Game) -> Match:
    """Add up a finished game and those that it is the rematch of, as its ``owner`` has them."""
    found, last = Match(), Game.objects.filter(pk=game.pk).first()
    while last is not None and found.games < MOST_IN_A_ROW:
        shares = [round(100 * (share or 0)) for share in (last.seller_share, last.buyer_share)]
        own, theirs = shares if last.as_seen_by(game.owner).seat == "seller" else shares[::-1]
        newest = found.newest if found.games else (own, theirs)
        found = Match(found.games + 1, found.own + own, found.theirs + theirs, newest)
        last = Game.objects.filter(rematch__game=last).first()
    return found


def play(
    game_id: str,
    owner: str,
    command: Command,
    typing_s: float | None = None,
    seen: int | None = None,
    kind: str = "",
) -> Receipt:
    """Carry out what a person asks for, as ``sessions.play``, unless somebody's time is up first.

    TimeIsUp: it was the own one. Nobody need have looked at the game for that.
    """
    try:
        return sessions.play(game_id, owner, command, typing_s, seen, kind)
    except TimeIsUp:
        game = sessions.owned_game(game_id, owner, kind)
        clocks = clocks_of(game)
        if clocks is not None:
            CHAIRS.look_after(game, clocks)
            if clocks.running == sessions.side_of(game):
                raise
    return sessions.play(game_id, owner, command, typing_s, seen, kind)


def look_after(game: Game) -> bool:
    """Let the time of whoever is to move run out, if it has; whether anything was done."""
    return look_after_all([game]) > 0


def look_after_all(games: Iterable[Game]) -> int:
    """Look after live games that nobody may be looking at; how many went on.

    One that cannot go on is seen in the log, and keeps no other one waiting.
    """
    return sum(goes_on(CHAIRS.look_after, game, clocks) for game, clocks in running_clocks(games))


def look_everywhere() -> int:
    """Look after every table of two people and every clock on this site; how many went on.

    For a worker: the house moves where it has to, as nobody may be there to see it.
    """
    limited = Q(terms__clock_s__gt=0) | Q(terms__due_at__gt=0)
    timed = Q(suite=PAIR) | (limited & Q(kind__in=SALE.kinds))
    games = list(Game.objects.filter(timed, status=Game.Status.LIVE, source=Game.Source.PERSON))
    clocks = {game.pk: own for game, own in running_clocks(games)}
    return sum(goes_on(_move_for, game, clocks.get(game.pk)) for game in games)


def _move_for(game: Game, clocks: Clocks | None) -> bool:
    if clocks is None:
        if is_deserted(game):
            return close(game.pk, "absent", game.last_seq)
        # The house answers a person who is there: at the deadline nobody need have come at all.
        if terms_of(game).is_due and not TURN.is_held(game):
            return close(game.pk, "deadline", game.last_seq)
        return _is_forgotten(game) and sessions.opponent_turn(game.pk)
    if not CHAIRS.look_after(game, clocks):
        return False
    sessions.opponent_turn(game.pk)
    return True


def _is_forgotten(game: Game) -> bool:
    """Whether the house has a seat of two people, and nobody was there to let it move."""
    if game.suite != PAIR or game.policy == PERSON or TURN.is_held(game):
        return False
    return is_quiet(game, FORGOTTEN_S)


def hand_over(game: Game, side: Side) -> bool:
    """Let the policy that the terms name take a seat, as ``chairs.sit_down``; or UnknownPolicy."""
    terms = terms_of(game)
    entry = policy(terms.seller if side == "seller" else terms.buyer)
    return chairs.sit_down(game, side, entry.name, entry.version)


def end_without(game_id: str, session: str) -> bool:
    """End a game for whoever waits in it for a person who is away; False: nobody is away."""
    game = sessions.owned_game(game_id, session)
    clocks = clocks_of(game)
    if clocks is None or not clocks.is_away or clocks.running == sessions.side_of(game):
        return False
    # Where nobody is told who sits opposite, that would tell.
    return terms_of(game).persona_told and close(game_id, "absent", game.last_seq)


def close(game_id: str, why: Why, seq: int | None = None) -> bool:
    """End a game without a deal: whoever is to move walks; False: it has ended, or gone on.

    ``seq``: only where the log still ends with this event.
    """

    def attempt() -> bool:
        game, position = sessions.current(game_id)
        if seq is not None and position.seq != seq:
            return False
        side = position.state.to_move
        if side is None:
            return False
        state, events = apply(position.state, side, Walk())
        sessions.append(game, position, state, events, Served(why, VERSION, 0))
        return True

    return until_claimed(attempt)


CHAIRS = Chairs(hand_over=hand_over, close=close, clocks=clocks_of)
replace, give_back, leave = CHAIRS.replace, CHAIRS.give_back, CHAIRS.leave
