"""The indexes by which finished games are found among a hundred thousand others.

One for each order of the list, and each carries what the list can be filtered by and searched in:
any question is then answered from one index in its order, and no game is read that is not shown.
Measured in ``docs/benchmarks.md``.
"""

from django.db.models import Index

SEARCHED = 300
"""Characters of a game's words that are kept for search: an index row has a longest length."""

_SHELF = ("status", "share_replay")
_FACETS = ("source", "suite", "policy", "persona", "outcome")
_WORDS = ("search_text",)


def shelf_indexes() -> list[Index]:
    """List the indexes of ``Game``: one for each order, and one for a visitor's own games."""
    return [
        *(
            Index(
                fields=[*_SHELF, *columns, "ended_at", "id", *_FACETS, *_WORDS],
                name=f"games_by_{name}",
            )
            for name, columns in (
                ("end", ()),
                ("price", ("deal_price",)),
                ("buyer_share", ("buyer_share",)),
                ("seller_share", ("seller_share",)),
                ("rounds", ("rounds_used",)),
            )
        ),
        Index(fields=[*_SHELF, *_WORDS, "ended_at", "id", *_FACETS], name="games_by_title"),
        Index(fields=["owner", *_SHELF, "ended_at", "id"], name="own_games"),
    ]
