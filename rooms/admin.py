"""Rooms in the admin, and accounts: who may change whose, and invitations for hosts.

Whoever may change accounts could take over one that may do more, by its password, by a link to
choose one, or by giving rights to an own account. So rights are for superusers alone to give, and
others change only accounts that may do nothing which they may not.
"""

from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from negotiation.admin import ListedLookups, ModelAdmin, ReadOnly
from rooms.accounts import invitation_for
from rooms.models import LtiPlatform, Member, Room, SeatEvent


@admin.action(description="Make a link to choose a password", permissions=["change"])
def invite(site_admin: "HostAdmin", request: HttpRequest, hosts: QuerySet[User]) -> None:
    """Show for each account the link by which its owner chooses a password."""
    for host in hosts:
        if not site_admin.has_change_permission(request, host):
            messages.error(request, f"{host.username}: only a superuser can make this link.")
            continue
        path = reverse("account-join", args=[invitation_for(host)])
        site_admin.log_change(request, host, "Made a link to choose a password.")
        messages.success(request, f"{host.username}: {request.build_absolute_uri(path)}")


def may_steer(asker: User | AnonymousUser, account: User) -> bool:
    """Whether an account may be changed by an asker: one of the staff by superusers alone."""
    if asker.is_superuser or account.is_staff or account.is_superuser:
        return asker.is_superuser
    # Read from the tables: Django says of a closed account that it has no rights, and it may open.
    held = Permission.objects.filter(Q(user=account) | Q(group__user=account))
    named = held.values_list("content_type__app_label", "codename")
    return asker.has_perms([f"{app}.{name}" for app, name in named])


for model in (User, Group):
    admin.site.unregister(model)

if settings.STAFF_CODES:
    from django_otp.plugins.otp_totp.admin import TOTPDevice

    # Its pages show the keys of codes, and move them between accounts: `staff_code` makes them.
    admin.site.unregister(TOTPDevice)


@admin.register(User)
class HostAdmin(ListedLookups, UserAdmin):  # type: ignore[type-arg]  # Django's takes none
    """Django's own, with a link to choose a password, and within the asker's own rights."""

    actions = (invite,)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Whether an account may be changed; its password, too."""
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or may_steer(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        return allowed and (obj is None or may_steer(request.user, obj))

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Name what only superusers change."""
        rights = ("is_staff", "is_superuser", "groups", "user_permissions")
        mine = () if request.user.is_superuser else rights
        return (*super().get_readonly_fields(request, obj), *mine)

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Show a part of a password's hash to nobody who cannot change it."""
        told = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return told
        return [
            (title, {**more, "fields": [name for name in more["fields"] if name != "password"]})
            for title, more in told
        ]


@admin.register(Group)
class RightsAdmin(GroupAdmin):
    """Groups, which are rights: only superusers give them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.is_superuser


@admin.register(Room)
class RoomAdmin(ReadOnly, ModelAdmin[Room]):
    """Rooms, to look at: whoever became the host of one would have all that is in it.

    ``desk_session`` is the host's session key: whoever has it is the host.
    """

    list_display = ("name", "code", "host", "state", "made_at")
    list_filter = ("state",)
    search_fields = ("name", "code", "host__username")
    exclude = ("desk_session",)


@admin.register(Member)
class MemberAdmin(ReadOnly, ModelAdmin[Member]):
    """Members, to look at; the key of a personal link is not shown."""

    list_display = ("nickname", "number", "room", "joined_at", "left_at")
    search_fields = ("nickname", "room__code")
    exclude = ("key", "session", "first_session", "name_key")


@admin.register(SeatEvent)
class SeatEventAdmin(ReadOnly, ModelAdmin[SeatEvent]):
    """What happened to seats: tries to take one, moves, leaving."""

    list_display = ("at", "room", "member", "kind")
    list_filter = ("kind",)
    search_fields = ("room__code",)


@admin.register(LtiPlatform)
class LtiPlatformAdmin(ModelAdmin[LtiPlatform]):
    """Platforms whose courses may send people here; ``/rooms/lti/`` shows what they ask for."""

    list_display = ("name", "issuer", "client_id", "is_active")
    search_fields = ("name", "issuer", "client_id")
