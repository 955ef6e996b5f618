"""The gradebook: one row for each member, as a file that spreadsheets open rightly."""

import csv
import io
from collections.abc import Iterable, Sequence
from statistics import fmean

from bazaarbatna.bargain.quantities import Side
from negotiation.sentences import sentences
from rooms.debrief.feedback import NOTHING, Beside
from rooms.debrief.games import SIDES, FinishedGame
from rooms.models import Member
from rooms.spreadsheets import safe_text

say = sentences(__file__)

Own = tuple[FinishedGame, Side]


def gradebook(
    members: Iterable[Member], games: Sequence[FinishedGame], beside: Beside = NOTHING
) -> bytes:
    """Write the file, in UTF-8 with the mark by which spreadsheets know it."""
    own = own_games(games)
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow([*_heads(), *beside.heads])
    for member in members:
        played = own.get(member.number, [])
        figures = [*_figures(played), *beside.cells.get(member.number, ())]
        lines.writerow([member.number, safe_text(member.nickname), *figures])
    return text.getvalue().encode("utf-8-sig")


def own_games(games: Iterable[FinishedGame]) -> dict[int, list[Own]]:
    """Return by number what each member played, and on which side."""
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


def _counts(game: FinishedGame, side: Side) -> bool:
    return not game.chair(side).helped and not game.is_broken_off


def _heads() -> list[str]:
    return [
        say("number"),
        say("nickname"),
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


def _figures(played: Sequence[Own]) -> list[object]:
    """Sum up what a person did: deals alone, games with a program and broken off ones apart."""
    helped = [game for game, side in played if game.chair(side).helped]
    broken = [game for game, _ in played if game.is_broken_off]
    counted = [(game, side) for game, side in played if _counts(game, side)]
    share = mean_share(played)
    return [
        len(counted),
        sum(game.is_deal for game, _ in counted),
        "" if share is None else f"{share * 100:.1f}",
        f"{sum(game.surplus(side) for game, side in counted):.2f}",
        sum(game.is_missed for game, _ in counted),
        sum(game.is_rightly_left for game, _ in counted),
        len(helped),
        len(broken),
        *(_moves(played, by) for by in ("person", "policy")),
        decided(game.decided_well(side) for game, side in played),
    ]


def decided(well: Iterable[bool | None]) -> str:
    """Say in percent how many of a person's decisions were right; "" where there were none."""
    found = [one for one in well if one is not None]
    return f"{fmean(found) * 100:.1f}" if found else ""


def _moves(played: Sequence[Own], by: str) -> int:
    return sum(move.side == side and move.by == by for game, side in played for move in game.moves)
