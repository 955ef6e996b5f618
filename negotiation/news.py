"""What the game tells the rooms above it, which it does not know."""

from django.dispatch import Signal

game_ended = Signal()
"""A game of any kind has ended and its end is stored. Sent with ``game_id`` (text) after the
commit, in the process that wrote the end; a receiver that fails is logged and harms nobody."""


def tell_ended(game_id: str) -> None:
    """Send ``game_ended``; what a receiver does wrong is logged by Django and goes no further."""
    game_ended.send_robust(sender=None, game_id=game_id)
