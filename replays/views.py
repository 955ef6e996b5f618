"""The pages of a finished game: scrub it, ask what if, take it home."""

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec
from django import forms
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from arena.auction.web.game import AUCTION
from negotiation.bargain.game import SALE
from negotiation.games.fork import fork, is_made
from negotiation.games.game import AnyGame, Choice, Frame, Told, game_of
from negotiation.games.turn_game import TurnGame, turn_game
from negotiation.games.visitors import visitor
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.models import Game
from negotiation.sentences import sentences
from replays.finished import NOTHING_HERE, calls_you, finished, replay_frames
from replays.fork.forms import ForkForm, TurnForkForm, problem_of
from replays.fork.page import what_if_context
from replays.grade.views import grades_context
from replays.player.page import arena_player, player, standing_at
from replays.preview.views import share_context
from replays.transfer.export import etag, taken_home, to_json

say = sentences(__file__)


class MatchStep(msgspec.Struct, frozen=True):
    """One event in words; ``moves``: what its mover could have done instead, as JSON and words."""

    index: int
    seq: int
    last_seq: int
    words: str
    moves: tuple[tuple[str, str], ...] = ()


def _turn_player(
    game: Game, rules: TurnGame[Any, Any, Any, Any], frames: Sequence[Frame], at: int | None
) -> dict[str, Any]:
    events = rules.position_of(game).events
    scenario = rules.scenario_of(game.pk)
    steps = tuple(
        MatchStep(
            index,
            frame["seq"],
            frame["seq"],
            rules.words(frame["event"]),
            _moves(rules, scenario, events, frame["seq"]),
        )
        for index, frame in enumerate(frames)
    )
    return {"game": game, "rules": rules, "steps": steps, **standing_at(steps, at)}


def _moves(
    rules: TurnGame[Any, Any, Any, Any], scenario: Any, events: Sequence[Any], seq: int
) -> tuple[tuple[str, str], ...]:
    told = rules.move_of(events[seq - 1])
    if told is None:
        return ()
    seat, made = told
    state = rules.fold(scenario, events[: seq - 1])
    return tuple(
        (msgspec.json.encode(move).decode(), rules.named(state, seat, move))
        for move in rules.tries(state, seat, made)
    )


class Page:
    """A replay page without a picture of its own: one step for each thing that happened."""

    template: ClassVar[str] = "replays/turns.html"
    form: ClassVar[type[forms.Form]] = TurnForkForm

    def context(
        self, request: HttpRequest, game: Game, owner: str, at: int | None, attempt: str
    ) -> dict[str, Any]:
        """Return what the template draws; ``at`` and ``attempt`` as for ``show``."""
        return _turn_player(game, turn_game(game.kind), replay_frames(game, owner), at)

    def choice(self, form: forms.Form) -> Choice:
        """Return the move that a valid form names."""
        return Told("move", move=form.cleaned_data["move"])

    def problem(self, form: forms.Form) -> str:
        """Say in one sentence what is wrong with a form."""
        return say("choose_one_of_the_moves_that")


class SalePage(Page):
    """Two sides: paths of prices, tells, grades, a picture to share."""

    template = "replays/replay.html"
    form = ForkForm

    def context(
        self, request: HttpRequest, game: Game, owner: str, at: int | None, attempt: str
    ) -> dict[str, Any]:
        """Return what the template draws."""
        frames = replay_frames(game, owner)
        drawn = self.drawn(game, owner, frames, at, attempt)
        drawn |= grades_context(game, owner, frames)
        # What other sites are told is the same whoever asks: nobody is "You" in it.
        plain = replay_frames(game) if calls_you(frames) else frames
        return drawn | share_context(request, game, drawn["here"], plain)

    def drawn(
        self, game: Game, owner: str, frames: Sequence[Frame], at: int | None, attempt: str
    ) -> dict[str, Any]:
        """Return the game's own part of the page."""
        forks = what_if_context(game, owner, None if at is None else (at, attempt))
        return player(game, frames, at, forks.get("ghost")) | forks

    def choice(self, form: forms.Form) -> Choice:
        """Return the move that a valid form names."""
        assert isinstance(form, ForkForm)
        return form.choice()

    def problem(self, form: forms.Form) -> str:
        """Say in one sentence what is wrong with a form."""
        assert isinstance(form, ForkForm)
        return problem_of(form)


class MatchPage(SalePage):
    """One seller and several buyers: lanes, envelopes, attention."""

    template = "replays/arena.html"

    def drawn(
        self, game: Game, owner: str, frames: Sequence[Frame], at: int | None, attempt: str
    ) -> dict[str, Any]:
        """Return the match's own part of the page."""
        return arena_player(game, owner, frames, at)


_PAGES: dict[AnyGame, Page] = {SALE: SalePage(), AUCTION: MatchPage()}
_plain = Page()


def _page_of(game: Game) -> Page:
    return _PAGES.get(game_of(game.kind), _plain)


@require_safe
def replay(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show one finished game at the event that ``?seq=`` names, else at its start."""
    game = finished(request, game_id)
    seq = request.GET.get("seq", "")
    at = int(seq) if seq.isascii() and seq.isdecimal() and len(seq) < 10 else None
    return show(request, game, at, request.GET.get("try", "")[:24])


def show(
    request: HttpRequest, game: Game, at: int | None, attempt: str = "", **more: Any
) -> HttpResponse:
    """Draw the replay page of a game at event ``at``, None for the start.

    ``attempt`` is the price in the what-if form there; ``more`` is what else the page says.
    """
    page = _page_of(game)
    context = page.context(request, game, visitor(request), at, attempt)
    return render(request, page.template, context | more)


@require_POST
def what_if(request: HttpRequest, game_id: str) -> HttpResponse:
    """Put another move into a finished game and show how it goes on."""
    game = finished(request, game_id)
    page = _page_of(game)
    form = page.form(request.POST)
    if not form.is_valid():
        return _refused(request, game, form, page.problem(form), 422)
    seq, choice, client = form.cleaned_data["seq"], page.choice(form), request_key(request)
    try:
        if is_made(game, seq, choice):
            return _refused(request, game, form, say("as_it_was"), 422)
        spend("forks", client)
        child = fork(game, seq, choice, visitor(request), client=client)
    except REFUSALS as wrong:
        detail = refusal(wrong)["detail"]
        return _refused(request, game, form, detail, status_of(wrong))
    return redirect(f"/replays/{child.pk}/?seq={child.forked_at_seq}")


@require_safe
def replay_json(request: HttpRequest, game_id: str) -> HttpResponse:
    """Send one finished game as a file that can be checked without this site."""
    try:
        game = finished(request, game_id)
    except Http404:
        error = {"code": "unknown-game", "detail": gettext(NOTHING_HERE)}
        return JsonResponse({"error": error}, status=404)
    body = to_json(taken_home(game))
    response = HttpResponse(body, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="bazaarbatna-{game.pk}.json"'
    # Private: the answer depends on the visitor's cookie, so no shared cache may keep it.
    response["Cache-Control"] = "private, no-cache"
    response["ETag"] = etag(body)
    patch_vary_headers(response, ["Cookie"])
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def _refused(
    request: HttpRequest, game: Game, form: forms.Form, problem: str, status: int
) -> HttpResponse:
    seq = form.cleaned_data.get("seq")
    more: dict[str, Any] = {"problem": problem, "problem_at": seq}
    response = show(request, game, seq, str(form.data.get("price", ""))[:24], **more)
    response.status_code = status
    return response
