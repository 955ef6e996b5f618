"""A case's gradebook, one row for each member, and its packages, one row for each offer."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from django.utils.translation import gettext

from bazaarbatna.cases.case import Case
from negotiation.cases.seats import ROLE_OF
from rooms.debrief.cases import Settled
from rooms.debrief.feedback import NOTHING, Beside
from rooms.debrief.gradebook import Own, counted, decided, filled, percent_earned, say, unfinished
from rooms.models import Member
from rooms.spreadsheets import csv_file, safe_text


def gradebook(
    members: Iterable[Member], games: Sequence[Settled], beside: Beside = NOTHING
) -> bytes:
    """Write the gradebook of a case."""
    heads = [
        say("games"),
        say("deals"),
        gettext("Mean own points"),
        say("mean_own_share_percent"),
        gettext("Points of both, percent of the most"),
        gettext("Deals on the frontier"),
        gettext("Deals worse than none"),
        say("finished_by_a_program"),
        say("broken_off"),
        say("good_decisions_percent"),
    ]
    return filled(members, games, heads, _figures, beside)


def _figures(played: Sequence[Own[Settled]]) -> list[str]:
    own = counted(played)
    return [
        str(len(own)),
        str(sum(game.is_deal for game, _ in own)),
        f"{fmean(game.gained(side) for game, side in own):.1f}" if own else "",
        percent_earned(played),
        f"{fmean(game.part for game, _ in own) * 100:.1f}" if own else "",
        str(sum(game.is_on_frontier for game, _ in own)),
        str(sum(game.is_loss(side) for game, side in own if game.is_deal)),
        *unfinished(played),
        decided(played),
    ]


def packages(case: Case, games: Iterable[Settled]) -> bytes:
    """Write every move of every finished game with the package it names and its points for both.

    An issue that an offer leaves open is an empty cell, and it brings no points.
    """
    keys = [issue.key for issue in case.issues]
    heads = ["game", "round", "move", "role", "member", "by", "kind", *keys]
    rows = [[*heads, "points_a", "points_b", "is_deal", "words"]]
    for game in games:
        for number, turn in enumerate(game.moves, start=1):
            named = game.package if turn.kind == "accept" else turn.package
            person = game.chair(turn.side).member if turn.by == "person" else None
            points = [f"{game.case.points(role, named):g}" if named else "" for role in ("a", "b")]
            rows.append(
                [
                    *(str(game.number), str(game.round), str(number), ROLE_OF[turn.side]),
                    *("" if person is None else str(person), turn.by, turn.kind),
                    *(str(named.get(key, "")) for key in keys),
                    *points,
                    str(int(turn.kind == "accept")),
                    safe_text(turn.text),
                ]
            )
    return csv_file(rows)
