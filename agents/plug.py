"""The list of everything this room gives to the game."""


def plug_in() -> None:
    """Register the policies and install the reader; safe to call twice."""
