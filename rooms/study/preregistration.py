"""A preregistration as far as a design can fill it in; what only its author knows stays open."""

from typing import Any

import msgspec
from django.template.loader import render_to_string

from bazaarbatna.bargain import budgets
from bazaarbatna.bargain.quantities import to_rupees
from negotiation.bargain.purchases import COST_SHARE
from negotiation.bargain.scenarios import RESERVATION_MARGIN
from rooms import hosting
from rooms.models import Room
from rooms.plan import Plan
from rooms.power.outcomes import BUYERS, PEOPLE
from rooms.power.simulating import FEWEST_ARMS, MOST_ARMS, Question, answer
from rooms.seating import dealing
from rooms.study.assignment import orders
from rooms.study.design import Arm, Bonus, Design, Level, levels_in, under

MOST_NAMED = 12
"""Goods that are named; of more, how many and for how much."""


class Dealt(msgspec.Struct):
    """What some arms play about."""

    arms: list[str]
    zone: str
    floors: tuple[float, float] | None
    count: int
    titles: list[str]
    low: float
    high: float


def preregistration(room: Room, design: Design) -> str:
    """Write it as Markdown."""
    plan = design.plan.over(hosting.plan_of(room))
    question = _question(design, plan)
    every = design.cells + tuple(
        under(arm, [one]) for arm in design.cells for one in design.conditions
    )
    context = {
        "design": design,
        "title": _line(design.title),
        "plan": _fields(plan, {"case"}),
        "rules": plan,
        "meets_people": any(arm.plan.over(plan).meeting == "people" for arm in every),
        "arms": [_arm(design, arm) for arm in design.cells],
        "conditions": [
            (
                one.name,
                _line(one.title),
                _changes(one),
                one.prompt,
                under(design.cells[0], [one]).plan.over(plan).games,
            )
            for one in design.conditions
        ],
        "orders": orders([one.name for one in design.conditions], design.order),
        "block": design.block or len(design.cells),
        "dealt": _dealt(design, plan),
        "cases": sorted({case.id for one in every if (case := one.plan.over(plan).case)}),
        "question": question,
        "power": None if question is None else answer(question),
        "questions": [
            (form, one.name, type(one).__struct_config__.tag, _line(one.ask), ", ".join(one.arms))
            for form in ("before", "between", "after")
            for one in getattr(design, form)
        ],
        "beliefs": [
            (
                one.name,
                one.about,
                _line(one.ask),
                ", ".join(map(str, one.rounds)),
                ", ".join(one.arms),
                f"{one.pays:g} {design.bonus.currency}, {one.scoring}" if one.pays else "",
            )
            for one in design.beliefs
        ],
        "bonus": _fields(design.bonus),
        "budgets": budgets,
        "dealing": dealing,
        "cost": COST_SHARE,
        "margin": RESERVATION_MARGIN,
        "comparisons": len(design.cells) - 1,
        "prompted": bool(design.prompts),
    }
    return render_to_string("rooms/study/preregistration.txt", context)


def _line(text: str) -> str:
    return " ".join(text.split())


def _fields(value: Plan | Bonus, but: set[str] | None = None) -> list[tuple[str, Any]]:
    return [one for one in msgspec.to_builtins(value).items() if one[0] not in (but or ())]


def _changes(level: Level) -> list[tuple[str, Any]]:
    """Return what a level changes of the rules; of a whole case its id."""
    changes = msgspec.to_builtins(level.plan).items()
    return [(name, told["id"] if isinstance(told, dict) else told) for name, told in changes]


def _arm(design: Design, arm: Arm) -> dict[str, Any]:
    return {
        "name": arm.name,
        "title": _line(arm.title),
        "levels": levels_in(msgspec.to_builtins(design), arm.name),
        "changes": _changes(arm),
        "prompt": msgspec.to_builtins(arm.prompt) if arm.prompt else None,
        "has_words": bool(arm.instructions),
        "bonus": arm.bonus and _fields(arm.bonus),
    }


def _dealt(design: Design, plan: Plan) -> list[Dealt]:
    found: dict[tuple[object, ...], Dealt] = {}
    for arm in design.cells:
        its = arm.plan.over(plan)
        if its.case is not None:
            continue
        key = its.zone, its.listings, its.least_price, its.most_price
        if key not in found:
            goods = list(dealing.goods_of(its).values_list("title", "list_price"))
            prices = [to_rupees(price) for _, price in goods] or [0.0]
            titles = [_line(title) for title, _ in goods] if len(goods) <= MOST_NAMED else []
            floors = dealing.FLOORS.get(its.zone)
            found[key] = Dealt([], its.zone, floors, len(goods), titles, min(prices), max(prices))
        found[key].arms.append(arm.name)
    return list(found.values())


def _question(design: Design, plan: Plan) -> Question | None:
    """Ask about one game of each: further ones of the same people count for nothing here.

    None where power knows no outcomes: other numbers of arms, people who buy, other policies.
    """
    if design.conditions:
        return None  # what is compared within people needs fewer of them than the table says
    plans = [arm.plan.over(plan) for arm in design.cells]
    against = {
        PEOPLE if one.meeting == "people" else one.buyer if one.roles == "seller" else ""
        for one in plans
    }
    if any(one.case is not None for one in plans):
        return None
    if not FEWEST_ARMS <= len(plans) <= MOST_ARMS or any(one.zone == "none" for one in plans):
        return None
    known = against & set(BUYERS)
    # Where arms differ in it, the first one is the one that the others are compared with.
    first = plans[0]
    name = PEOPLE if first.meeting == "people" else first.buyer
    return Question(against=name, arms=len(plans)) if known == against else None
