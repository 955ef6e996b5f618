"""A game with a friend: one waits behind a link, whoever opens it sits down."""

from typing import Any

from django import forms
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from bazaarbatna.bargain.quantities import Paise, other, to_rupees
from bazaarbatna.money import rupees_text
from negotiation.bargain import pairs, sessions
from negotiation.bargain.guests import new_key
from negotiation.bargain.pairs import pair_scenario
from negotiation.bargain.scenarios import MAX_ROUNDS, whole_rupees
from negotiation.bargain.terms import Terms
from negotiation.bargain.web.forms import PriceField
from negotiation.bargain.web.game_page import WITH_FRIEND, half_way, listing_or_404, show
from negotiation.bargain.web.listing_search import offered
from negotiation.bargain.web.listings import featured
from negotiation.errors import RateLimited
from negotiation.games.visitors import visitor
from negotiation.games.wire_errors import refusal, status_of
from negotiation.limits import request_key, spend
from negotiation.models import Game, Invitation, Listing
from negotiation.names import name_key
from negotiation.qr import square
from negotiation.sentences import sentences
from negotiation.words import clean, clean_line

say = sentences(__file__)

LONGEST_NAME = 40
PATIENCE_S = 300
"""Who gives no sign of life for so long has left a friend's table."""

MOVE_S = 900
"""Who looks on and does not move for so long has left it, too."""

CLOCKS_S = (0, 180, 300, 600)
THINGS = 8
"""Of so many things one is chosen, where nobody came from the stall with one."""

OWN = "own"
"""Stands for a listing: the thing is described in the form."""

LEAST_ASKED = Paise(1_000)
ASKED_OF_WORTH = 1.4
"""An own thing is worth so much less than is asked for it: the mean of the catalogue."""


class NameForm(forms.Form):
    """What somebody is called at the table."""

    name = forms.CharField(
        max_length=LONGEST_NAME,
        error_messages={"required": say.lazy("what_shall_your_friend_call_you")},
    )

    def clean_name(self) -> str:
        """Return the name without what cannot be seen or would break a line."""
        name = clean_line(self.cleaned_data["name"])
        if not name:
            raise forms.ValidationError(say("what_shall_your_friend_call_you"))
        return name


class FriendForm(NameForm):
    """What whoever comes is called: the talk names both, so it is not as the one who waits."""

    def __init__(self, *args: Any, opposite: str) -> None:
        super().__init__(*args)
        self._opposite = opposite

    def clean_name(self) -> str:
        """Return a name that looks unlike the one opposite."""
        name = super().clean_name()
        mine, theirs = (name_key(one) or one for one in (name, self._opposite))
        if mine == theirs:
            raise forms.ValidationError(say("your_friend_is_called_so", name=name))
        return name


class InviteForm(NameForm):
    """Which seat to take oneself, and how much time each side has, in seconds; 0: any."""

    seat = forms.ChoiceField(choices=Game.Seat.choices)
    clock_s = forms.TypedChoiceField(
        choices=[(one, one) for one in CLOCKS_S], coerce=int, empty_value=None, required=False
    )

    def chosen(self) -> dict[str, Any]:
        """Return what the invitation keeps of a valid form."""
        kept = {name: self.cleaned_data[name] for name in ("name", "seat")}
        return {**kept, "clock_s": self.cleaned_data["clock_s"] or 0}


class OwnThingForm(InviteForm):
    """The same with a thing that one of the friends describes."""

    title = forms.CharField(
        max_length=80, error_messages={"required": say.lazy("what_is_it_called")}
    )
    description = forms.CharField(max_length=400, required=False)
    asking_price = PriceField(error_messages={"required": say.lazy("what_is_asked_for_it")})

    def clean_title(self) -> str:
        """Return the title on one line, without what cannot be seen."""
        title = clean_line(self.cleaned_data["title"])
        if not title:
            raise forms.ValidationError(say("what_is_it_called"))
        return title

    def clean_asking_price(self) -> Paise:
        """Refuse a price that leaves nothing to haggle over in whole rupees."""
        asking: Paise = self.cleaned_data["asking_price"]
        if asking < LEAST_ASKED:
            least = rupees_text(to_rupees(LEAST_ASKED))
            raise forms.ValidationError(say("ask_at_least_price", price=least))
        return asking

    def chosen(self) -> dict[str, Any]:
        """Return what the invitation keeps, the thing as the fields of a listing."""
        asking = self.cleaned_data["asking_price"]
        own = {
            "title": self.cleaned_data["title"],
            "description": clean(self.cleaned_data["description"]),
            "list_price": asking,
            "street_price": whole_rupees(asking / ASKED_OF_WORTH),
        }
        return {**super().chosen(), "own": own}


@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest) -> HttpResponse:
    """Show what two friends can haggle over; a post makes the link, and one waits behind it."""
    if request.method != "POST":
        chosen = request.GET.get("listing", "")
        return _asked(request, listing_or_404(chosen) if chosen else None)
    chosen = request.POST.get("listing", "")
    listing = None if chosen == OWN else listing_or_404(chosen)
    form = InviteForm(request.POST) if listing else OwnThingForm(request.POST)
    if not form.is_valid():
        return _asked(request, listing, form, 422)
    try:
        spend("games", request_key(request))
    except RateLimited as wrong:
        form.add_error(None, wrong.detail)
        return _asked(request, listing, form, 429)
    made = Invitation.objects.create(
        key=new_key(), owner=visitor(request), listing=listing, **form.chosen()
    )
    return redirect("invitation", made.key)


