"""What operators see: listings to edit, games and their logs to read.

Sealed values are nowhere: ``SealedRecord`` is not registered, and the ``opened``, ``tells`` and
``ended`` events are shown without their content, because an operator may also be a player.
"""

from typing import TYPE_CHECKING, Any, Self

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from negotiation.models import EventRow, Game, Listing
from negotiation.money import rupees_text

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin
else:

    class ModelAdmin(admin.ModelAdmin):
        """Django's, which checkers and programs alike may ask for by its model."""

        def __class_getitem__(cls, model: Any) -> type[Self]:
            """Return the class itself, whatever the model."""
            return cls


@admin.register(Listing)
class ListingAdmin(ModelAdmin[Listing]):
    """Items that can be sold."""

    list_display = ["title", "category", "condition_label", "city", "asked", "paid", "source"]
    list_filter = ["source", "category", "condition_label", "currency", "city"]
    search_fields = ["title", "description", "city", "source_key"]
    readonly_fields = ["source", "source_key"]
    list_per_page = 50

    @admin.display(description="list price", ordering="list_price")
    def asked(self, listing: Listing) -> str:
        """List price as people write it."""
        return rupees_text(listing.list_price / 100, listing.currency)

    @admin.display(description="street price", ordering="street_price")
    def paid(self, listing: Listing) -> str:
        """Street price as people write it."""
        return rupees_text(listing.street_price / 100, listing.currency)


class ReadOnly:
    """Nothing can be added, changed or deleted: the log is the truth."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


@admin.register(Game)
class GameAdmin(ReadOnly, ModelAdmin[Game]):
    """Games, with what is public about them."""

    list_display = ["id", "title", "status", "outcome", "price", "policy", "last_seq", "created_at"]
    list_filter = ["status", "outcome", "kind", "policy", "share_replay"]
    search_fields = ["id", "title"]
    date_hierarchy = "created_at"
    exclude = ["owner", "watch_key"]
    """The owner is a session key: whoever has it could play in the owner's name. The other is the
    key of a link for a friend."""

    @admin.display(description="deal price", ordering="deal_price")
    def price(self, game: Game) -> str:
        """Deal price as people write it."""
        if game.deal_price is None:
            return "no deal"
        currency = game.listing.currency if game.listing else "INR"
        return rupees_text(game.deal_price / 100, currency)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Fetch the listings along."""
        return super().get_queryset(request).select_related("listing")


@admin.register(EventRow)
class EventRowAdmin(ReadOnly, ModelAdmin[EventRow]):
    """The log, without the content of its events."""

    list_display = [
        "game_id",
        "seq",
        "kind",
        "backend",
        "policy_version",
        "latency_ms",
        "created_at",
    ]
    list_filter = ["kind", "backend"]
    search_fields = ["game__id"]
    exclude = ["payload"]
    list_select_related = ["game"]
