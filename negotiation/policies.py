"""Named players: rooms above register them, the game looks them up.

The game knows no model: a policy is anything that answers an observation with a move. A policy
may also have a ``live`` form that takes its time (a model far away); its plain form then stands
in wherever nobody waits: in simulations, and when the live form fails.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

import msgspec

from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import BuyerObservation, SellerObservation
from bazaarbatna.bargain.quantities import Side

Kind = Literal["rules", "model", "human"]


class BuyerPolicy(Protocol):
    """A buyer. It keeps nothing between turns: same seed and observation, same move.

    That is what lets another process finish a game whose process died between two moves.
    """

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a move for a live position in which it is the buyer's turn."""
        ...


class SellerPolicy(Protocol):
    """A seller for people to buy from; like a buyer, it keeps nothing between turns."""

    def act(self, observation: SellerObservation) -> Move:
        """Choose a move for a live position in which it is the seller's turn."""
        ...


BuyerFactory = Callable[[int], BuyerPolicy]

SellerFactory = Callable[[int], SellerPolicy]

Observation = BuyerObservation | SellerObservation

ShowPartialText = Callable[[str], None]
"""Hears all words of the coming message that may be shown already; each call replaces the last."""


class Request(msgspec.Struct, frozen=True):
    """One turn that a live policy is asked for.

    ``speak_only``: it is the other side's turn, which only talked; words are wanted, no move.
    ``client`` is the ``client_key`` of whoever caused the turn, for those who count calls;
    ``since`` the moment (``time.monotonic``) at which this process began with it, 0: nobody waits.
    """

    observation: Observation
    seed: int
    game: str
    client: str
    speak_only: bool = False
    since: float = 0.0


class PassedOver(msgspec.Struct, frozen=True):
    """Somebody who could have served a turn and did not; ``waited_ms`` were lost on it."""

    backend: str
    why: str
    waited_ms: int = 0


class Played(msgspec.Struct, frozen=True):
    """The answer of a live policy, and who gave it.

    ``answer`` is a legal move, or the words that were wanted ("" for silence).
    """

    answer: Move | str
    backend: str
    version: str
    passed_over: tuple[PassedOver, ...] = ()


class LivePolicy(Protocol):
    """A policy that may wait for somebody."""

    def awake(self) -> bool:
        """Whether waiting could be worth it; else the plain policy plays at once."""
        ...

    async def turn(self, request: Request, show: ShowPartialText) -> Played:
        """Play a turn; whatever goes wrong, it falls back on rules."""
        ...


class Entry(msgspec.Struct, frozen=True):
    """What the registry knows of a policy.

    ``backend`` names what serves its plain moves; ``voice``: sellers are offered its company.
    ``who`` names the character that a seed draws, where there are several: told after the end.
    """

    name: str
    version: str
    kind: Kind
    title: str
    backend: str
    make: Callable[[int], Any]
    side: Side = "buyer"
    live: LivePolicy | None = None
    voice: bool = False
    who: Callable[[int], str] | None = None


class UnknownPolicy(LookupError):
    """No policy has that name."""

    code = "unknown-policy"


class Source(Protocol):
    """Policies that come and go while the site runs, such as trained models on disk.

    Both are called often and from any thread: they answer from memory, and look at the disk every
    few seconds at most.
    """

    def entries(self) -> Sequence[Entry]:
        """List what is there now."""
        ...

    def find(self, name: str) -> Entry | None:
        """Look a name up; it may know names that it does not list."""
        ...


_entries: dict[str, Entry] = {}
_sources: list[Source] = []


def register(
    name: str,
    make: BuyerFactory | SellerFactory,
    *,
    version: str,
    kind: Kind = "rules",
    title: str = "",
    backend: str = "rules",
    side: Side = "buyer",
    live: LivePolicy | None = None,
) -> None:
    """Add a policy under a name; ``ValueError`` where another one has it."""
    entry = Entry(name, version, kind, title or name, backend, make, side, live)
    known = _entries.get(name)
    if known is not None and known.make is not make:
        raise ValueError(f"A policy named {name!r} is registered already; choose another name.")
    _entries[name] = entry


def install(source: Source) -> None:
    """Add a source; registered names win over a source's, earlier sources over later ones."""
    if source not in _sources:
        _sources.append(source)


def policy(name: str) -> Entry:
    """Look a policy up; ``UnknownPolicy`` names those that exist."""
    entry = _find(name)
    if entry is None:
        known = ", ".join(sorted(_all()))
        raise UnknownPolicy(f"There is no policy {name!r}. Known: {known}.")
    return entry


def title_of(name: str) -> str:
    """Return what people call a policy; its own name where it is not here any more."""
    entry = _find(name)
    return entry.title if entry else name


def drawn_by(name: str, seed: int) -> str:
    """Name the character whom a policy drew with a game's seed; "" where nothing was drawn."""
    entry = _find(name)
    return entry.who(seed) if entry and entry.who else ""


def policies(side: Side = "buyer") -> tuple[Entry, ...]:
    """List all policies of a side by name."""
    there = _all()
    return tuple(there[name] for name in sorted(there) if there[name].side == side)


def _find(name: str) -> Entry | None:
    if name in _entries:
        return _entries[name]
    return next(filter(None, (source.find(name) for source in tuple(_sources))), None)


def _all() -> dict[str, Entry]:
    found = {entry.name: entry for source in reversed(_sources) for entry in source.entries()}
    return found | _entries
