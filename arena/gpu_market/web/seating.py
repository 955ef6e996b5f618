"""Whether those who are to play can play: asked before a match opens, and before it is replayed."""

from collections.abc import Iterable

from arena.gpu_market.policies.registry import CannotPlay, is_trained, label_of, prepare
from arena.gpu_market.web.errors import BadMarket, NoPlayer
from arena.gpu_market.web.facts import ARCHETYPE, PERSON


def trained_in(seats: Iterable[str]) -> tuple[str, ...]:
    """List the trained labs that are seated, each once."""
    seated = dict.fromkeys(seats)
    return tuple(who for who in seated if who not in (ARCHETYPE, PERSON) and is_trained(who))


def make_ready(seats: Iterable[str]) -> None:
    """Load the models that a match needs. Takes seconds where this process has not played them.

    Raises:
        BadMarket: one of them cannot be loaded.
    """
    for who in trained_in(seats):
        try:
            prepare(who)
        except CannotPlay as wrong:
            raise BadMarket(f"{wrong} Choose another player.", "policy") from wrong


def check_here(seats: Iterable[str]) -> None:
    """Make sure that a finished match can be played on by those who played it.

    Raises:
        NoPlayer: one of them is gone, or another version has taken its place.
    """
    for who in trained_in(seats):
        if label_of(who) is None:
            raise NoPlayer(
                f"This market was played by {who}, which is not on this site any more. What "
                "happened stays readable; it cannot be played on."
            )
