"""What a member sees while nothing is to play: where one stands, who is here, what comes next."""

import statistics
from typing import Literal

import msgspec
from django.db.models import Q

from bazaarbatna.bargain.quantities import Paise, to_rupees
from negotiation.models import Game
from rooms import tables
from rooms.hosting import plan_for
from rooms.models import Member, Room, RoomGame
from rooms.opening import missing_players
from rooms.plan import NEVER_S, Plan
from rooms.study_hooks import is_study

Standing = Literal["out", "removed", "over", "playing", "done", "gathering", "waiting"]


class OwnGame(msgspec.Struct, frozen=True):
    """A game of the member's: ``share`` of the zone is the own one, ``price`` in rupees.

    Both are None without a deal, and while it runs. ``is_lost``: the house plays on for the member.
    ``role`` is the one of a case, "" in a sale.
    """

    row: RoomGame
    side: str
    role: str
    address: str
    rival: str
    is_live: bool
    is_lost: bool
    share: float | None
    price: float | None


class PastGames(msgspec.Struct, frozen=True):
    """How somebody has dealt so far in this room: nothing of games that go on.

    ``share`` is the mean part of the zone that this person kept, 0..1; None without a deal.
    """

    games: int
    deals: int
    share: float | None


class Lobby(msgspec.Struct, frozen=True):
    """The page of a member; ``is_house_missing``: nobody of the house can sit down here."""

    member: Member
    plan: Plan
    standing: Standing
    games: tuple[OwnGame, ...]
    live: OwnGame | None
    rival_past: PastGames | None
    people: tuple[str, ...]
    is_house_missing: bool
    mark: str

    @property
    def next_number(self) -> int:
        """The game that comes next, from 1."""
        return min(self.member.dealt + 1, self.plan.games)

    @property
    def new_partner_min(self) -> int:
        """Minutes that somebody may wait for whom the plan wants opposite; 0: for nobody."""
        is_series = self.plan.meeting == "people" and self.member.dealt > 0
        if not is_series or self.plan.partners == "any" or self.plan.unmet_s >= NEVER_S:
            return 0
        return -(-max(self.plan.unmet_s, self.plan.odd_s % NEVER_S) // 60)


def lobby_of(member: Member) -> Lobby:
    """Gather the page of a member."""
    games = own_games(member)
    live = next((game for game in games if game.is_live), None)
    plan = plan_for(member, live.row.round if live else 0)
    past = past_of(_rival(member, live.row)) if live and plan.shows_past else None
    if past and not plan.tells_shares:
        past = msgspec.structs.replace(past, share=None)
    return Lobby(
        member=member,
        plan=plan,
        standing=standing_of(member, plan, is_playing=live is not None),
        games=games,
        live=live,
        rival_past=past,
        people=people_of(member.room),
        is_house_missing=bool(missing_players(plan)),
        mark=mark_of(member, live.row.game_id if live else ""),
    )


def standing_of(member: Member, plan: Plan, *, is_playing: bool) -> Standing:
    """Name where a member stands."""
    if member.is_removed:
        return "removed"
    if is_playing:
        return "playing"
    if member.left_at is not None:
        return "out"
    if member.room.state == Room.State.OVER:
        return "over"
    if member.dealt >= plan.games:
        return "done"
    return "gathering" if member.room.state == Room.State.GATHERING else "waiting"


def come_back(member: Member) -> bool:
    """Give a member who is back the seat that the house keeps in the last game, if it does."""
    kept = member.room.games.filter(Q(seller=member) | Q(buyer=member), round=member.dealt)
    kept = kept.select_related("game").filter(game__gone=member.session)
    row = kept.filter(game__status=Game.Status.LIVE).first()
    if row is None or member.left_at is not None or member.withdrawn_at is not None:
        return False
    return tables.seats_of(row.game).give_back(row.game_id, member.session)


def live_game(member: Member) -> RoomGame | None:
    """Return the game that a member plays now."""
    if not member.dealt:
        return None
    rows = RoomGame.objects.filter(Q(seller=member) | Q(buyer=member))
    live = rows.filter(game__status=Game.Status.LIVE).select_related("game")
    return next((row for row in live if row.is_played_by(member)), None)


def mark_of(member: Member, live: str) -> str:
    """Sum up what a page shows: it is drawn anew when this changes."""
    missing = "!" if missing_players(plan_for(member)) else ""
    return f"{member.room.version}.{live}{missing}"


def own_games(member: Member) -> tuple[OwnGame, ...]:
    """Return a member's games, the first first."""
    rows = RoomGame.objects.filter(Q(seller=member) | Q(buyer=member))
    rows = rows.select_related("game", "seller", "buyer").order_by("round")
    plan = plan_for(member)
    return tuple(_own(member, row, plan) for row in rows)


def side_in(row: RoomGame, member: Member) -> Literal["seller", "buyer"]:
    """Name the side that a member plays."""
    return "seller" if row.seller_id == member.pk else "buyer"


def past_of(member: Member | None) -> PastGames | None:
    """Return how somebody has dealt so far; None for the house, and before the first end."""
    if member is None:
        return None
    ended = [one for one in own_games(member) if not one.is_live and not one.is_lost]
    if not ended:
        return None
    kept = [one.share for one in ended if one.share is not None]
    return PastGames(len(ended), len(kept), statistics.fmean(kept) if kept else None)


def people_of(room: Room) -> tuple[str, ...]:
    """Return the nicknames of who is in a room; nobody's in a study, where people are strangers."""
    if is_study(room):
        return ()
    here = room.members.filter(left_at=None).exclude(session="")
    return tuple(here.values_list("nickname", flat=True))


def _own(member: Member, row: RoomGame, plan: Plan) -> OwnGame:
    side = side_in(row, member)
    game = row.game
    is_lost = member.session not in (game.owner, game.rival)
    is_deal = game.outcome == "deal" and not is_lost
    share = game.seller_share if side == "seller" else game.buyer_share
    rival = _rival(member, row)
    return OwnGame(
        row=row,
        side=side,
        role=tables.role_in(plan, side),
        address=tables.address_of(row.game, side),
        rival=rival.nickname if rival else "",
        is_live=row.is_played_by(member),
        is_lost=is_lost,
        share=share if is_deal else None,
        price=to_rupees(Paise(game.deal_price)) if is_deal and game.deal_price else None,
    )


def _rival(member: Member, row: RoomGame) -> Member | None:
    return row.buyer if row.seller_id == member.pk else row.seller
