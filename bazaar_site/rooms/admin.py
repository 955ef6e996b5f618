"""Rooms in the admin, and invitations for hosts."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from bazaar_site.rooms.accounts import invitation_for
from bazaar_site.rooms.models import LtiPlatform, Member, Room
from negotiation.admin import ModelAdmin


@admin.action(description="Make a link to choose a password")
def invite(site_admin: Any, request: HttpRequest, hosts: QuerySet[User]) -> None:
    """Show for each account the link by which its owner chooses a password."""
    for host in hosts:
        path = reverse("account-join", args=[invitation_for(host)])
        messages.success(request, f"{host.username}: {request.build_absolute_uri(path)}")


admin.site.unregister(User)


@admin.register(User)
class HostAdmin(UserAdmin):  # type: ignore[type-arg]  # Django's takes none
    """Django's own, with a link to choose a password."""

    actions = (invite,)


@admin.register(Room)
class RoomAdmin(ModelAdmin[Room]):
    """Rooms, to look at."""

    list_display = ("name", "code", "host", "state", "made_at")
    list_filter = ("state",)
    search_fields = ("name", "code", "host__username")
    readonly_fields = ("code", "desk_session", "version")


@admin.register(Member)
class MemberAdmin(ModelAdmin[Member]):
    """Members, to look at; the key of a personal link is not shown."""

    list_display = ("nickname", "number", "room", "joined_at", "left_at")
    search_fields = ("nickname", "room__code")
    exclude = ("key", "session", "name_key")


@admin.register(LtiPlatform)
class LtiPlatformAdmin(ModelAdmin[LtiPlatform]):
    """Platforms whose courses may send people here; ``/rooms/lti/`` shows what they ask for."""

    list_display = ("name", "issuer", "client_id", "is_active")
    search_fields = ("name", "issuer", "client_id")
