"""Tells every viewer of a game that its log has grown; the log says what happened."""

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

MESSAGE_TYPE = "log.grew"
"""Channels calls the consumers' method ``log_grew``."""


def group_of(game_id: str) -> str:
    """Name the channel layer group of a game's viewers."""
    return f"game.{game_id}"


def ring(game_id: str, seq: int) -> None:
    """Ring for all viewers in all processes. Only the number travels, never an event."""
    layer = get_channel_layer()
    if layer is not None:
        message = {"type": MESSAGE_TYPE, "game": game_id, "seq": seq}
        async_to_sync(layer.group_send)(group_of(game_id), message)
