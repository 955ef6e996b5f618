"""The gradebook: one row for each member, as a file that spreadsheets open rightly.

Of a case also its packages, one row for each move.
"""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Any

from bazaarbatna.cases.case import Case
from negotiation.cases.seats import ROLE_OF
from negotiation.sentences import sentences
from rooms.debrief.cases import Part, Settled
from rooms.debrief.feedback import NOTHING, Beside
from rooms.debrief.games import AnyGame, FinishedGame, Own, own_games
from rooms.models import Member
from rooms.pages import csv_file, safe_text

say = sentences(__file__)


def gradebook(
    members: Iterable[Member],
    played: Sequence[tuple[Part, Sequence[Any]]],
    beside: Beside = NOTHING,
) -> bytes:
    """Write the file: beside each other what was played, each part under its title if several."""
    heads, tables = [], []
    for part, games in played:
        figures: Callable[[Any], dict[str, str]] = _case_figures if part.case else _figures
        before = f"{part.title}: " if len(played) > 1 else ""
        heads += [safe_text(f"{before}{say(name)}") for name in figures([])]
        tables.append((own_games(games), figures))
    rows = [
        [
            *(str(member.number), safe_text(member.nickname)),
            *(cell for own, of in tables for cell in of(own.get(member.number, [])).values()),
            *beside.cells.get(member.number, ()),
        ]
        for member in members
    ]
    return csv_file([[say("number"), say("nickname"), *heads, *beside.heads], *rows])


def mean_share(played: Iterable[Own[Any]]) -> float | None:
    """Return the mean of what a person earned, 0..1; None where no game counts."""
    shares = [share for game, side in played if (share := game.earned(side)) is not None]
    return fmean(shares) if shares else None


def part_taken(own: dict[int, list[Own[AnyGame]]]) -> dict[int, float | None]:
    """Return by number in how many games each took part, of as many as anybody has, 0..1."""
    most = max(map(len, own.values()), default=1)
    return {
        number: sum(game.took_part(side) for game, side in played) / most
        for number, played in own.items()
    }


def _counted(played: Sequence[Own[AnyGame]]) -> list[Own[AnyGame]]:
    """Return the games that a person played alone and to the end."""
    return [
        (game, side)
        for game, side in played
        if not game.chair(side).helped and not game.is_broken_off
    ]


def _figures(played: Sequence[Own[FinishedGame]]) -> dict[str, str]:
    """Sum up what a person did: deals alone, games with a program and broken off ones apart."""
    own = _counted(played)
    return {
        **_deals(own),
        "mean_own_share_percent": _percent(mean_share(played)),
        "own_surplus_rupees": f"{sum(game.surplus(side) for game, side in own):.2f}",
        "missed_deals": str(sum(game.is_missed for game, _ in own)),
        "rightly_left_without_a_deal": str(sum(game.is_rightly_left for game, _ in own)),
        **_unfinished(played),
        "own_moves": _moves(played, "person"),
        "moves_by_a_program": _moves(played, "policy"),
        "good_decisions_percent": _percent(_decided(played)),
    }


def _case_figures(played: Sequence[Own[Settled]]) -> dict[str, str]:
    own = _counted(played)
    points = [game.gained(side) for game, side in own]
    return {
        **_deals(own),
        "mean_own_points": f"{fmean(points):.1f}" if points else "",
        "mean_own_share_percent": _percent(mean_share(played)),
        "points_of_both_percent": _percent(fmean(game.part for game, _ in own) if own else None),
        "deals_on_the_frontier": str(sum(game.is_on_frontier for game, _ in own)),
        "deals_worse_than_none": str(sum(g.is_loss(side) for g, side in own if g.is_deal)),
        **_unfinished(played),
        "good_decisions_percent": _percent(_decided(played)),
    }


def _deals(own: Sequence[Own[Any]]) -> dict[str, str]:
    return {"games": str(len(own)), "deals": str(sum(game.is_deal for game, _ in own))}


def _unfinished(played: Sequence[Own[Any]]) -> dict[str, str]:
    helped = sum(game.chair(side).helped for game, side in played)
    broken = sum(game.is_broken_off for game, _ in played)
    return {"finished_by_a_program": str(helped), "broken_off": str(broken)}


def _decided(played: Sequence[Own[Any]]) -> float | None:
    """Return which part of a person's decisions were right; None where there were none."""
    told = (game.decided_well(side) for game, side in played)
    found = [one for one in told if one is not None]
    return fmean(found) if found else None


def _percent(part: float | None) -> str:
    return "" if part is None else f"{part * 100:.1f}"


def _moves(played: Sequence[Own[FinishedGame]], by: str) -> str:
    made = (move for game, side in played for move in game.moves if move.side == side)
    return str(sum(move.by == by for move in made))


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
