"""What each participant is paid, as a table."""

import csv
import io
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

import msgspec

from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.cases.case import Role
from negotiation.bargain.scenarios import stored_scenario
from negotiation.cases.game import CASE
from negotiation.cases.grading import worth_of
from negotiation.cases.seats import ROLE_OF
from negotiation.models import Game
from rooms import tables
from rooms.models import Member, Room, RoomGame
from rooms.pages import safe_text
from rooms.study import beliefs, flow, promises
from rooms.study.design import Bonus, Design
from rooms.study.forgetting import GONE, side_of

CENT = Decimal("0.01")


class Result(msgspec.Struct, frozen=True):
    """What one finished game brought a participant: a share 0..1, a surplus in rupees or points."""

    share: float = 0.0
    surplus: float = 0.0


class Pay(msgspec.Struct, frozen=True):
    """A line of the table; ``why`` is how the part ended, or ``withdrawn``, or ``unfinished``.

    ``guesses`` are paid on top of base and bonus, beyond the cap: a cap would make them untrue.
    """

    number: int
    external_id: str
    arm: str
    why: str
    base: Decimal
    extra: Decimal
    currency: str
    is_pilot: bool
    guesses: Decimal = Decimal("0.00")

    @property
    def amount(self) -> Decimal:
        """What is paid in all."""
        return self.base + self.extra + self.guesses


def amounts(rule: Bonus, why: str, results: Sequence[Result]) -> tuple[Decimal, Decimal]:
    """Return base and bonus, rounded to a cent, within the cap.

    >>> amounts(Bonus(base=1, rule="share", rate=0.02, cap=2), "finished", [Result(share=0.4)])
    (Decimal('1.00'), Decimal('0.80'))
    """
    match why:
        case "screened":
            return _cents(rule.screened), Decimal("0.00")
        case "withdrawn":
            return _cents(rule.withdrawn), Decimal("0.00")
        case "finished":
            base = _cents(rule.base)
        case "waited":
            base = _cents(rule.waited)
        case _:
            return Decimal("0.00"), Decimal("0.00")
    extra = _cents(_earned(rule, results))
    if rule.cap:
        extra = max(min(extra, _cents(rule.cap) - base), Decimal("0.00"))
    return base, extra


def table(room: Room, *, pilot: bool) -> list[Pay]:
    """Return what everybody in the study, or in its pilot, is paid, in order of arrival."""
    study = flow.study_of(room)
    if study is None:
        return []
    design = flow.design_of(study)
    members = list(
        Member.objects.filter(room=room, is_pilot=pilot, consented_at__isnull=False)
        .select_related("room__study")
        .order_by("number")
    )
    games: dict[str, list[RoomGame]] = {}
    rows = RoomGame.objects.filter(room=room, game__status=Game.Status.ENDED)
    for row in rows.select_related("game").order_by("round", "pk"):
        for key in filter(None, (row.seller_id, row.buyer_id)):
            games.setdefault(key, []).append(row)
    return [pay_of(design, one, games.get(one.pk, [])) for one in members]


def to_csv(lines: Sequence[Pay]) -> str:
    """Write who is to be paid: external id, amount."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["external_id", "amount"])
    for one in lines:
        if one.external_id and not one.external_id.startswith(GONE) and one.amount:
            writer.writerow([safe_text(one.external_id), one.amount])
    return out.getvalue()


def pay_of(design: Design, member: Member, games: Sequence[RoomGame]) -> Pay:
    """Return what a member is paid for finished games, as things stand."""
    rule = promises.pay_to(member, design)
    why = "withdrawn" if member.withdrawn_at else member.end or "unfinished"
    wants_surplus = rule.rule == "surplus"
    results = [result(member, row, surplus=wants_surplus) for row in games]
    base, extra = amounts(rule, why, results)
    paid = promises.beliefs_paid_to(member, design) if why in ("finished", "waited") else ()
    guesses = beliefs.earned(member, paid, games, member.room.study.seed) if paid else 0.0
    return Pay(
        number=member.number,
        external_id=member.external_id,
        arm=member.arm,
        why=why,
        base=base,
        extra=extra,
        guesses=_cents(guesses),
        currency=rule.currency,
        is_pilot=member.is_pilot,
    )


def result(member: Member, row: RoomGame, *, surplus: bool = True) -> Result:
    """Return what a finished game brought a member."""
    game, side = row.game, side_of(member, row)
    if tables.is_case(game):
        return _of_case(game, ROLE_OF[side])
    share = (game.seller_share if side == "seller" else game.buyer_share) or 0.0
    if game.deal_price is None:
        return Result()
    if not surplus:
        return Result(share)
    sealed = stored_scenario(game).sealed
    price = game.deal_price
    gained = price - sealed.reservation if side == "seller" else sealed.budget - price
    return Result(share, max(to_rupees(gained), 0.0))


def _of_case(game: Game, role: Role) -> Result:
    state = CASE.position_of(game).state
    if state.ended is None or state.ended.outcome != "deal":
        return Result()
    points = state.ended.points[role]
    part = worth_of(state.case).part(role, points) or 0.0
    surplus = points - state.case.side(role).outside
    return Result(min(1.0, max(0.0, part)), max(0.0, surplus))


def _earned(rule: Bonus, results: Sequence[Result]) -> float:
    if rule.rule == "none" or not results:
        return 0.0
    units = [one.share * 100 if rule.rule == "share" else one.surplus for one in results]
    return rule.rate * (sum(units) / (1 if rule.over == "sum" else len(units)))


def _cents(amount: float) -> Decimal:
    return Decimal(str(amount)).quantize(CENT, ROUND_HALF_UP)
