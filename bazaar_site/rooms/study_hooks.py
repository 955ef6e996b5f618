"""What a room asks of its study, where it has one: the next page, and the plan of an arm."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bazaar_site.rooms.models import Member, Room
from bazaar_site.rooms.plan import Plan


def is_study(room: Room) -> bool:
    """Whether a study runs in this room."""
    return hasattr(room, "study")


def next_step(member: Member) -> str:
    """Return the address that a member must visit before anything else, "": go on."""
    return (_asked("next_step", member) or "") if is_study(member.room) else ""


def may_play(member: Member) -> bool:
    """Whether somebody may be seated: nothing of a study comes before the games."""
    return not is_study(member.room) or bool(_asked("is_ready", member))


def plan_in_arm(member: Member, plan: Plan) -> Plan:
    """Return the plan as the member's arm changes it."""
    if not is_study(member.room):
        return plan
    changed: Plan | None = _asked("plan_in_arm", member, plan)
    return changed or plan


def _asked(name: str, *about: Any) -> Any:
    where = "bazaar_site.rooms.study.flow"
    hook = getattr(import_module(where), name, None) if find_spec(where) else None
    return hook(*about) if hook else None
