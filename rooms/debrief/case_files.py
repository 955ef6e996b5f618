"""A case's gradebook, one row for each member, and its packages, one row for each offer."""

import csv
import io
from collections.abc import Iterable, Sequence
from statistics import fmean

from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import Side
from bazaarbatna.cases.case import Case
from negotiation.cases.seats import ROLE_OF
from rooms.debrief.cases import Settled
from rooms.debrief.feedback import NOTHING, Beside
from rooms.debrief.games import SIDES
from rooms.debrief.gradebook import decided, say
from rooms.models import Member
from rooms.spreadsheets import safe_text

Own = tuple[Settled, Side]


def own_games(games: Iterable[Settled]) -> dict[int, list[Own]]:
    """Return by number what each member played, and in which role."""
    own: dict[int, list[Own]] = {}
    for game in games:
        for side in SIDES:
            number = game.chair(side).member
            if number is not None:
                own.setdefault(number, []).append((game, side))
    return own


def mean_share(played: Iterable[Own]) -> float | None:
    """Return the mean of what a person earned, 0..1; None where no game counts."""
    shares = [share for game, side in played if (share := game.earned(side)) is not None]
    return fmean(shares) if shares else None


def gradebook(
    members: Iterable[Member], games: Sequence[Settled], beside: Beside = NOTHING
) -> bytes:
    """Write the file, in UTF-8 with the mark by which spreadsheets know it."""
    own = own_games(games)
    heads = [
        gettext("Number"),
        gettext("Nickname"),
        gettext("Games"),
        gettext("Deals"),
        gettext("Mean own points"),
        gettext("Mean own share, percent"),
        gettext("Points of both, percent of the most"),
        gettext("Deals on the frontier"),
        gettext("Deals worse than none"),
        gettext("Finished by a program"),
        gettext("Broken off"),
        say("good_decisions_percent"),
        *beside.heads,
    ]
    rows = [
        [
            *(str(member.number), safe_text(member.nickname)),
            *_figures(own.get(member.number, [])),
            *beside.cells.get(member.number, ()),
        ]
        for member in members
    ]
    return _file([heads, *rows])


def _figures(played: Sequence[Own]) -> list[str]:
    counted = [
        (game, side)
        for game, side in played
        if not game.is_broken_off and not game.chair(side).helped
    ]
    share = mean_share(played)
    return [
        str(len(counted)),
        str(sum(game.is_deal for game, _ in counted)),
        f"{fmean(game.gained(side) for game, side in counted):.1f}" if counted else "",
        "" if share is None else f"{share * 100:.1f}",
        f"{fmean(game.part for game, _ in counted) * 100:.1f}" if counted else "",
        str(sum(game.is_on_frontier for game, _ in counted)),
        str(sum(game.is_loss(side) for game, side in counted if game.is_deal)),
        str(sum(game.chair(side).helped for game, side in played)),
        str(sum(game.is_broken_off for game, _ in played)),
        decided(game.decided_well(side) for game, side in played),
    ]


def packages(case: Case, games: Iterable[Settled]) -> bytes:
    """Write every move of every finished game with the package it names and its points for both.

    An issue that an offer leaves open is an empty cell, and it brings no points.
    """
    keys = [issue.key for issue in case.issues]
    heads = ["game", "round", "move", "role", "member", "by", "kind", *keys]
    rows = [[*heads, "points_a", "points_b", "is_deal", "words"]]
    for game in games:
        for number, turn in enumerate(game.turns, start=1):
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
    return _file(rows)


def _file(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode("utf-8-sig")
