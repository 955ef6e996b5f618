"""Seeds that a bot cannot know while it plays, and that everybody can check afterwards.

Whoever knows a seed can draw the seller's reservation price from it, and the seeds of published
evaluations are public. So every time a bot plays, a key is drawn; its SHA-256 is shown before
the first move, all seeds follow from it, and the key is opened when they are needed no more.
"""

import hashlib
import hmac
import secrets

SEED_BITS = 53
"""Seeds are whole numbers that every JSON reader keeps exactly; guessing one is hopeless."""


def new_key() -> str:
    """Draw a key: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def commitment(key: str) -> str:
    """Return the SHA-256 that binds a key, 64 hexadecimal digits.

    >>> commitment("00")[:12]
    '6e340b9cffb3'
    """
    return hashlib.sha256(bytes.fromhex(key)).hexdigest()


def seed_of(key: str, suite_id: str, place: int) -> int:
    """Return the seed of one game: the first 53 bits of HMAC-SHA256(key, "suite#place").

    ``place`` counts a suite's games from 0. No two suites share a seed, so nothing learned in one
    game tells of another.
    """
    return int.from_bytes(_mac(key, f"{suite_id}#{place}")) >> (256 - SEED_BITS)


def game_name(key: str, number: int) -> str:
    """Name a game to the bot: 16 characters that tell nothing, others when it is played again."""
    return _mac(key, f"game {number}").hex()[:16]


def _mac(key: str, text: str) -> bytes:
    return hmac.digest(bytes.fromhex(key), text.encode(), "sha256")
