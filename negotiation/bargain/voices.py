"""Who may buy from people: the policies a seller can choose among before a sale."""

from django.conf import settings

from negotiation.policies import Entry, UnknownPolicy, policies, policy

FAMILY = "sauda"
"""The policy that leaves move and words to whichever model answers; begins its sisters' names."""


def default_buyer() -> str:
    """Return the name of the policy that plays where a person has chosen none."""
    return str(settings.SAUDA_POLICY)


def voices() -> tuple[Entry, ...]:
    """List the voices that can be heard now, the usual one first.

    Where no model is awake there is no choice: the usual one speaks by rules as well.
    """
    try:
        usual = policy(default_buyer())
    except UnknownPolicy:
        return ()
    single = [
        one
        for one in policies("buyer")
        if (one.voice or one.name == FAMILY or one.name.startswith(f"{FAMILY}:"))
        and one.name != usual.name
        and (one.live is None or one.live.awake())
    ]
    return (usual, *single) if any(one.live is not None for one in single) else (usual,)
