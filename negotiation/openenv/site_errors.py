"""What the site's own libraries raise, as the protocol says it."""

import redis
from django.core.exceptions import SuspiciousOperation

from bazaarbatna.envs.openenv.errors import READERS, Away, Invalid, ProtocolError, log
from negotiation.outages import is_away


def of_the_site(wrong: Exception) -> ProtocolError | None:
    """Explain an error of Django or of a store; None for any other."""
    if isinstance(wrong, SuspiciousOperation):
        return Invalid(str(wrong))  # more names in an address than Django reads
    if isinstance(wrong, redis.RedisError) or is_away(wrong):
        log.warning("environment sessions out of reach: %s", type(wrong).__name__)
        return Away()
    return None


READERS.append(of_the_site)
