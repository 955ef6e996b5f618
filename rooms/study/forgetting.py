"""Withdrawal: deletes what the consent promised, no more and no less.

``answers``: what was answered to any question, after a game too. ``words``: what was written in
the games; prices stay. ``games``: games against the house as a whole; of a game with another
participant, who keeps it, the words go and nothing in it leads to this one any more.
``external_id``: the id is replaced by a fingerprint that recognises it, so that nobody comes in
twice, and cannot be read back.
The row of the member stays, with its place among the arms, and says that somebody withdrew.
"""

from collections.abc import Collection
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from bazaarbatna.bargain.events import TellsShown
from bazaarbatna.bargain.quantities import Side
from negotiation.bargain.game import SALE
from negotiation.cases.game import CASE
from negotiation.games.event_log import from_payload, to_payload
from negotiation.models import EventRow, Game, GameAnswer, LineThumb
from rooms import seats, tables
from rooms.models import Answer, LtiSeat, Member, PromptTurn, Room, RoomGame
from rooms.study import flow
from rooms.study.promises import promise_to

GONE = "gone:"


def gone_id(room: Room, external_id: str) -> str:
    """Return what stands for an external id that was deleted."""
    return GONE + salted_hmac(f"study:{room.pk}", external_id).hexdigest()


def withdraw(member: Member) -> None:
    """Let a member go out of a study, and delete what was promised; a second time does nothing."""
    study = flow.study_of(member.room)
    if study is None or member.withdrawn_at:
        return
    promised = promise_to(member, study).withdrawal
    for row in flow.games_of(member):
        if row.is_played_by(member):
            _leave_table(member, row)
    with transaction.atomic():
        member = Member.objects.select_for_update().get(pk=member.pk)
        if member.withdrawn_at:
            return
        _forget_games(member, promised)
        if "answers" in promised:
            Answer.objects.filter(member=member).delete()
        if "external_id" in promised and member.external_id:
            member.external_id = gone_id(member.room, member.external_id)
        member.may_quote = member.may_train = False
        member.withdrawn_at = timezone.now()
        member.nickname = member.name_key = ""
        member.save()
        seats.note(member.room, seats.Kind.WITHDRAWN, member)
        # Whoever is gone is known by no course any more, and no mark goes there.
        LtiSeat.objects.filter(member=member).delete()


def side_of(member: Member, row: RoomGame) -> Side:
    """Return which side of a game a member played."""
    return "seller" if row.seller_id == member.pk else "buyer"


def forget_words(game: Game, side: Side) -> None:
    """Take what a side wrote out of a game, and what others noted of it; prices stay.

    What-ifs and rematches hold the same words, and go.
    """
    Game.objects.filter(Q(parent=game) | Q(rematch_of=game)).delete()
    # What a model was asked repeats what was said; the rules of an arm stand in the design.
    PromptTurn.objects.filter(game=game).update(asked=[], answer="", played="")
    written, read = set(), CASE.event_from if tables.is_case(game) else from_payload
    rows = list(EventRow.objects.select_for_update().filter(game=game).order_by("seq"))
    for row in rows:
        event: Any = read(row.payload)
        if tables.side_of_event(event) == side and getattr(event, "text", None):
            written.add(row.seq)
            row.payload = to_payload(tables.speechless(event))
        elif isinstance(event, TellsShown) and event.of_seq in written:
            row.payload = to_payload(msgspec.structs.replace(event, spans=()))
        # What the house heard in a line is told with its words.
        row.plan = None
    EventRow.objects.bulk_update(rows, ["payload", "plan"])
    transaction.on_commit(SALE.positions.forget_all)
    transaction.on_commit(CASE.positions.forget_all)


def _leave_table(member: Member, row: RoomGame) -> None:
    """Leave a game that runs: another person plays on against the house."""
    tables.seats_of(row.game).leave(row.game_id, side_of(member, row))


def _forget_games(member: Member, promised: Collection[str]) -> None:
    games = flow.games_of(member)
    own = Game.objects.filter(pk__in=[row.game_id for row in games])
    own.update(may_train=False)
    own.filter(gone=member.session).update(gone="")  # no seat is kept for who has left
    if {"answers", "games"} & set(promised):
        for row in games:
            GameAnswer.objects.filter(game=row.game_id, side=side_of(member, row)).delete()
    if not {"words", "games"} & set(promised):
        return
    for row in games:
        if "games" in promised:
            _forget_game(member, row)
        else:
            forget_words(row.game, side_of(member, row))
    LineThumb.objects.filter(rater=member.session, game__in_room__room=member.room).delete()


def _forget_game(member: Member, row: RoomGame) -> None:
    side = side_of(member, row)
    if not (row.seller_id and row.buyer_id):
        row.game.delete()
        return
    forget_words(row.game, side)
    names = {**row.game.names, side: ""}
    owner = {"owner": ""} if row.game.owner == member.session else {"rival": ""}
    Game.objects.filter(pk=row.game_id).update(names=names, **owner)
    RoomGame.objects.filter(pk=row.pk).update(**{side: None})
