"""People on the board: joining under a name, leaving, and collecting the games that count."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from arena.auction.web.game import AUCTION
from arena.auction.web.records import event_from
from arena.models import MatchSeat
from bazaarbatna.auction.events import Ended
from bazaarbatna.bargain.scenario import SALE, Scenario
from negotiation.bargain.purchases import NewPurchase, purchase_scenario
from negotiation.bargain.scenarios import NewSale, scenario_of, stored_scenario
from negotiation.bargain.shops import PLAIN, shop_of
from negotiation.errors import BadSale
from negotiation.limits import spend
from negotiation.models import EventRow, Game, Listing
from negotiation.names import Name, NameTaken, checked_name, name_key, tidy_name
from negotiation.policies import UnknownPolicy, title_of
from training.leaderboard import sparring
from training.leaderboard.lines import Kind, Place, Player, Table, is_fresh, places_of, store
from training.leaderboard.models import BoardName, PersonalGame
from training.leaderboard.rating import Fit, Payoff, at_tables, design_of, fit, ratings_of

ARENA = "arena"

REASONS = ("own-terms", "own-match", "company", "own-table", "daily", "challenge", "no-zone")
"""Why a game does not count, as it is stored; ``leaderboard/_reason.html`` has the words."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What the board keeps of a person's game; without a ``why_not`` (of ``REASONS``) it counts.

    ``table`` names task and seat, ``rivals`` who sat opposite, by policy and version, with weights.
    Shares are 0..1 of the zone: the person's, and the site's (None where it is not asked).
    """

    why_not: str = ""
    table: str = ""
    rivals: tuple[tuple[str, float], ...] = ()
    share: float | None = None
    rival_share: float | None = None


def result_of(game: Game, owner: str) -> Result:
    """Judge a game of the session ``owner``.

    It counts when nothing about it was the player's choice: suggested goods and prices, hidden
    values of the site, rivals that the site set. All else could be arranged until it flatters.

    One left lying counts as left: nobody got anything, zone or none, as it can still be played on.
    """
    return _match(game, owner) if game.kind == ARENA else _haggle(game)


def seat_of(table: str) -> str:
    """Name the seat of a table, "buyer" or "seller".

    >>> seat_of("sell@1 seller")
    'seller'
    """
    return table.split()[1]


def _haggle(game: Game) -> Result:
    if game.is_daily:
        return Result(why_not="daily")
    if game.is_pair or game.terms:
        return Result(why_not="own-table")
    if game.is_challenge:
        return Result(why_not="challenge")
    scenario, is_over = stored_scenario(game), game.status == Game.Status.ENDED
    if game.listing is None or not _is_as_suggested(game, game.listing, scenario):
        return Result(why_not="own-terms")
    if is_over and scenario.zopa <= 0:
        return Result(why_not="no-zone")
    mine, theirs = game.seller_share or 0.0, game.buyer_share or 0.0
    if game.seat == Game.Seat.BUYER:
        mine, theirs = theirs, mine
    return Result(
        table=f"{game.suite} {game.seat}",
        rivals=((f"{game.policy} {game.policy_version}", 1.0),),
        share=mine,
        # Who left lies with the person alone.
        rival_share=theirs if is_over else None,
    )


def _is_as_suggested(game: Game, listing: Listing, played: Scenario) -> bool:
    seed, has_zone, budget = played.sealed.seed, game.zone_promised, played.sealed.budget
    try:
        if game.seat == Game.Seat.BUYER:
            usual = purchase_scenario(
                NewPurchase(listing=listing, policy=game.policy),
                lambda _: seed,
                has_zone=has_zone,
            )
        else:
            sale = NewSale(listing=listing, policy=game.policy)
            usual = scenario_of(sale, lambda _: seed, has_zone=has_zone)
            # No seller chooses it, and older rules drew another one.
            sealed = msgspec.structs.replace(usual.sealed, budget=budget)
            usual = msgspec.structs.replace(usual, sealed=sealed)
    except (UnknownPolicy, BadSale):
        return False
    return (usual.item, usual.anchor, usual.sealed) == (played.item, played.anchor, played.sealed)


def _match(game: Game, owner: str) -> Result:
    chairs = list(MatchSeat.objects.filter(match=game.pk).select_related("match"))
    people = [chair for chair in chairs if chair.owner]
    if not chairs or not chairs[0].match.exhibition:
        return Result(why_not="own-match")
    if len(people) != 1 or people[0].owner != owner:
        return Result(why_not="company")
    scenario, seat = AUCTION.scenario_of(game.pk), people[0].index
    if scenario.sealed.budgets[seat] <= scenario.sealed.reservation:
        return Result(why_not="no-zone")
    others = [chair for chair in scenario.seats if not chair.person]
    rivals = tuple((f"{chair.policy} {chair.version}", 1 / len(others)) for chair in others)
    return Result(
        table=f"{game.suite} buyer of {len(scenario.seats)}",
        rivals=((scenario.seller, 1.0), *rivals),
        share=_share_in_match(game, seat),
    )


def _share_in_match(game: Game, seat: int) -> float:
    last = EventRow.objects.filter(game=game.pk).order_by("-seq").first()
    ended = event_from(last.payload) if last else None
    return ended.shares[seat] if isinstance(ended, Ended) and ended.shares else 0.0


LEFT_LYING = timedelta(hours=24)
"""A haggle that was begun and not finished within this time counts as one that came to nothing:
else a player could walk out of every game that goes badly."""

PLAYED_HERE = (Game.Source.PERSON, Game.Source.ARENA)
"""What-ifs and files from elsewhere are nobody's games; a game with known cards is practice."""

