"""The tree of a game and its what-ifs as nested lines of text."""

from collections.abc import Callable

import msgspec

from negotiation.models import Game
from replays.fork_difference import Difference
from replays.fork_words import Deed, deed_of, ending, points
from replays.tree import Node

NESTED = 5
"""Levels of the tree that are drawn as levels; what lies deeper stands side by side."""


class Branch(msgspec.Struct, frozen=True):
    """One line of the tree; ``points`` is the mean change for the mover, "" at the root."""

    name: str
    url: str
    ending: str
    points: str
    here: bool
    children: tuple["Branch", ...]


def branch_of(
    node: Node, here: Game, currency: str, named: Callable[[Deed], str], level: int = 0
) -> Branch:
    """Word a tree.

    Args:
        node: its root.
        here: the game whose page shows it.
        currency: ISO code of the prices.
        named: names a branch by the move that made it.
        level: how deep the node lies.
    """
    game = node.game
    name, gained, query = "As it was played", "", ""
    if node.move is not None:
        name = named(deed_of(node.move))
        query = f"?seq={game.forked_at_seq}"
        if game.difference:
            gained = points(msgspec.convert(game.difference, Difference).mean)
    below = node.children if level < NESTED else ()
    if level == NESTED - 1:
        below = tuple(one for child in node.children for one in child.flat())
    return Branch(
        name=name,
        url=f"/replays/{game.pk}/{query}",
        ending=ending(game, currency),
        points=gained,
        here=game.pk == here.pk,
        children=tuple(branch_of(child, here, currency, named, level + 1) for child in below),
    )
