"""Pages of a room's data, for its host alone: what is in an export, the zip, and for how long."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from negotiation.sentences import sentences
from rooms.desk import remove
from rooms.export.forgetting import forget_member, forget_room, weigh, weigh_member
from rooms.export.forms import KeepForm
from rooms.export.packing import download
from rooms.export.summary import summary_of
from rooms.export.writing import TIMES, NoStudy, Times, study_of
from rooms.hosting import own_room, touch
from rooms.models import Member
from rooms.study.promises import last_day

say = sentences(__file__)


@require_safe
@never_cache
def export(request: HttpRequest, code: str) -> HttpResponseBase:
    """Send everything of a study as one zip; a room without one has nothing to send."""
    room = own_room(request, code)
    try:
        study_of(room)
    except NoStudy:
        return redirect("room-data", room.code)
    times: Times = next((one for one in TIMES if one == request.GET.get("times")), "exact")
    return download(request, room, times, public=request.GET.get("public") == "1")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def data(request: HttpRequest, code: str) -> HttpResponse:
    """Show what a room has kept and until when; a post sets another day."""
    room = own_room(request, code)
    posted = request.POST if request.method == "POST" else None
    latest = last_day(room)
    form = KeepForm(posted, initial={"keep_until": room.keep_until}, latest=latest)
    if form.is_valid():
        room.keep_until = form.cleaned_data["keep_until"]
        room.save(update_fields=["keep_until"])
        messages.success(request, say("the_day_is_set"))
        return redirect("room-data", room.code)
    context = {"room": room, "form": form, "summary": summary_of(room), "kept": weigh(room)}
    context["latest"] = latest
    return render(request, "rooms/export/data.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def forget(request: HttpRequest, code: str) -> HttpResponse:
    """Ask once more, then delete a room with all that is in it."""
    room = own_room(request, code)
    if request.method != "POST":
        return render(request, "rooms/export/forget.html", {"room": room, "kept": weigh(room)})
    forget_room(room)
    messages.success(request, say("room_is_deleted", room=room.name))
    return redirect("/rooms/")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def forget_one(request: HttpRequest, code: str, member_id: str) -> HttpResponse:
    """Ask once more, then delete one person of a room with every game that person sat in."""
    room = own_room(request, code)
    member = get_object_or_404(Member, pk=member_id, room=room)
    if request.method != "POST":
        context = {"room": room, "member": member, "kept": weigh_member(member)}
        return render(request, "rooms/export/forget.html", context)
    if member.left_at is None:
        remove(room, member)
    forget_member(member)
    touch(room)
    messages.success(request, say("name_is_forgotten", name=member.nickname))
    return redirect("room-desk", room.code)
