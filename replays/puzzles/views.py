"""The pages of the puzzles: the first page, one puzzle, its answer, the game it comes from."""

import datetime as dt
import hashlib
from typing import Any

import msgspec
from django import forms
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bazaarbatna.bargain.episode import advance, start
from bazaarbatna.bargain.events import Ended, Event
from bazaarbatna.bargain.quantities import to_rupees
from negotiation.bargain.recorded import end_of
from negotiation.errors import RateLimited
from negotiation.games.event_log import row_of
from negotiation.games.visitors import visitor
from negotiation.limits import request_key, spend
from negotiation.models import EventRow, Game, SealedRecord, id_from
from negotiation.sentences import sentences
from replays.puzzles import progress
from replays.puzzles.own import is_due, own_lessons
from replays.puzzles.page import answer, board, theme_counts
from replays.puzzles.puzzle import THEMES, Puzzle, Theme, example, find, puzzles

say = sentences(__file__)

LABEL = "puzzle"
"""Stands for a version: nobody is asked again up to the turn of the puzzle, the log tells it."""


def is_stored(owner: str, puzzle: Puzzle) -> bool:
    """Whether the game lies among a visitor's replays already."""
    return Game.objects.filter(pk=_key(owner, puzzle)).exists()


def stored_for(owner: str, puzzle: Puzzle) -> str:
    """Return the address of the replay, at the puzzle's turn; the best price is filled in.

    Unless it is the price that was really named: the replay itself shows what came of that.
    """
    events, seqs = _log(puzzle)
    key = _key(owner, puzzle)
    if not is_stored(owner, puzzle):
        _store(key, owner, puzzle, events)
    best = puzzle.options[puzzle.best]
    is_new = best.price is not None and best.price != puzzle.moves[puzzle.at].price
    tried = f"&try={to_rupees(best.price or 0):.2f}".removesuffix(".00") if is_new else ""
    return f"{reverse('replay', args=[key])}?seq={seqs[puzzle.at]}{tried}#what-if"


def _key(owner: str, puzzle: Puzzle) -> str:
    return id_from(hashlib.sha256(f"{owner}:{puzzle.id}".encode()).digest())


def _log(puzzle: Puzzle) -> tuple[list[Event], list[int]]:
    """Return the events of the source game, and the number of each move's first event."""
    state, opening = start(puzzle.scenario)
    events, seqs = list(opening), []
    for said in puzzle.moves:
        seqs.append(len(events) + 1)
        state, happened = advance(state, said.move)
        events += happened
    return events, seqs


def _store(key: str, owner: str, puzzle: Puzzle, events: list[Event]) -> None:
    """Store the game with its log in one transaction; whoever comes second gets the first one."""
    ended, scenario = events[-1], puzzle.scenario
    assert isinstance(ended, Ended)
    sells = puzzle.seat == "seller"
    game = Game(
        **end_of(ended),
        id=key,
        kind="sell" if sells else "buy",
        owner=owner,
        seat=Game.Seat.SELLER if sells else Game.Seat.BUYER,
        title=scenario.item.title,
        category=scenario.item.category,
        description=scenario.item.condition,
        policy=puzzle.policy,
        policy_version=LABEL,
        source=Game.Source.SIMULATION,
        suite=scenario.suite,
        persona="" if sells else scenario.sealed.persona,
        last_seq=len(events),
        ended_at=timezone.now(),
    )
    rows = [row_of(game, seq, event) for seq, event in enumerate(events, start=1)]
    for row, event in zip(rows, events, strict=True):
        if getattr(event, "actor", puzzle.seat) != puzzle.seat:
            row.backend, row.policy_version = "rules", LABEL
    try:
        with transaction.atomic():
            game.save(force_insert=True)
            SealedRecord.objects.create(game=game, scenario=msgspec.json.encode(scenario))
            EventRow.objects.bulk_create(rows)
    except IntegrityError:
        # A second press, while the first one was stored.
        Game.objects.only("pk").get(pk=key)


NOTHING_HERE = say.text("nothing_here")

SET = "puzzle-set"
"""The field of a session with the address that leads on in a set of puzzles."""


class AnswerForm(forms.Form):
    """The place of the chosen move, from 0."""

    choice = forms.IntegerField(min_value=0, max_value=4)


@never_cache
@require_safe
def first_page(request: HttpRequest) -> HttpResponse:
    """Show how one stands, and start with one press."""
    owner = visitor(request)
    done = progress.answered(owner) & puzzles().keys()
    own = list(own_lessons(owner).exclude(puzzle=None))
    due = list(filter(is_due, own))
    context = {
        "score": progress.score_of(owner),
        "themes": theme_counts(done),
        "left": len(puzzles()) - len(done),
        "example": board(example()),
        "own": len(own),
        "own_due": len(due),
        "first_due": due[0] if due else None,
    }
    return render(request, "puzzles/first.html", context)


