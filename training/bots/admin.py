"""Bots for operators: who they are, and taking one off the site."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from negotiation.admin import ModelAdmin
from training.bots.models import Bot
from training.bots.owners import withdraw


@admin.register(Bot)
class BotAdmin(ModelAdmin[Bot]):
    """Read only, but for the action that withdraws."""

    list_display = ("name", "created_at", "withdrawn_at")
    search_fields = ("name", "id")
    fields = readonly_fields = ("id", "name", "created_at", "withdrawn_at")
    actions = ("take_off",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description="Withdraw from the site", permissions=["change"])
    def take_off(self, request: HttpRequest, bots: QuerySet[Bot]) -> None:
        """Take bots and their results off the site."""
        for bot in bots.filter(withdrawn_at=None):
            withdraw(bot)
        self.message_user(request, "They are off the site, their names free, their tokens dead.")
