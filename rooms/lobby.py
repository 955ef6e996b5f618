"""What a member sees while nothing is to play: where one stands, who is here, what comes next."""

import statistics
from datetime import datetime
from typing import Literal

import msgspec
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from bazaarbatna.bargain.quantities import Paise, to_rupees
from negotiation.models import Game
from rooms import tables
from rooms.homework import turns_at
from rooms.hosting import plan_for
from rooms.models import Member, Room, RoomGame
from rooms.plan import NEVER_S, Plan
from rooms.seating.opening import missing_players
from rooms.study_hooks import is_study

SHEET = "sheet"
"""The form of answers that people give before their first move."""

Standing = Literal["out", "removed", "over", "playing", "done", "gathering", "waiting", "homework"]


class OwnGame(msgspec.Struct, frozen=True):
    """A game of the member's: ``share`` of the zone is the own one, ``price`` in rupees.

    Both are None without a deal, and while it runs. ``is_lost``: the house plays on for the member.
    ``role`` is the one of a case, "" in a sale. Of homework ``since`` is when the turn began,
    ``is_own_turn`` whose it is; None: it is the house's, or the game is over.
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
    since: datetime | None = None
    is_own_turn: bool = False

    @property
    def kept_waiting(self) -> str:
        """Say who let the other one wait longer in what a deadline ended: own, rival, or ""."""
        if not self.row.closed.startswith("deadline-"):
            return ""
        return "own" if self.row.closed == f"deadline-{self.side}" else "rival"


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
    def owed(self) -> int:
        """How many games of homework wait for this person's move."""
        return sum(game.is_own_turn for game in self.games)

    @property
    def next_move(self) -> str:
        """The address of the game of homework that has waited longest for this person."""
        own = [game for game in self.games if game.is_own_turn and game.since]
        return min(own, key=lambda game: str(game.since)).address if own else ""

    @property
    def missing(self) -> int:
        """How many games have no partner yet."""
        return max(0, self.plan.games - self.member.dealt)

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
        mark=mark_of(member, live.row if live else None),
    )


def _with_turns(games: tuple[OwnGame, ...]) -> tuple[OwnGame, ...]:
    turns = turns_at([one.row.game for one in games if one.is_live])
    own = ((one, turns.get(one.row.game_id)) for one in games)
    change = msgspec.structs.replace
    return tuple(
        change(one, since=turn.since, is_own_turn=turn.side == one.side) if turn else one
        for one, turn in own
    )


def standing_of(member: Member, plan: Plan, *, is_playing: bool) -> Standing:
    """Name where a member stands."""
    if member.is_removed:
        return "removed"
    if is_playing and member.room.due_at is None:
        return "playing"
    if member.left_at is not None:
        return "out"
    if member.room.state == Room.State.OVER:
        return "over"
    if member.dealt >= plan.games and not is_playing:
        return "done"
    if member.room.state == Room.State.GATHERING:
        return "gathering"
    return "waiting" if member.room.due_at is None else "homework"


def come_back(member: Member) -> bool:
    """Give a member who is back the seat that the house keeps in the last game, if it does.

    Of homework it is each seat that the house keeps.
    """
    if member.left_at is not None or member.withdrawn_at is not None:
        return False
    kept = member.room.games.filter(Q(seller=member) | Q(buyer=member)).select_related("game")
    kept = kept.filter(game__gone=member.session, game__status=Game.Status.LIVE)
    if member.room.due_at is None:
        kept = kept.filter(round=member.dealt)
    back = [tables.seats_of(row.game).give_back(row.game_id, member.session) for row in kept]
    return any(back)


def live_game(member: Member) -> RoomGame | None:
    """Return the game that a member plays now, of homework the first one."""
    return next(iter(live_games(member)), None)


def live_games(member: Member) -> list[RoomGame]:
    """Return the games that a member plays now: of homework several are open at once."""
    if not member.dealt:
        return []
    rows = RoomGame.objects.filter(Q(seller=member) | Q(buyer=member))
    live = rows.filter(game__status=Game.Status.LIVE).select_related("game").order_by("round")
    return [row for row in live if row.is_played_by(member)]


def mark_of(member: Member, live: RoomGame | None) -> str:
    """Sum up what a page shows: it is drawn anew when this changes."""
    missing = "!" if missing_players(plan_for(member)) else ""
    shown = live.game_id if live is not None else ""
    if live is not None and member.room.due_at is not None:
        # Whose turn it is stands there, too.
        minute = int(timezone.now().timestamp()) // 60
        shown = "-".join(f"{row.round}.{row.game.last_seq}" for row in live_games(member))
        shown += f".{minute}"
    return f"{member.room.version}.{shown}{missing}"


def own_games(member: Member) -> tuple[OwnGame, ...]:
    """Return a member's games, the first first."""
    rows = RoomGame.objects.filter(Q(seller=member) | Q(buyer=member))
    rows = rows.select_related("game", "seller", "buyer").order_by("round")
    plan = plan_for(member)
    games = tuple(_own(member, row, plan) for row in rows)
    if any(game.is_live for game in games) and prepares(member):
        sheet = reverse("room-sheet", args=[member.room.code])
        change = msgspec.structs.replace
        games = tuple(change(one, address=sheet) if one.is_live else one for one in games)
    return games if member.room.due_at is None else _with_turns(games)


def prepares(member: Member) -> bool:
    """Whether somebody has a preparation sheet to fill in before the first move."""
    room = member.room
    return (
        bool(room.sheet) and not is_study(room) and not member.answers.filter(form=SHEET).exists()
    )


def sheet_before(game: Game, session: str) -> str:
    """Return the address of the sheet that somebody fills in before a game; "": none."""
    rows = RoomGame.objects.select_related("room", "seller", "buyer").filter(game=game.pk)
    people = (one for row in rows for one in (row.seller, row.buyer) if one)
    member = next((one for one in people if one.session == session), None)
    return reverse("room-sheet", args=[member.room.code]) if member and prepares(member) else ""


def way_to(member: Member, row: RoomGame) -> str:
    """Return where somebody goes to play a game: to the preparation sheet before the first one."""
    if prepares(member):
        return reverse("room-sheet", args=[member.room.code])
    return tables.address_of(row.game, side_in(row, member))


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
    plan = plan_for(member, row.round) if member.conditions else plan
    is_lost = member.session not in (game.owner, game.rival)
    is_deal = game.outcome == "deal" and not is_lost
    share = game.seller_share if side == "seller" else game.buyer_share
    rival = _rival(member, row)
    return OwnGame(
        row=row,
        side=side,
        role=tables.role_in(plan, game, side),
        address=tables.address_of(row.game, side),
        rival=rival.nickname if rival else "",
        is_live=row.is_played_by(member),
        is_lost=is_lost,
        share=share if is_deal else None,
        price=to_rupees(Paise(game.deal_price)) if is_deal and game.deal_price else None,
    )


def _rival(member: Member, row: RoomGame) -> Member | None:
    return row.buyer if row.seller_id == member.pk else row.seller