def _asked(
    request: HttpRequest,
    listing: Listing | None,
    form: InviteForm | None = None,
    status: int = 200,
) -> HttpResponse:
    picked = [] if listing else featured(timezone.now().toordinal(), THINGS)
    things = [offered(thing) for thing in picked]
    chosen = OWN if form and not listing else ""
    form = form or (None if listing else OwnThingForm())
    context = {"listing": listing, "things": things, "form": form, "chosen": chosen}
    context |= half_way(request)
    return render(request, "negotiation/invite.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invitation(request: HttpRequest, key: str) -> HttpResponse:
    """Show who waits; a friend's post opens the game, and both are led to it."""
    found = get_object_or_404(Invitation.objects.select_related("listing", "game", "after"), pk=key)
    reader = visitor(request)
    # To a rematch the friend comes by the page of the last game.
    table = found.game or (found.after if reader != found.owner else None)
    if table is not None:
        return _sit_down(request, found, table, reader)
    if reader == found.owner:
        link = request.build_absolute_uri(reverse("invitation", args=[found.key]))
        told = {
            "link": link,
            "message": say("haggle_with_me_over_thing_link", thing=found.thing.title, link=link),
            "square": square(link, say("link_for_your_friend")),
            "other": found.after.names.get(found.seat, "") if found.after else "",
        }
        return _shown(request, found, {"is_own": True, **told})
    form = FriendForm(request.POST if request.method == "POST" else None, opposite=found.name)
    if request.method == "POST" and form.is_valid():
        try:
            spend("games", request_key(request))
        except RateLimited as wrong:
            form.add_error(None, wrong.detail)
            return _shown(request, found, {"form": form}, 429)
        return _sit_down(request, found, _opened(found, reader, form.cleaned_data["name"]), reader)
    return _shown(request, found, {"form": form}, 422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def rematch(request: HttpRequest, game_id: str) -> HttpResponse:
    """Tell who has played a friend that a rematch waits; a post sits down to it, seats swapped."""
    reader = visitor(request)
    first = get_object_or_404(
        # Where the house has taken a seat nobody is left to play against.
        Invitation.objects.select_related("game", "listing").exclude(
            Q(game__owner="") | Q(game__rival="")
        ),
        Q(game__owner=reader) | Q(game__rival=reader),
        game=game_id,
        game__status=Game.Status.ENDED,
    )
    assert first.game is not None
    game = first.game.as_seen_by(reader)
    found = Invitation.objects.select_related("game").filter(after=game_id).first()
    if request.method != "POST":
        if found is None or not _is_awaited(found, reader):
            return HttpResponse(status=204)
        # At this status a page that asks again and again asks no more.
        told = {"who": game.names.get(other(sessions.side_of(game)), ""), "game": game_id}
        return render(request, "negotiation/_rematch.html", told, status=286)
    try:
        spend("games", request_key(request))
    except RateLimited as wrong:
        return show(request, game, problem=refusal(wrong), status=status_of(wrong))
    side = sessions.side_of(game)
    name = game.names.get(side, "")
    asked = {"listing": first.listing, "own": first.own, "clock_s": first.clock_s}
    if found is None:
        asked |= {"key": new_key(), "owner": reader, "seat": other(side), "name": name}
        found, _ = Invitation.objects.get_or_create(after=first.game, defaults=asked)
    if found.owner != reader:
        _opened(found, reader, name)
    return redirect("invitation", found.key)


def _is_awaited(found: Invitation, reader: str) -> bool:
    """Whether the other one waits for a rematch, or sits at its table already."""
    if found.game is None:
        return found.owner != reader
    return found.game.status == Game.Status.LIVE


def _opened(found: Invitation, friend: str, name: str) -> Game:
    """Open the game for the first friend who comes; whoever is second finds it begun."""
    sells = found.seat == Game.Seat.SELLER
    own, theirs = ("seller", "buyer") if sells else ("buyer", "seller")
    sure = _games_before(found) < sessions.SURE_GAMES
    scenario = pair_scenario(found.thing, has_zone=sure)
    with transaction.atomic():
        held = Invitation.objects.select_for_update().get(pk=found.pk)
        if held.game is None:
            held.game = sessions.open_pair(
                found.owner if sells else friend,
                friend if sells else found.owner,
                scenario,
                names={own: found.name, theirs: name},
                terms=Terms(clock_s=found.clock_s, move_s=MOVE_S, absent_s=PATIENCE_S),
                listing=found.listing,
                zone_promised=sure,
            )
            held.save(update_fields=["game"])
    return held.game


def _games_before(found: Invitation) -> int:
    """Count the games of a table before this one, as far as it matters for its cards."""
    count = 0
    while found.after_id is not None and count < sessions.SURE_GAMES:
        count += 1
        earlier = Invitation.objects.filter(game=found.after_id).first()
        if earlier is None:
            break
        found = earlier
    return count


def _sit_down(request: HttpRequest, found: Invitation, game: Game, reader: str) -> HttpResponse:
    if pairs.give_back(game.pk, reader):
        game.refresh_from_db()  # whoever comes by the link has not gone
    if reader not in (game.owner, game.rival):
        return _shown(request, found, {"is_taken": True}, 410)
    request.session[WITH_FRIEND] = found.pk
    mine = game.as_seen_by(reader)
    place = reverse("sale" if mine.kind == "sell" else "purchase", args=[game.pk])
    if getattr(request, "htmx", False):
        return HttpResponse(headers={"HX-Redirect": place})
    return redirect(place)


def _shown(
    request: HttpRequest, found: Invitation, more: dict[str, Any], status: int = 200
) -> HttpResponse:
    if getattr(request, "htmx", False):
        return HttpResponse(status=204)
    context = {"invitation": found, "listing": offered(found.thing), "rounds": MAX_ROUNDS, **more}
    response = render(request, "negotiation/invitation.html", context, status=status)
    # The address is the key to the chair.
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return response
