"""What the board hears of."""


def connect() -> None:
    """Hear."""
