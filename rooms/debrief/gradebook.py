"""The gradebook: one row for each member, as a file that spreadsheets open rightly.

Of a case also its packages, one row for each move.
"""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Any, TypeVar

from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import Side
from bazaarbatna.cases.case import Case
from negotiation.cases.seats import ROLE_OF
from negotiation.sentences import sentences
from rooms.debrief.cases import Settled
from rooms.debrief.feedback import NOTHING, Beside
from rooms.debrief.games import SIDES, FinishedGame, Played
from rooms.models import Member
from rooms.spreadsheets import csv_file, safe_text

say = sentences(__file__)

AnyGame = TypeVar("AnyGame", bound=Played[Any])
Own = tuple[AnyGame, Side]


def gradebook(
    members: Iterable[Member], games: Sequence[FinishedGame], beside: Beside = NOTHING
) -> bytes:
    """Write the file of sales."""
    return _filled(members, games, _heads(), _figures, beside)


def _filled(
    members: Iterable[Member],
    games: Iterable[AnyGame],
    heads: Sequence[str],
    figures: Callable[[Sequence[Own[AnyGame]]], Sequence[str]],
    beside: Beside,
) -> bytes:
    """Write a gradebook: ``figures`` of a person's own games stand under ``heads``."""
    own = own_games(games)
    rows = [
        [
            *(str(member.number), safe_text(member.nickname)),
            *figures(own.get(member.number, [])),
            *beside.cells.get(member.number, ()),
        ]
        for member in members
    ]
    return csv_file([[say("number"), say("nickname"), *heads, *beside.heads], *rows])


def own_games(games: Iterable[AnyGame]) -> dict[int, list[Own[AnyGame]]]:
    """Return by number what each member played, and on which side."""
    own: dict[int, list[Own[AnyGame]]] = {}
    for game in games:
        for side in SIDES:
            number = game.chair(side).member
            if number is not None:
                own.setdefault(number, []).append((game, side))
    return own


def mean_share(played: Iterable[Own[Any]]) -> float | None:
    """Return the mean of what a person earned, 0..1; None where no game counts."""
    shares = [share for game, side in played if (share := game.earned(side)) is not None]
    return fmean(shares) if shares else None


def _counted(played: Sequence[Own[AnyGame]]) -> list[Own[AnyGame]]:
    """Return the games that a person played alone and to the end."""
    return [
        (game, side)
        for game, side in played
        if not game.chair(side).helped and not game.is_broken_off
    ]


def _heads() -> list[str]:
    return [
        say("games"),
        say("deals"),
        say("mean_own_share_percent"),
        say("own_surplus_rupees"),
        say("missed_deals"),
        say("rightly_left_without_a_deal"),
        say("finished_by_a_program"),
        say("broken_off"),
        say("own_moves"),
        say("moves_by_a_program"),
        say("good_decisions_percent"),
    ]


def _figures(played: Sequence[Own[FinishedGame]]) -> list[str]:
    """Sum up what a person did: deals alone, games with a program and broken off ones apart."""
    own = _counted(played)
    return [
        str(len(own)),
        str(sum(game.is_deal for game, _ in own)),
        _percent_earned(played),
        f"{sum(game.surplus(side) for game, side in own):.2f}",
        str(sum(game.is_missed for game, _ in own)),
        str(sum(game.is_rightly_left for game, _ in own)),
        *_unfinished(played),
        *(str(_moves(played, by)) for by in ("person", "policy")),
        _decided(played),
    ]


def _percent_earned(played: Sequence[Own[Any]]) -> str:
    """Write the mean of what a person earned in percent; "" where no game counts."""
    share = mean_share(played)
    return "" if share is None else f"{share * 100:.1f}"


def _unfinished(played: Sequence[Own[Any]]) -> tuple[str, str]:
    """Write how many games a program finished, and how many were broken off."""
    helped = sum(game.chair(side).helped for game, side in played)
    return str(helped), str(sum(game.is_broken_off for game, _ in played))


def _decided(played: Sequence[Own[Any]]) -> str:
    """Say in percent how many of a person's decisions were right; "" where there were none."""
    told = (game.decided_well(side) for game, side in played)
    found = [one for one in told if one is not None]
    return f"{fmean(found) * 100:.1f}" if found else ""


def _moves(played: Sequence[Own[FinishedGame]], by: str) -> int:
    return sum(move.side == side and move.by == by for game, side in played for move in game.moves)


def case_gradebook(
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
    return _filled(members, games, heads, _case_figures, beside)


def _case_figures(played: Sequence[Own[Settled]]) -> list[str]:
    own = _counted(played)
    return [
        str(len(own)),
        str(sum(game.is_deal for game, _ in own)),
        f"{fmean(game.gained(side) for game, side in own):.1f}" if own else "",
        _percent_earned(played),
        f"{fmean(game.part for game, _ in own) * 100:.1f}" if own else "",
        str(sum(game.is_on_frontier for game, _ in own)),
        str(sum(game.is_loss(side) for game, side in own if game.is_deal)),
        *_unfinished(played),
        _decided(played),
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
