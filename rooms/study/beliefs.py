"""What people think while they bargain: asked beside the game, and told to nobody opposite.

An answer stands among those of the member, never in the log of the game, under a form that names
the game and its round: no page, frame or replay of a game reads it.
"""

import msgspec

from bazaarbatna.bargain.quantities import Side
from bazaarbatna.money import SIGNS
from negotiation.bargain import sessions
from negotiation.models import Game
from negotiation.sentences import sentences
from rooms import tables
from rooms.lobby import side_in
from rooms.models import Answer, Member, RoomGame
from rooms.study import answers, flow
from rooms.study.design import Belief, Number

say = sentences(__file__)

FORM = "belief-"
"""Begins the form of an answer; the number of the game and its round follow: ``belief-2-5``."""


class Asked(msgspec.Struct, frozen=True):
    """What somebody is asked now: ``questions`` as they stand in the ``form``."""

    form: str
    questions: tuple[Number, ...]

    @property
    def is_required(self) -> bool:
        """Whether no move is taken before the answer."""
        return any(one.required for one in self.questions)


def due(member: Member, row: RoomGame) -> Asked | None:
    """Return what a member is asked at this moment of a game; None: nothing."""
    beliefs = flow.design_of(member.room.study).beliefs
    if not beliefs or tables.is_case(row.game):
        return None
    state = sessions.current(row.game_id)[1].state
    side = side_in(row, member)
    if state.to_move != side:
        return None
    form = f"{FORM}{row.round}-{state.round}"
    known = answers.given(member, form)
    currency = state.scenario.item.currency
    asked = tuple(
        _question(one, side, SIGNS.get(currency, currency))
        for one in beliefs
        if (not one.arms or member.arm in one.arms)
        and (not one.rounds or state.round in one.rounds)
        and one.name not in known
    )
    return Asked(form, asked) if asked else None


def owes(game: Game, session: str) -> bool:
    """Whether whoever sits here has to answer before the next move."""
    rows = RoomGame.objects.select_related("room__study", "seller", "buyer", "game")
    row = rows.filter(game=game.pk, room__study__isnull=False).first()
    if row is None or not any(one.required for one in flow.design_of(row.room.study).beliefs):
        return False
    member = next((one for one in (row.seller, row.buyer) if one and one.session == session), None)
    if member is None:
        return False
    member.room = row.room
    asked = due(member, row)
    return asked is not None and asked.is_required


def round_of(answer: Answer) -> int:
    """Return the round of a game in which an answer was given."""
    return int(answer.form.rpartition("-")[2])


def _question(one: Belief, side: Side, sign: str) -> Number:
    most = 100 if one.about == "deal" else None
    return Number(
        name=one.name,
        ask=one.ask or _words(one, side),
        required=one.required,
        least=0,
        most=most,
        whole=False,
        unit="%" if one.about == "deal" else sign,
    )


def _words(one: Belief, side: Side) -> str:
    if one.about == "limit":
        return say("most_they_would_pay") if side == "seller" else say("least_they_would_take")
    return say("price_of_the_deal") if one.about == "price" else say("chance_of_a_deal")
