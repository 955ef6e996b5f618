"""Checked by mypy, never run: the Django plugin must know what a manager gives."""

from typing import assert_type

from negotiation.models import EventRow, Game


def reverse_relations_have_types(game: Game) -> None:
    first = game.events.first()
    assert_type(first, EventRow | None)
