"""What the pages of cases draw: only the own role's sheet and points, until the end opens more."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from markdown_it import MarkdownIt

from bazaarbatna.cases import play
from bazaarbatna.cases.case import Case, Issue, Number, Package, Value, other
from bazaarbatna.cases.packages import grid_of, missed, remarks
from negotiation.bargain.terms import Terms, terms_of
from negotiation.bargain.web import feelings
from negotiation.cases.chart import cloud
from negotiation.cases.game import CASE, language
from negotiation.cases.grading import costliest, graded
from negotiation.cases.seats import SIDE_OF, clocks_of, is_left_waiting, was_closed
from negotiation.models import Game
from negotiation.words import number_in

_markdown = MarkdownIt("commonmark", {"html": False}).disable(["link", "image", "autolink"])


def rendered(text: Mapping[str, str]) -> SafeString:
    """Return a text of a case as HTML in the reader's language; HTML in it is shown, not obeyed."""
    # The renderer escapes everything but its own few elements.
    html: SafeString = mark_safe(_markdown.render(in_language(text)))  # noqa: S308
    return html


def in_language(text: Mapping[str, str]) -> str:
    """Return words in the reader's language."""
    return play.words(dict(text), language())


def case_context(case: Case) -> dict[str, Any]:
    """Return what everybody may know of a case."""
    return {
        "case": case,
        "title": in_language(case.title),
        "lede": in_language(case.lede),
        "facts": rendered(case.facts),
        "guide": rendered(case.guide) if case.guide else "",
        "roles": [("a", in_language(case.a.name)), ("b", in_language(case.b.name))],
        "issues": [in_language(issue.label) for issue in case.issues],
        "remarks": remarks(case),
    }


def author_context(case: Case) -> dict[str, Any]:
    """Return what an author sees: both sheets, the points of both, the picture before any game."""
    grid = grid_of(case)
    both = [
        (
            in_language(issue.label),
            kind,
            [(play.written(case, issue, value, language()), a, b) for value, a, b in _some(issue)],
        )
        for issue, kind in zip(case.issues, grid.kinds(), strict=True)
    ]
    sides = [
        (in_language(side.name), rendered(side.sheet), side.outside) for side in (case.a, case.b)
    ]
    start, _ = play.start(case, 0)
    told = {
        "sides": sides,
        "points_of_both": both,
        "chart": cloud(start, "a", (sides[0][0], sides[1][0])),
        "packages": len(grid),
    }
    return {**case_context(case), **told}


