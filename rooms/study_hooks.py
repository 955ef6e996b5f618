"""What a room asks of its study, where it has one: the next page, and the plan of an arm."""

from typing import Protocol

from rooms.models import Member, Room
from rooms.plan import Plan


class Flow(Protocol):
    """What a study decides about its members; ``rooms.study.flow`` is it."""

    def next_step(self, member: Member) -> str | None:
        """Return the address that a member must visit before anything else, None: go on."""

    def is_ready(self, member: Member) -> bool:
        """Whether somebody may be seated at a table."""

    def plan_in_arm(self, member: Member, plan: Plan, game: int = 0) -> Plan:
        """Return the plan as the member's arm changes it, in a game (0: the next one)."""


_flow: list[Flow] = []


def register(flow: Flow) -> None:
    """Ask this from now on: studies stand above the rooms, which do not import them."""
    _flow[:] = [flow]


def is_study(room: Room) -> bool:
    """Whether a study runs in this room."""
    return hasattr(room, "study")


def next_step(member: Member) -> str:
    """Return the address that a member must visit before anything else, "": go on."""
    return (_flow[0].next_step(member) or "") if is_study(member.room) else ""


def may_play(member: Member) -> bool:
    """Whether somebody may be seated: nothing of a study comes before the games."""
    return not is_study(member.room) or _flow[0].is_ready(member)


def plan_in_arm(member: Member, plan: Plan, game: int = 0) -> Plan:
    """Return the plan as the member's arm changes it, in a game (0: the next one)."""
    return _flow[0].plan_in_arm(member, plan, game) if is_study(member.room) else plan
