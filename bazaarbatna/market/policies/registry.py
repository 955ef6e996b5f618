"""The policies by name: the scripted ones, and those that a room above installs."""

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from bazaarbatna.market.judging.hearing import pitch_every_round
from bazaarbatna.market.playing import Player
from bazaarbatna.market.policies import plain
from bazaarbatna.market.policies.expert import pitching_expert, rule_expert
from bazaarbatna.market.policies.optimal import optimal_planner
from bazaarbatna.market.policies.plain import random_valid
from bazaarbatna.market.policies.views import Policy

Made = TypeVar("Made")

MakePolicy = Callable[[int], Policy]
"""Makes a player from a seed; most need no luck."""


class CannotPlay(ValueError):
    """A player with that name is here, but cannot be made to play; the message says why."""


class Others(Protocol):
    """Policies that this list does not know by itself, as trained labs.

    Where a method takes a name, it takes a label too.
    """

    def names(self) -> tuple[str, ...]:
        """List them."""

    def label(self, name: str) -> str | None:
        """Return the name with what tells this version from any other; None: not here."""

    def prepare(self, name: str) -> None:
        """Get everything that takes time out of the way, or raise ``CannotPlay``."""

    def make(self, name: str, seed: int) -> Player | None:
        """Make the player of a name as it is measured: what it gets wrong counts."""

    def make_live(self, name: str, seed: int) -> Policy | None:
        """Make the player of a name for a table that has to go on, whatever it gets wrong."""


def _always(policy: Policy) -> MakePolicy:
    return lambda seed: policy


POLICIES: dict[str, MakePolicy] = {
    "random_valid": random_valid,
    "greedy_hoarder": _always(plain.greedy_hoarder),
    "no_negotiation_allocator": _always(plain.no_negotiation_allocator),
    "always_accept": _always(plain.always_accept),
    "accepts_first": _always(plain.accepts_first),
    "naive_instruct": _always(plain.naive_instruct),
    "rule_expert": _always(rule_expert),
    "optimal_planner": _always(optimal_planner),
}
"""The ladder of the evaluation."""

EXPLOITS: dict[str, MakePolicy] = {
    "never_act": _always(plain.never_act),
    "coalition_spammer": _always(plain.coalition_spammer),
    "keyword_pitcher": _always(plain.keyword_pitcher),
}
"""Constant policies that a sound reward must leave at the bottom."""

PITCHERS: dict[str, MakePolicy] = {
    "pitching_expert": _always(pitching_expert),
    "honest_pitcher": _always(pitch_every_round),
}
"""Policies that argue their case before a judge: one works as well, one does nothing else."""

SPEAKERS = (*PITCHERS, "keyword_pitcher")

_SCRIPTS = POLICIES | EXPLOITS | PITCHERS

_others: list[Others] = []


def install(others: Others) -> None:
    """Let a room above add policies; safe to call twice."""
    if others not in _others:
        _others.append(others)


def names() -> tuple[str, ...]:
    """List everybody who can be seated."""
    return (*_SCRIPTS, *trained_names())


def trained_names() -> tuple[str, ...]:
    """List the players that rooms above have added."""
    return tuple(name for one in _others for name in one.names())


def label_of(name: str) -> str | None:
    """Return the label under which a player is written down; None where it is not here.

    A script keeps its name. What was trained has its version in the label, so that nobody else can
    take its place.
    """
    if name in _SCRIPTS:
        return name
    return next((label for one in _others if (label := one.label(name)) is not None), None)


def is_trained(name: str) -> bool:
    """Whether a name or label is none of a script; that needs a look at nothing."""
    return name not in _SCRIPTS


def prepare(name: str) -> None:
    """Load what a player needs, for all tables of this process; seconds, or ``CannotPlay``."""
    if not is_trained(name):
        return
    for one in _others:
        if one.label(name) is not None:
            one.prepare(name)
            return
    raise CannotPlay(str(_unknown(name)))


def make_policy(name: str, seed: int) -> Player:
    """Make the player with a name, as evaluations measure it; ``ValueError`` where there is none.

    A trained one may answer what is no action; the engine counts that as malformed.
    """
    if name in _SCRIPTS:
        return _SCRIPTS[name](seed)
    return _first(name, (one.make(name, seed) for one in _others))


def make_live_policy(name: str, seed: int) -> Policy:
    """Make the player of a live table, which always answers with an action; or ``ValueError``."""
    if name in _SCRIPTS:
        return _SCRIPTS[name](seed)
    return _first(name, (one.make_live(name, seed) for one in _others))


def _first(name: str, made: Iterator[Made | None]) -> Made:
    for player in made:
        if player is not None:
            return player
    raise _unknown(name)


def _unknown(name: str) -> ValueError:
    return ValueError(f"There is no policy {name[:40]!r}. Known: {', '.join(names())}.")
