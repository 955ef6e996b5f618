"""The pages of cases: a shelf, a start, a table that is also the end."""

from typing import Any

from django.core.signing import BadSignature, Signer
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bazaarbatna.bargain.errors import GameError
from bazaarbatna.cases.case import ROLES, Case, file_of, other
from negotiation.bargain.terms import terms_of, way_before
from negotiation.bargain.web import feelings
from negotiation.cases import seats
from negotiation.cases.game import CASE, Dealt
from negotiation.cases.own import cases
from negotiation.cases.reading import read_words
from negotiation.cases.table import asked_move, case_context, table_context
from negotiation.errors import RateLimited
from negotiation.games.event_log import game_row
from negotiation.games.turn_play import open_game, opponents_move, play
from negotiation.games.visitors import visitor
from negotiation.games.wire_errors import REFUSALS, refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.models import CLOSED, Game


@require_safe
def shelf(request: HttpRequest) -> HttpResponse:
    """Show the cases."""
    return render(request, "cases/shelf.html", {"cases": [*map(case_context, cases().values())]})


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, case: str) -> HttpResponse:
    """Show what both know of a case and its roles; a post sits down in one of them."""
    if (found := cases().get(case)) is None:
        raise Http404
    if request.method != "POST":
        return render(request, "cases/start.html", case_context(found))
    return begun(request, found, "cases/start.html", case_context(found))


@require_safe
def file(request: HttpRequest, case: str) -> HttpResponse:
    """Give a case of the shelf as its file, to change."""
    if case not in cases():
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="{case}.toml"'}
    return HttpResponse(file_of(case), content_type="application/toml", headers=headers)


def begun(request: HttpRequest, case: Case, template: str, context: dict[str, Any]) -> HttpResponse:
    """Begin a game of a case in the seat that was chosen, or say on the same page why not."""
    seat = request.POST.get("seat", "")
    if seat not in ROLES:
        return render(request, template, {**context, "no_seat": True}, status=422)
    client = request_key(request)
    try:
        spend("games", client)
    except RateLimited as wrong:
        return render(request, template, {**context, "problem": wrong.detail}, status=429)
    game = open_game(
        CASE.kinds[0],
        visitor(request),
        seat,
        is_public=False,
        client=client,
        deal=lambda seed: Dealt(seed, case, talks_freely="friend" in request.POST),
        title=case_context(case)["title"][:200],
        suite="" if case.reveal == "all" else CLOSED,
        terms={"rival_seat": other(seat)} if request.POST.get("friend") else {},
    )
    opponents_move(game.pk)
    return redirect("case-table", game.pk)


@require_safe
@never_cache
def table(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the table as the own role sees it, and when it is over how it ended."""
    way = _way_back(request, game_id)
    if not way:
        game, seat = own_game(request, game_id)
        way = way_before(game, visitor(request))
    if way:
        is_part = "HX-Request" in request.headers
        return HttpResponse(status=204, headers={"HX-Redirect": way}) if is_part else redirect(way)
    CASE.hear(game, seat)
    seats.look_after_all([game])
    opponents_move(game.pk)  # where a crash left it waiting
    context = table_context(game, seat)
    seen = f"{context['seq']}{'-away' if context.get('is_away') else ''}"
    if request.headers.get("HX-Request") and request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    if "" in CASE.people(game).values():
        context["link"] = request.build_absolute_uri(reverse("case-join", args=[chair(game)]))
    return render(request, "cases/table.html", context)


def _way_back(request: HttpRequest, game_id: str) -> str:
    """Return the page of the room where somebody gets the seat back that the house keeps."""
    reader = visitor(request)
    lost = Game.objects.filter(pk=game_id, gone=reader) if reader else Game.objects.none()
    return next((terms_of(game).back for game in lost), "")


def chair(game: Game) -> str:
    """Return the token of the other chair at a table: whoever has it may sit down."""
    return Signer(salt="case-chair").sign(game.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show whoever was sent a link what both know; a post sits down in the other role."""
    try:
        game = game_row(Signer(salt="case-chair").unsign(token))
    except BadSignature:
        raise Http404 from None
    if game is None:
        raise Http404
    reader = visitor(request)
    if CASE.seat_of(game, reader):
        return redirect("case-table", game.pk)
    if request.method == "POST" and reader:
        free = Game.objects.filter(pk=game.pk, rival="")
        if free.update(rival=reader):
            return redirect("case-table", game.pk)
    case, seat = CASE.position_of(game).state.case, game.terms["rival_seat"]
    context = case_context(case)
    context |= {"role": dict(context["roles"])[seat], "is_taken": bool(game.rival)}
    del context["guide"], context["remarks"]
    return render(request, "cases/join.html", context)


@require_POST
def move(request: HttpRequest, game_id: str) -> HttpResponse:
    """Take a move; ``read`` only fills the rows from the words and shows them."""
    game, seat = own_game(request, game_id)
    if request.POST.get("action") == "read":
        case = CASE.position_of(game).state.case
        filled = read_words(case, request.POST.get("text", ""))
        return _again(request, (game, seat), {"filled": filled, "has_read": True})
    if request.POST.get("action") == "end":
        if seats.is_left_waiting(game, seat):
            seats.close(game.pk, "absent", game.last_seq)
        return redirect("case-table", game.pk)
    try:
        spend("messages", visitor(request))
        told, seen = asked_move(game, request.POST)
        play(game.pk, visitor(request), told, seen)
        opponents_move(game.pk)
    except (GameError, *REFUSALS) as wrong:
        answer: Any = refusal(wrong)
        return _again(request, (game, seat), {"problem": answer["detail"]}, status_of(wrong))
    return redirect(reverse("case-table", args=[game.pk]) + "#table")


@require_POST
def answer(request: HttpRequest, game_id: str) -> HttpResponse:
    """Keep how a game was, one answer at a time, then show the questions as they stand."""
    game, seat = own_game(request, game_id)
    name, said = feelings.posted(request.POST)
    status = 200
    more: dict[str, Any] = {"said": said != feelings.TAKEN_BACK}
    try:
        spend("frames", visitor(request))
        feelings.answer(game.pk, visitor(request), name, said, side=seats.SIDE_OF[seat])
    except REFUSALS as wrong:
        status, more = status_of(wrong), {"problem": refusal(wrong), "problem_here": True}
    context = {**table_context(game, seat), **more}
    if not context.get("feelings"):
        raise Http404
    is_part = "HX-Request" in request.headers
    if status == 200 and not is_part:
        return redirect(reverse("case-table", args=[game.pk]) + "#feelings")
    page = "negotiation/_feelings_form.html" if is_part else "cases/table.html"
    return render(request, page, context, status=status)


def _again(
    request: HttpRequest, at: tuple[Game, str], more: dict[str, Any], status: int = 200
) -> HttpResponse:
    context = table_context(*at, request.POST, more.pop("filled", None))
    return render(request, "cases/table.html", {**context, **more}, status=status)


def own_game(request: HttpRequest, game_id: str) -> tuple[Game, str]:
    """Return a visitor's game of a case and the own seat in it, or raise Http404."""
    game = game_row(game_id)
    if game is None or game.kind not in CASE.kinds:
        raise Http404
    if not (seat := CASE.seat_of(game, visitor(request))):
        raise Http404
    return game, seat
