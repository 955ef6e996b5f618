"""Named players: rooms above register them, the game looks them up.

The game knows no model: a policy is anything that answers an observation with a move.
"""

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation

Kind = Literal["rules", "model", "human"]


class BuyerPolicy(Protocol):
    """A buyer. It keeps nothing between turns: same seed and observation, same move.

    That is what lets another process finish a game whose process died between two moves.
    """

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a move for a live position in which it is the buyer's turn."""
        ...


class TalkingPolicy(BuyerPolicy, Protocol):
    """A buyer that also answers words that carry no price."""

    def reply(self, observation: BuyerObservation) -> str:
        """Say one short line without moving; the last turn holds the seller's words."""
        ...


BuyerFactory = Callable[[int], BuyerPolicy]
"""Makes a buyer from the game's seed."""


class Entry(msgspec.Struct, frozen=True):
    """What the registry knows of a policy; ``backend`` names what serves its moves."""

    name: str
    version: str
    kind: Kind
    title: str
    backend: str
    make: BuyerFactory


class UnknownPolicy(LookupError):
    """No policy has that name."""

    code = "unknown-policy"


_entries: dict[str, Entry] = {}


def register(
    name: str,
    make: BuyerFactory,
    *,
    version: str,
    kind: Kind = "rules",
    title: str = "",
    backend: str = "rules",
) -> None:
    """Add a buyer policy under a name.

    Raises:
        ValueError: the name is taken by another policy.
    """
    entry = Entry(name, version, kind, title or name, backend, make)
    known = _entries.get(name)
    if known is not None and known.make is not make:
        raise ValueError(f"A policy named {name!r} is registered already; choose another name.")
    _entries[name] = entry


def policy(name: str) -> Entry:
    """Look a policy up.

    Raises:
        UnknownPolicy: with the names that exist.
    """
    try:
        return _entries[name]
    except KeyError:
        raise UnknownPolicy(
            f"There is no policy {name!r}. Known: {', '.join(sorted(_entries))}."
        ) from None


def policies() -> tuple[Entry, ...]:
    """List all policies by name."""
    return tuple(_entries[name] for name in sorted(_entries))