SEATS = ("seller", "buyer")


def is_taken(key: str) -> bool:
    """Whether somebody on the board has a name with this key."""
    return BoardName.objects.filter(key=key).exists()


def on_board(owner: str) -> BoardName | None:
    """Return a visitor's entry; None for whoever has no name."""
    return BoardName.objects.filter(owner=owner).exclude(name="").first() if owner else None


def join(owner: str, text: str, client: str) -> BoardName:
    """Put a visitor on the board, or give another name; BadName, NameTaken or RateLimited."""
    own = BoardName.objects.filter(owner=owner).first()
    name = _checked(text, own)
    if own is not None and own.name == name.text:
        return own
    spend("names", client)
    try:
        with transaction.atomic():
            entry, _ = BoardName.objects.update_or_create(
                owner=owner, defaults={"name": name.text, "key": name.key}
            )
    except IntegrityError:
        # Somebody took the name between the look and the writing.
        raise NameTaken from None
    return entry


def withdraw(owner: str) -> bool:
    """Take a visitor's name off the board; False where there was none."""
    if not owner:
        return False
    named = BoardName.objects.filter(owner=owner).exclude(name="")
    return bool(named.update(name="", key=""))


def collect(person: BoardName) -> int:
    """Judge a person's games that have not been judged yet, and give how many there were."""
    missing = list(_unjudged(person))
    PersonalGame.objects.bulk_create(
        [_judged(person, game) for game in missing], ignore_conflicts=True
    )
    return len(missing)


def _collect_all() -> int:
    return sum(collect(person) for person in BoardName.objects.exclude(name=""))


def refresh_people() -> bool:
    """Judge the games that ended since, and rate the people on the board, unless that is done."""
    _collect_all()
    games = PersonalGame.objects.filter(why_not="").exclude(person__name="").order_by("pk")
    numbers = list(games.values_list("pk", flat=True))
    bouts, payoffs = sparring.payoffs()
    source = f"{len(numbers)} games up to {numbers[-1] if numbers else 0} {bouts}".strip()
    if is_fresh("people", source):
        return False
    store("people", rate_people(games, payoffs), source)
    return True


def rate_people(games: Iterable[PersonalGame], bouts: Sequence[Payoff] = ()) -> Table:
    """Rate people by their games, each seat apart, and the site's players beside and opposite.

    1500 points are half of the zone in the average game of that seat.
    """
    payoffs = [payoff for game in games for payoff in payoffs_of(game)] + list(bouts)
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
    """Return what the person got out of a game, and the site where it sat alone on its side."""
    assert game.share is not None
    seat = seat_of(game.table)
    me, cluster = f"{game.person_id} {seat}", str(game.game_id)
    rivals = tuple((str(name), float(weight)) for name, weight in game.rivals)
    yield Payoff(me, rivals, game.table, game.share, cluster)
    if game.rival_share is not None:
        suite, _, _ = game.table.partition(" ")
        other = "buyer" if seat == "seller" else "seller"
        yield Payoff(rivals[0][0], ((me, 1.0),), f"{suite} {other}", game.rival_share, cluster)


def _checked(text: str, own: BoardName | None) -> Name:
    try:
        return checked_name(text)
    except NameTaken:
        name = tidy_name(text)
        if own is not None and own.key == name_key(name):
            return Name(name, own.key)  # the same name, written in another way
        raise


def _unjudged(person: BoardName) -> QuerySet[Game]:
    seats = MatchSeat.objects.filter(owner=person.owner).values("match_id")
    ended = Q(status=Game.Status.ENDED)
    left = Q(status=Game.Status.LIVE, created_at__lt=timezone.now() - LEFT_LYING)
    return (
        Game.objects.filter(
            Q(owner=person.owner) & ~Q(kind=ARENA) & (ended | left) | Q(pk__in=seats) & ended,
            source__in=PLAYED_HERE,
            rematch_of=None,
            created_at__gte=person.since,
        )
        .exclude(pk__in=person.games.values("game_id"))
        .select_related("listing")
    )


def _judged(person: BoardName, game: Game) -> PersonalGame:
    result = result_of(game, person.owner)
    return PersonalGame(
        person=person,
        game=game,
        why_not=result.why_not,
        table=result.table,
        rivals=[list(rival) for rival in result.rivals],
        share=result.share,
        rival_share=result.rival_share,
    )


def _is_chair(payoff: Payoff) -> bool:
    # The chair that people take at a table.
    suite, _, seat = payoff.table.partition(" ")
    return seat == "seller" if suite == SALE else seat.startswith("buyer")


def _rated(
    payoffs: Sequence[Payoff], fitted: Fit, seat: str, *, is_chair: bool
) -> tuple[Place, ...]:
    # At the table where most of a side's games were.
    if not payoffs:
        return ()
    games = Counter(one.player for one in payoffs)
    players = [_player(key, seat, count, is_chair=is_chair) for key, count in games.items()]
    ((table, _),) = Counter(one.table for one in payoffs).most_common(1)
    there = [one for one in payoffs if one.table == table]
    # The site's bouts are the same for everybody and do not change with who has come to play.
    setting = at_tables([one for one in there if sparring.is_sparring(one)] or there)
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
