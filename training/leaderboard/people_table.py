"""The table of people: ratings from their games that count, one for each seat they played."""

from collections import Counter
from collections.abc import Iterable, Iterator

from negotiation.policies import title_of
from negotiation.shops import PLAIN, shop_of
from training.leaderboard.counting import seat_of
from training.leaderboard.models import PersonalGame
from training.leaderboard.rating.fit import Fit, fit
from training.leaderboard.rating.games import Payoff, design_of
from training.leaderboard.rating.points import at_tables, ratings_of
from training.leaderboard.tables import Place, Player, Table, places_of

SEATS = ("seller", "buyer")


def rate_people(games: Iterable[PersonalGame]) -> Table:
    """Rate people by their games, each seat apart, and the house by what those left to it.

    1500 points are half of the zone in the average game of that seat. Points of this table and of
    the table of policies are two scales: nobody played at both.

    Args:
        games: that count, in any order.
    """
    payoffs = [payoff for game in games for payoff in payoffs_of(game)]
    if not payoffs:
        return Table(())
    fitted = fit(design_of(payoffs), "pooled")
    players: dict[str, Player] = {}
    for one in payoffs:
        known = players.get(one.player)
        games_so_far = known.games if known else 0
        players[one.player] = _player(one, games_so_far + 1)
    places: list[Place] = []
    for seat in SEATS:
        seated = [one for one in players.values() if one.seat == seat]
        for is_person in (True, False):
            alike = [one for one in seated if (one.kind == "person") == is_person]
            places += _rated(alike, fitted, payoffs)
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


def _rated(players: list[Player], fitted: Fit, payoffs: list[Payoff]) -> tuple[Place, ...]:
    """Rate players who had the same kind of rivals, at the table where most of their games were."""
    keys = [one.key for one in players]
    theirs = [one for one in payoffs if one.player in keys]
    if not theirs:
        return ()
    ((table, _),) = Counter(one.table for one in theirs).most_common(1)
    setting = at_tables(one for one in theirs if one.table == table)
    return places_of(players, ratings_of(fitted, keys, setting))


def _player(payoff: Payoff, games: int) -> Player:
    name, _, rest = payoff.player.partition(" ")
    seat = seat_of(payoff.table)
    if name.isdecimal():
        # The name is looked up when the page is drawn: a withdrawn one is gone at once.
        return Player(key=payoff.player, kind="person", title="", seat=seat, games=games)
    shop = shop_of(name)
    title = title_of(name) if shop is PLAIN else shop.keeper
    return Player(
        key=payoff.player,
        kind="house",
        title=title,
        version=rest,
        seat=seat,
        games=games,
        is_ranked=False,
    )
