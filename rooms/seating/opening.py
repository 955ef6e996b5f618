"""A pair that was made becomes a game: goods and sealed values dealt, terms set, written down."""

import functools

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from bazaarbatna.bargain.quantities import Side
from bazaarbatna.cases.case import Case
from negotiation.bargain import opponent_turns, sessions
from negotiation.bargain.opponent import knows
from negotiation.bargain.terms import Terms
from negotiation.cases.seats import open_table
from negotiation.limits import ROOM
from negotiation.models import Game
from rooms.models import Member, Room, RoomGame
from rooms.plan import Plan
from rooms.seating.dealing import DealtGame, against_seller, deal
from rooms.seating.pairs import Pair, Waiting
from rooms.study_hooks import is_study


def open_game(room: Room, pair: Pair) -> RoomGame:
    """Open the game of a pair; called within the transaction that claims both people."""
    first = pair.people[0]
    if first.plan.case is not None:
        game = _of_case(room, pair, first.plan.case)
        return _row(room, pair, game)
    dealt = deal(first.plan)
    if pair.seller is not None and pair.buyer is not None:
        game = _between(room, pair.seller, pair.buyer, dealt)
    else:
        game = _against_policy(room, first, dealt, sells=pair.seller is not None)
    return _row(room, pair, game)


def _row(room: Room, pair: Pair, game: Game) -> RoomGame:
    return RoomGame.objects.create(
        room=room,
        game=game,
        round=pair.people[0].round,
        seller=pair.seller.member if pair.seller else None,
        buyer=pair.buyer.member if pair.buyer else None,
    )


def terms_for(room: Room, one: Waiting) -> Terms:
    """Return the rules of a table as the plan has them; no clock runs while people prepare."""
    plan, now = one.plan, timezone.now().timestamp()
    is_lesson = room.due_at is None and not is_study(room)
    prepares = bool(room.sheet) and one.round == 1 and is_lesson
    reveal = plan.reveal_of_one
    if plan.case is not None and reveal == "all" and not is_study(room):
        reveal = "at_debrief"  # others of the class still play by the same sheets
    return Terms(
        chat=plan.chat,
        talk=plan.talk,
        tells=plan.tells,
        clock_s=plan.clock_s,
        move_s=plan.move_s,
        absent_s=plan.absent_s,
        absence=plan.absence,
        seller=plan.seller,
        buyer=plan.buyer,
        persona_told=plan.persona_told,
        feelings=plan.feelings,
        reveal=reveal,
        is_debriefed=room.is_open,
        is_bare=is_study(room),
        asks_first=bool(room.sheet) and not is_study(room),
        pauses=((now, now + 60 * room.sheet_min),) if prepares else (),
        back=reverse("room", args=[room.code]),
        due_at=room.due_at.timestamp() if room.due_at else 0,
    )


def missing_players(plan: Plan) -> tuple[str, ...]:
    """Name the policies that may have to take a seat, and are on this site no more."""
    if plan.case is not None:
        return ()  # the house's own player of cases is always here
    wanted = [plan.seller, plan.buyer]
    if plan.meeting == "policy" and plan.roles in ("seller", "buyer"):
        wanted = [plan.buyer if plan.roles == "seller" else plan.seller]
    elif plan.meeting == "people" and plan.is_people_only and plan.absence == "close":
        wanted = []
    return tuple(name for name in wanted if not knows(name))


def client_of(room: Room, member: Member) -> str:
    """Name a member for those who count what people cause: by room and seat, not by address."""
    return f"{ROOM}{room.code}:{member.number}"


def _of_case(room: Room, pair: Pair, case: Case) -> Game:
    found: dict[Side, Waiting | None] = {"seller": pair.seller, "buyer": pair.buyer}
    people = {side: one.member for side, one in found.items() if one is not None}
    first = pair.people[0]
    return open_table(
        case,
        {side: member.session for side, member in people.items()},
        terms_for(room, first),
        names={side: member.nickname for side, member in people.items()},
        client=client_of(room, first.member),
        may_train=all(member.may_train for member in people.values()),
        house=first.plan.opponent,
    )


def _between(room: Room, seller: Waiting, buyer: Waiting, dealt: DealtGame) -> Game:
    return sessions.open_pair(
        seller.member.session,
        buyer.member.session,
        dealt.scenario,
        names={"seller": seller.member.nickname, "buyer": buyer.member.nickname},
        terms=terms_for(room, seller),
        client=client_of(room, seller.member),
        listing=dealt.listing,
        may_train=seller.member.may_train and buyer.member.may_train,
    )


def _against_policy(room: Room, one: Waiting, dealt: DealtGame, *, sells: bool) -> Game:
    plan, member = one.plan, one.member
    scenario = dealt.scenario
    if not sells:
        scenario = against_seller(scenario, plan.seller, is_told=plan.persona_told)
    game = sessions.open_dealt(
        member.session,
        scenario,
        plan.buyer if sells else plan.seller,
        client=client_of(room, member),
        kind="sell" if sells else "buy",
        seat=Game.Seat.SELLER if sells else Game.Seat.BUYER,
        listing=dealt.listing,
        terms=terms_for(room, one),
        names={"seller" if sells else "buyer": member.nickname},
        may_train=member.may_train,
        language=plan.language,
    )
    start = functools.partial(opponent_turns.start_turn_from_thread, game.pk)
    transaction.on_commit(start, robust=True)
    return game
