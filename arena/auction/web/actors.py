"""What buyers are called on the wire: they count from 1 there, and from 0 inside."""


def actor(seat: int) -> str:
    """Name a buyer on the wire.

    >>> actor(0)
    'buyer-1'
    """
    return f"buyer-{seat + 1}"
