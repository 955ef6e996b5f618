"""What operators see: listings to edit, games and their logs to read.

Sealed values are nowhere: ``SealedRecord`` is not registered, and the ``opened``, ``tells`` and
``ended`` events are shown without their content, because an operator may also be a player.
"""

from typing import TYPE_CHECKING, Any, Self

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from bazaarbatna.money import rupees_text
from negotiation.models import EventRow, Game, Listing


class ListedLookups:
    """Filters lists by what they show alone: a hidden column could be found letter by letter."""

    model: type[Model]
    list_display: Any
    list_filter: Any
    date_hierarchy: Any

    def lookup_allowed(self, lookup: str, value: str, request: Any = None) -> bool:
        """Whether an address may ask for this."""
        field = lookup.partition("__")[0]
        keys = {"pk", self.model._meta.pk.name}
        listed = keys | {*self.list_display, *self.list_filter, self.date_hierarchy}
        django: Any = super()
        return not listed.isdisjoint({field, f"{field}_id"}) and bool(
            django.lookup_allowed(lookup, value, request)
        )


if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin
else:

    class ModelAdmin(ListedLookups, admin.ModelAdmin):
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
    exclude = ["owner", "rival", "watch_key"]
    """The first two are session keys: whoever has one could play in that person's name. The last is
    the key of a link for a friend."""

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
    exclude = ["payload", "plan"]
    list_select_related = ["game"]
