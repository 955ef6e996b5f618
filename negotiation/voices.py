"""Who may speak for Sauda: the policies a seller can choose among before a sale."""

from negotiation.policies import Entry, UnknownPolicy, policies, policy

HOUSE_BUYER = "sauda"
"""The policy that speaks through whichever model answers first."""


def voices() -> tuple[Entry, ...]:
    """List the voices that can be heard now, the usual one first; one alone is no choice."""
    try:
        usual = policy(HOUSE_BUYER)
    except UnknownPolicy:
        return ()
    if usual.live is None or not usual.live.awake():
        return (usual,)
    single = (one for one in policies("buyer") if one.name.startswith(f"{HOUSE_BUYER}:"))
    return (usual, *(one for one in single if one.live is None or one.live.awake()))