def _some(issue: Issue) -> list[tuple[Value, float, float]]:
    values: list[Value] = [*issue.values]
    rows = list(zip(values, issue.points("a"), issue.points("b"), strict=True))
    step = -(-len(rows) // 8)
    return rows if step == 1 else [*rows[:-1:step], rows[-1]]


def table_context(
    game: Game, seat: str, sent: Mapping[str, str] | None = None, filled: Package | None = None
) -> dict[str, Any]:
    """Return what the page of a seat draws; ``sent`` is a form that came back, ``filled`` rows."""
    position = CASE.position_of(game)
    state = position.state
    case, terms = state.case, terms_of(game)
    theirs, mine = (state.standing.get(role, {}) for role in (other(seat), seat))
    context = {
        **case_context(case),
        "game": game,
        "seat": seat,
        "me": in_language(case.side(seat).name),
        "them": in_language(case.side(other(seat)).name),
        "sheet": rendered(case.side(seat).sheet),
        "outside": case.side(seat).outside,
        "left": (state.left + 1) // 2,
        "seq": position.seq,
        "has_offer": bool(theirs),
        "may_accept": not play.why_not(state, seat, play.Move("accept")),
        "theirs": case.points(seat, theirs),
        "theirs_open": not case.is_whole(theirs),
        "mine": case.points(seat, mine),
        "has_mine": bool(mine),
        "text": (sent or {}).get("text", ""),
        "longest": play.LONGEST_WORDS,
        "is_bare": terms.is_bare,
        "talks_freely": state.talks_freely,
        "talk": [_turn(event, seat) for event in position.events if play.move_of(event)],
        "terms": terms,
        "against_house": len(CASE.people(game)) == 1,
        "partner": game.names.get(SIDE_OF[other(seat)], "") if terms.persona_told else "",
    }
    if state.ended is None:
        context["rows"] = _rows(state, seat, _draft(state, seat, sent, filled))
        context["waits"] = state.turn != seat
        context["is_away"] = is_left_waiting(game, seat)
        # Of all times only that of the whole game runs opposite the house as well.
        runs_for_all = terms.clock_s and not (terms.move_s or terms.absent_s)
        context["due"] = _due(game) if terms.persona_told or runs_for_all else None
        del context["guide"], context["remarks"]  # they tell of both sides
        return context
    if was_closed(game):
        context["talk"][-1]["kind"] = "closed"
    if terms.feelings:
        context["feelings"] = feelings.asked_of(game, gettext("the other side"), SIDE_OF[seat])
    return {**context, **_ending(game, state, seat, _reveal(state, terms))}


def _due(game: Game) -> datetime | None:
    """Return until when whoever is to move has time; None: for as long as it takes."""
    clocks = clocks_of(game)
    seconds = None if clocks is None else clocks.shown_s
    return None if seconds is None else timezone.now() + timedelta(seconds=seconds)


def _reveal(state: play.State, terms: Terms) -> str:
    """Return what the end tells: the table's terms say it in a room, else the case."""
    assert state.ended is not None
    if not terms.back:
        return state.ended.reveal
    return "all" if terms.tells_all else terms.reveal


def asked_move(game: Game, sent: Mapping[str, str]) -> tuple[dict[str, Any], int | None]:
    """Return the move that a form asks for, and the last event it knew; the rules check both."""
    case = CASE.position_of(game).state.case
    action = sent.get("action", "")
    told: dict[str, Any] = {"action": action, "text": sent.get("text", "").strip()}
    if action == "offer":
        told["package"] = _package(case, sent)
    return told, number_in(sent.get("seen", ""))


def _package(case: Case, sent: Mapping[str, str]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for issue in case.issues:
        value = sent.get(f"issue-{issue.key}", "").replace(",", "").strip()
        if not value:
            continue
        is_number = isinstance(issue, Number) and value.lstrip("-").isdecimal() and len(value) < 12
        found[issue.key] = int(value) if is_number else value
    return found


def _draft(
    state: play.State, seat: str, sent: Mapping[str, str] | None, filled: Package | None
) -> Mapping[str, Value]:
    case = state.case
    if sent is not None:
        return {**_package(case, sent), **(filled or {})}
    if mine := state.standing.get(seat):
        return mine
    return {
        issue.key: issue.values[issue.points(seat).index(max(issue.points(seat)))]
        for issue in case.issues
    }


def _rows(state: play.State, seat: str, draft: Mapping[str, Value]) -> list[dict[str, Any]]:
    before = [event.package for event in state.history if event.seat != seat]
    theirs, mine = state.standing.get(other(seat), {}), state.standing.get(seat, {})
    was = before[-2] if len(before) > 1 else None
    rows = []
    for issue in state.case.issues:
        points = dict(zip(map(str, issue.values), issue.points(seat), strict=True))
        row: dict[str, Any] = {
            "key": issue.key,
            "label": in_language(issue.label),
            "draft": draft.get(issue.key, ""),
            "theirs": _cell(state.case, issue, theirs, points),
            "mine": _cell(state.case, issue, mine, points),
            "is_new": was is not None and theirs.get(issue.key) != was.get(issue.key),
            "points": json.dumps(points, separators=(",", ":")),
        }
        if isinstance(issue, Number):
            row |= {"low": issue.low, "high": issue.high, "step": issue.step}
            row["ends"] = [_end(state.case, issue, at, points) for at in (issue.low, issue.high)]
            row["unit"] = play.SIGNS.get(state.case.currency, "") if issue.money else ""
            row["after"] = "" if issue.money else in_language(issue.unit or {"": ""})
            row["best"] = max(points.values())
        else:
            row["options"] = [
                (value, play.written(state.case, issue, value, language()), points[value])
                for value in issue.values
            ]
        rows.append(row)
    return rows


def _end(case: Case, issue: Issue, at: int, points: Mapping[str, float]) -> tuple[str, float]:
    return play.written(case, issue, at, language()), points[str(at)]


def _cell(
    case: Case, issue: Issue, package: Package, points: Mapping[str, float]
) -> tuple[str, float] | None:
    if issue.key not in package:
        return None
    value = package[issue.key]
    return play.written(case, issue, value, language()), points[str(value)]


def _turn(event: Any, seat: str) -> dict[str, Any]:
    return {
        "kind": type(event).__name__.lower(),
        "own": event.seat == seat,
        "who": in_language(event.who),
        "text": event.text,
        "terms": in_language(getattr(event, "terms", {"": ""})),
    }


def _ending(game: Game, state: play.State, seat: str, reveal: str) -> dict[str, Any]:
    case, ended = state.case, state.ended
    assert ended is not None
    told: dict[str, Any] = {
        "ended": ended,
        "deal": play.in_words(case, ended.package, language()),
    }
    if reveal != "price":
        told["points"] = ended.points[seat]
        told["is_loss"] = ended.points[seat] < case.side(seat).outside
    if reveal != "all":
        return told
    grid = grid_of(case)
    trade = missed(case, ended.package) if ended.package else None
    best = grid.package(grid.best_joint)
    told |= {
        "their_points": ended.points[other(seat)],
        "joint": ended.points["a"] + ended.points["b"],
        "most": max(float(grid.joint[grid.best_joint]), sum(case.side(r).outside for r in "ab"))
        if not grid.is_better.any()
        else float(grid.joint[grid.best_joint]),
        "best": play.in_words(case, best, language()) if grid.is_better.any() else "",
        "chart": cloud(state, seat),
        "their_sheet": rendered(case.side(other(seat)).sheet),
        "their_outside": case.side(other(seat)).outside,
        "both": [_both(case, issue, ended.package, seat) for issue in case.issues],
    }
    told |= _graded(game, case, seat)
    if trade is not None:
        told["trade"] = {
            "terms": play.in_words(case, trade.changes, language()),
            "mine": trade.gains[seat],
            "theirs": trade.gains[other(seat)],
        }
    return told


def _graded(game: Game, case: Case, seat: str) -> dict[str, Any]:
    """Return at which moves points were left, and where the own ones left most."""
    moves = graded(case, CASE.position_of(game).events)
    rows = [
        {
            "seq": one.seq,
            "own": one.seat == seat,
            "who": in_language(case.side(one.seat).name),
            "action": one.action,
            "terms": play.in_words(case, one.package, language()),
            "mine": one.points[seat],
            "theirs": one.points[other(seat)],
            "left": one.left,
            "better": play.in_words(case, one.better, language()),
        }
        for one in moves
    ]
    worst = costliest(moves, seat)
    return {
        "moves": rows,
        "worst": next((r for r in rows if worst and r["seq"] == worst.seq), None),
    }


def _both(case: Case, issue: Issue, deal: Package, seat: str) -> dict[str, Any]:
    """Return the points of both on an issue: of the deal, and the most there was."""
    mine, theirs = issue.points(seat), issue.points(other(seat))
    at = list(issue.values).index(deal[issue.key]) if deal else None
    return {
        "label": in_language(issue.label),
        "value": "" if at is None else play.written(case, issue, issue.values[at], language()),
        "mine": None if at is None else mine[at],
        "theirs": None if at is None else theirs[at],
        "mine_most": max(mine),
        "theirs_most": max(theirs),
    }
