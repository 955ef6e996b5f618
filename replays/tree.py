"""The tree of a game and all its what-ifs, as far as a visitor may see it."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from django.db.models import F

from negotiation.models import EventRow, Game
from replays.browse.shelf import visible

MOST_NODES = 200
"""What-ifs of one game that are shown; the newest come last and are left out first."""

DEEPEST = 60
"""How many forks of forks are followed, up and down."""

_SHOWN = (
    "id", "kind", "seat", "policy", "persona", "source", "outcome", "deal_price", "parent_id",
    "forked_at_seq", "difference", "created_at", "seller_share", "buyer_share", "rounds_used",
)  # fmt: skip


class Node(msgspec.Struct, frozen=True):
    """One game of a tree; ``move`` is the stored event that made it, None for the root."""

    game: Game
    move: bytes | None
    children: tuple["Node", ...] = ()

    @property
    def size(self) -> int:
        """Games in this branch, itself included."""
        return sum(1 for _ in self.flat())

    def flat(self) -> Iterator["Node"]:
        """List this branch, parents before children."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)


def tree_of(game: Game, owner: str) -> Node:
    """Give the tree that a game belongs to.

    Args:
        game: a finished game that the visitor may open.
        owner: the visitor's session key; branches that are not theirs to see are left out.
    """
    root = _root(game, owner)
    found = _descendants(root, owner)
    moves = _moves([one.pk for one in found])
    children: dict[str, list[Game]] = {}
    for one in found:
        children.setdefault(str(one.parent_id), []).append(one)
    return _node(root, children, moves)


def _root(game: Game, owner: str) -> Game:
    for _ in range(DEEPEST):
        if game.parent_id is None:
            break
        parent = visible(owner).filter(pk=game.parent_id).first()
        if parent is None:
            break
        game = parent
    return game


def _descendants(root: Game, owner: str) -> list[Game]:
    found: list[Game] = []
    above = [root.pk]
    for _ in range(2 * DEEPEST):
        if not above or len(found) >= MOST_NODES:
            break
        rows = visible(owner).filter(parent__in=above).only(*_SHOWN)
        level = list(rows.order_by("forked_at_seq", "created_at", "id")[: MOST_NODES - len(found)])
        found += level
        above = [one.pk for one in level]
    return found


def _moves(games: Iterable[str]) -> dict[str, bytes]:
    rows = EventRow.objects.filter(game__in=list(games), seq=F("game__forked_at_seq"))
    return {game: bytes(payload) for game, payload in rows.values_list("game_id", "payload")}


def _node(game: Game, children: dict[str, list[Game]], moves: dict[str, bytes]) -> Node:
    below: Sequence[Game] = children.get(game.pk, ())
    return Node(game, moves.get(game.pk), tuple(_node(child, children, moves) for child in below))
