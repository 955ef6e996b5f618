"""Who may speak for Sauda: the policies a seller can choose among before a sale."""

from negotiation.policies import Entry, UnknownPolicy, policies, policy

HOUSE_BUYER = "sauda"
"""The policy that speaks through whichever model answers first."""


def voices() -> tuple[Entry, ...]:
    """List the voices that can be heard now, the usual one first.

    Where no model is awake there is no choice: the usual one speaks by rules as well.
    """
    try:
        usual = policy(HOUSE_BUYER)
    except UnknownPolicy:
        return ()
    single = [
        one
        for one in policies("buyer")
        if (one.voice or one.name.startswith(f"{HOUSE_BUYER}:"))
        and (one.live is None or one.live.awake())
    ]
    return (usual, *single) if any(one.live is not None for one in single) else (usual,)
