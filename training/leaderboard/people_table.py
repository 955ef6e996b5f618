"""The table of people: ratings from their games that count, beside the house in the same chairs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from negotiation.bargain.shops import PLAIN, shop_of
from negotiation.engine.scenario import SALE
from negotiation.policies import title_of
from training.leaderboard.counting import seat_of
from training.leaderboard.models import PersonalGame
from training.leaderboard.rating.fit import Fit, fit
from training.leaderboard.rating.games import Payoff, design_of
from training.leaderboard.rating.points import at_tables, ratings_of
from training.leaderboard.sparring import is_sparring
from training.leaderboard.tables import Kind, Place, Player, Table, places_of

SEATS = ("seller", "buyer")


def rate_people(games: Iterable[PersonalGame], sparring: Sequence[Payoff] = ()) -> Table:
    """Rate people by their games, each seat apart, and the house's players beside and opposite.

    1500 points are half of the zone in the average game of that seat.

    Args:
        games: that count, in any order.
        sparring: what the house's players got in the same chairs, and what was got against them.
    """
    payoffs = [payoff for game in games for payoff in payoffs_of(game)] + list(sparring)
    if not payoffs:
        return Table(())
    fitted = fit(design_of(payoffs), "pooled")
    places: list[Place] = []
    for seat in SEATS:
        for is_chair in (True, False):
            side = (seat, is_chair)
            alike = [one for one in payoffs if (seat_of(one.table), _is_chair(one)) == side]
            places += _rated(alike, fitted, seat, is_chair=is_chair)
    return Table(tuple(places), payoffs=len(payoffs))


def payoffs_of(game: PersonalGame) -> Iterator[Payoff]:
    """Give what the person got out of a game, and the house where it sat alone on its side."""
    assert game.share is not None
    seat = seat_of(game.table)
    me, cluster = f"{game.person_id} {seat}", str(game.game_id)
    rivals = tuple((str(name), float(weight)) for name, weight in game.rivals)
    yield Payoff(me, rivals, game.table, game.share, cluster)
    if game.rival_share is not None:
        suite, _, _ = game.table.partition(" ")
        other = "buyer" if seat == "seller" else "seller"
        yield Payoff(rivals[0][0], ((me, 1.0),), f"{suite} {other}", game.rival_share, cluster)


def _is_chair(payoff: Payoff) -> bool:
    """Tell the chair that people take at a table from the one opposite."""
    suite, _, seat = payoff.table.partition(" ")
    return seat == "seller" if suite == SALE else seat.startswith("buyer")


def _rated(
    payoffs: Sequence[Payoff], fitted: Fit, seat: str, *, is_chair: bool
) -> tuple[Place, ...]:
    """Rate everybody on one side, at the table where most of its games were."""
    if not payoffs:
        return ()
    games = Counter(one.player for one in payoffs)
    players = [_player(key, seat, count, is_chair=is_chair) for key, count in games.items()]
    ((table, _),) = Counter(one.table for one in payoffs).most_common(1)
    there = [one for one in payoffs if one.table == table]
    # The house's bouts are the same for everybody and do not change with who has come to play.
    setting = at_tables([one for one in there if is_sparring(one)] or there)
    return places_of(players, ratings_of(fitted, list(games), setting))


def _player(key: str, seat: str, games: int, *, is_chair: bool) -> Player:
    name, _, version = key.partition(" ")
    if name.isdecimal():
        # The name is looked up when the page is drawn: a withdrawn one is gone at once.
        return Player(key=key, kind="person", title="", seat=seat, games=games)
    shop = shop_of(name)
    kind: Kind = "policy" if is_chair else "house"
    return Player(
        key=key,
        kind=kind,
        title=title_of(name) if shop is PLAIN else shop.keeper,
        version=version,
        seat=seat,
        games=games,
        is_ranked=False,
    )
