"""Names on the board, for operators who must take one off."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from negotiation.admin import ModelAdmin
from training.leaderboard import people
from training.leaderboard.models import BoardName


@admin.register(BoardName)
class BoardNameAdmin(ModelAdmin[BoardName]):
    """Names can be found and taken off, never written: whose name it is decides its session."""

    list_display = ("name", "since")
    search_fields = ("name",)
    fields = ("name", "since")
    readonly_fields = fields
    actions = ("take_off",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.action(description="Take the names off the board", permissions=["change"])
    def take_off(self, request: HttpRequest, chosen: QuerySet[BoardName]) -> None:
        """Withdraw names, as their visitors could."""
        gone = sum(people.withdraw(owner) for owner in chosen.values_list("owner", flat=True))
        self.message_user(request, f"{gone} taken off.")