@never_cache
@require_safe
def next_one(request: HttpRequest) -> HttpResponse:
    """Lead to a puzzle near the visitor's rating; where a theme is asked for, to one of it.

    Who solves a set is led on by whoever set it.
    """
    if way := request.session.get(SET):
        return redirect(way)
    theme = _theme(request)
    found = progress.next_puzzle(visitor(request), theme)
    if found is None:
        return redirect("puzzles")
    return redirect(_address(found, theme))


@never_cache
@require_safe
def one_puzzle(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Show a puzzle, or its answer to whoever has answered it."""
    puzzle, owner = _puzzle(puzzle_id), visitor(request)
    shown, theme = board(puzzle), _theme(request)
    context: dict[str, Any] = {
        "board": shown,
        "score": progress.score_of(owner),
        "theme": theme,
        "seconds": progress.SECONDS,
        "set": request.session.get(SET, ""),
    }
    made = progress.answered_try(owner, puzzle)
    if made is not None:
        told = answer(puzzle, shown, made.choice)
        return render(request, "puzzles/answer.html", context | {"answer": told, "made": made})
    looked_at = _first_look(request, puzzle, owner)
    context["left"] = progress.seconds_left(looked_at or timezone.now())
    response = render(request, "puzzles/puzzle.html", context)
    if looked_at is None:
        _start_clock(response, puzzle, owner)
    return response


@require_POST
def take_answer(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Take the one answer that counts; what is unreadable, or comes before a look, asks again."""
    puzzle, form = _puzzle(puzzle_id), AnswerForm(request.POST)
    try:  # everybody's answers rate the puzzle
        spend("messages", request_key(request))
    except RateLimited as wrong:
        return _wait(request, puzzle, wrong)
    response = redirect(_address(puzzle, _theme(request)))
    if form.is_valid() and form.cleaned_data["choice"] < len(puzzle.options):
        looked_at = _first_look(request, puzzle, request.session.session_key or "")
        if looked_at is not None:  # else nothing comes of it, and nobody is stored for it
            progress.answer(visitor(request), puzzle, form.cleaned_data["choice"], looked_at)
            response.delete_cookie(_clock(puzzle), path=reverse("puzzle", args=[puzzle.id]))
    return response


@require_POST
def source_game(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Lead to the game that an answered puzzle comes from, at its turn, with a move filled in."""
    puzzle, owner = _puzzle(puzzle_id), visitor(request)
    if puzzle.id not in progress.answered(owner):
        raise Http404(say("nothing_here"))
    if not is_stored(owner, puzzle):
        try:
            spend("forks", request_key(request))
        except RateLimited as wrong:
            return _wait(request, puzzle, wrong)
    return redirect(stored_for(owner, puzzle))


def _clock(puzzle: Puzzle) -> str:
    """Name the cookie with the moment of the first look, so that looking stores nothing.

    It is signed for one visitor and one puzzle. Whoever drops it begins anew, as does whoever looks
    through another browser first: no site can tell.
    """
    return f"puzzle_{puzzle.id}"


def _first_look(request: HttpRequest, puzzle: Puzzle, owner: str) -> dt.datetime | None:
    told = request.get_signed_cookie(_clock(puzzle), None, salt=owner)
    return None if told is None else dt.datetime.fromisoformat(told)


def _start_clock(response: HttpResponse, puzzle: Puzzle, owner: str) -> None:
    response.set_signed_cookie(
        _clock(puzzle),
        timezone.now().isoformat(),
        salt=owner,
        max_age=settings.SESSION_COOKIE_AGE,
        path=reverse("puzzle", args=[puzzle.id]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite=settings.SESSION_COOKIE_SAMESITE,
    )


def _wait(request: HttpRequest, puzzle: Puzzle, wrong: RateLimited) -> HttpResponse:
    """Say when to come back, and lead to the puzzle."""
    context = {"problem": str(wrong.args[0]), "back": _address(puzzle, _theme(request))}
    response = render(request, "puzzles/wait.html", context, status=429)
    response["Retry-After"] = str(wrong.retry_after_s)
    return response


def _puzzle(puzzle_id: str) -> Puzzle:
    found = find(puzzle_id)
    if found is None:
        raise Http404(say("nothing_here"))
    return found


def _theme(request: HttpRequest) -> Theme | None:
    asked = request.GET.get("theme", "")
    return next((theme for theme in THEMES if theme == asked), None)


def _address(puzzle: Puzzle, theme: Theme | None) -> str:
    url = reverse("puzzle", args=[puzzle.id])
    return f"{url}?theme={theme}" if theme else url
