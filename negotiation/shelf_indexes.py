"""The indexes by which finished games are found among a hundred thousand others.

One for each order of the list, and each carries what the list can be filtered by: any question
is then answered from one index in its order, and no game is read that is not shown. Measured in
``docs/benchmarks.md``.
"""

from django.db.models import Index

SEARCHED = 300
"""Characters of a game's words that are kept for search: an index row has a longest length."""

_SHELF = ("status", "share_replay")
_FACETS = ("source", "suite", "policy", "persona", "outcome")


def shelf_indexes() -> list[Index]:
    """List the indexes of ``Game``, one for each order; that by end also carries the words."""
    return [
        Index(fields=[*_SHELF, "ended_at", "id", *_FACETS, "search_text"], name="games_by_end"),
        *(
            Index(fields=[*_SHELF, column, "ended_at", "id", *_FACETS], name=f"games_by_{name}")
            for name, column in (
                ("price", "deal_price"),
                ("buyer_share", "buyer_share"),
                ("seller_share", "seller_share"),
                ("rounds", "rounds_used"),
                ("title", "search_text"),
            )
        ),
        Index(fields=["owner", "status", "share_replay", "ended_at", "id"], name="own_games"),
    ]
