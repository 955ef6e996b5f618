"""What people think while they bargain: asked beside the game, and told to nobody opposite.

An answer stands among those of the member, never in the log of the game, under a form that names
the game and its round: no page, frame or replay of a game reads it.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from bazaarbatna.bargain.quantities import Side, other, to_rupees
from bazaarbatna.cases.packages import grid_of
from bazaarbatna.cases.play import State as CaseState
from bazaarbatna.money import SIGNS
from negotiation.bargain import sessions
from negotiation.cases.game import CASE
from negotiation.cases.seats import ROLE_OF
from negotiation.cases.table import in_language
from negotiation.models import Game
from negotiation.sentences import sentences
from rooms import tables
from rooms.lobby import side_in
from rooms.models import Answer, Member, RoomGame
from rooms.study import answers, flow, promises
from rooms.study.design import Belief, Number

say = sentences(__file__)

FORM = "belief-"
"""Begins the form of an answer; the number of the game and its round follow: ``belief-2-5``."""

ASKS_OF_A_PRICE = 2
"""No price or limit that is guessed for money lies above so many times the opening ask."""


class Asked(msgspec.Struct, frozen=True):
    """What somebody is asked now: ``questions`` as they stand in the ``form``, ``paid`` some."""

    form: str
    questions: tuple[Number, ...]
    paid: tuple[Belief, ...] = ()
    currency: str = ""

    @property
    def is_required(self) -> bool:
        """Whether no move is taken before the answer."""
        return any(one.required for one in self.questions)


def due(member: Member, row: RoomGame) -> Asked | None:
    """Return what a member is asked at this moment of a game; None: nothing."""
    design = flow.design_of(member.room.study)
    if not design.beliefs:
        return None
    state, side = _state(row.game), side_in(row, member)
    if isinstance(state, CaseState):
        is_turn, number = state.turn == ROLE_OF[side], state.moves // 2 + 1
    else:
        is_turn, number = state.to_move == side, state.round
    if state.ended or not is_turn:
        return None
    form = f"{FORM}{row.round}-{number}"
    known = answers.given(member, form)
    asked = [
        one
        for one in design.beliefs
        if (not one.arms or member.arm in one.arms)
        and (not one.rounds or number in one.rounds)
        and one.name not in known
    ]
    if not asked:
        return None
    questions = tuple(_question(one, state, side) for one in asked)
    paid = tuple(one for one in asked if one.pays)
    return Asked(form, questions, paid, promises.pay_to(member, design).currency)


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


def truth(about: str, limit: float, worth: float | None) -> float | None:
    """Return what was true; None: there was no such thing.

    ``limit`` is the other side's, ``worth`` the price of the deal, of a case the own points of it.
    """
    return {"limit": limit, "price": worth, "deal": 0.0 if worth is None else 100.0}.get(about)


def earned(member: Member, asked: Sequence[Belief], games: Sequence[RoomGame], seed: int) -> float:
    """Return what a member's answers to paid questions brought: of each question one is drawn."""
    total = 0.0
    rows = {f"{FORM}{row.round}": row for row in games}
    for one in asked:
        dice = Random(f"belief:{seed}:{member.number}:{one.name}")
        found = []
        given = Answer.objects.filter(member=member, question=one.name, form__startswith=FORM)
        for answer in given.order_by("pk"):
            row = rows.get(answer.form.rpartition("-")[0])
            if row is not None and (loss := _loss(one, row, member, answer.value)) is not None:
                found.append(loss)
        if found:
            total += one.pays * worth_of(one, dice.choice(found), dice)
    return total


def worth_of(one: Belief, loss: float, dice: Random) -> float:
    """Return which part of the most that it pays an answer earns, by its ``loss`` from 0 to 1.

    ``loss`` is the square of the error, as a part of the range of answers. ``quadratic`` pays
    1 - loss, whose mean is greatest at the mean of what somebody expects (Brier 1950,
    10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2). ``binarised`` pays all with the chance
    1 - loss: so it is for any taste for risk (Hossain and Okui 2013, 10.1093/restud/rdt006).
    """
    return 1 - loss if one.scoring == "quadratic" else float(dice.random() >= loss)


def _loss(one: Belief, row: RoomGame, member: Member, value: Any) -> float | None:
    state, side = _state(row.game), side_in(row, member)
    if not state.ended:
        return None
    worth: float | None
    if isinstance(state, CaseState):
        limit = state.case.side(ROLE_OF[other(side)]).outside
        points = state.ended.points[ROLE_OF[side]]
        worth = points if state.ended.outcome == "deal" else None
    else:
        sealed, price = state.scenario.sealed, state.ended.price
        limit = to_rupees(sealed.budget if side == "seller" else sealed.reservation)
        worth = None if price is None else to_rupees(price)
    true = truth(one.about, limit, worth)
    if true is None or value == answers.NOTHING:
        return None if true is None else 1.0
    low, high = _range(one, state, side)
    return min(1.0, ((float(value) - true) / ((high - low) or 1.0)) ** 2)


def _state(game: Game) -> Any:
    if tables.is_case(game):
        return CASE.position_of(game).state
    return sessions.current(game.pk)[1].state


def _range(one: Belief, state: Any, side: Side) -> tuple[float, float]:
    """Return the least and the most that may be answered where that is paid: what all may know."""
    if one.about == "deal":
        return 0.0, 100.0
    if isinstance(state, CaseState):
        points = grid_of(state.case).points[ROLE_OF[side]]
        outside = state.case.side(ROLE_OF[side]).outside
        return min(float(points.min()), outside), max(float(points.max()), outside)
    return 0.0, ASKS_OF_A_PRICE * to_rupees(state.scenario.anchor)


def _question(one: Belief, state: Any, side: Side) -> Number:
    bounds: tuple[float | None, float | None] = _range(one, state, side)
    is_case = isinstance(state, CaseState)
    if not (one.pays or one.about == "deal"):
        bounds = None if is_case else 0.0, None
    if is_case:
        unit = say("points")
    else:
        currency = state.scenario.item.currency
        unit = SIGNS.get(currency, currency)
    return Number(
        name=one.name,
        ask=one.ask or _words(one, state, side),
        required=one.required,
        least=bounds[0],
        most=bounds[1],
        whole=False,
        unit="%" if one.about == "deal" else unit,
    )


def _words(one: Belief, state: Any, side: Side) -> str:
    if one.about == "deal":
        return say("chance_of_a_deal")
    if isinstance(state, CaseState):
        them = in_language(state.case.side(ROLE_OF[other(side)]).name)
        is_limit = one.about == "limit"
        return say("points_without_a_deal", them=them) if is_limit else say("points_of_the_deal")
    if one.about == "limit":
        return say("most_they_would_pay") if side == "seller" else say("least_they_would_take")
    return say("price_of_the_deal")
