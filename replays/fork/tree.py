"""The tree of a game and all its what-ifs, as far as a visitor may see it, and in nested lines."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
from django.db.models import F
from django.utils.translation import gettext

from negotiation.games.game import Difference
from negotiation.models import EventRow, Game
from replays.browse.shelf import visible
from replays.finished import readable
from replays.fork.text import StoredMove, ending, points, stored_move

MOST_NODES = 200  # what-ifs of one game; the newest are left out first
DEEPEST = 60  # forks of forks that are followed, up and down
NESTED = 5  # levels drawn as levels; deeper ones stand side by side

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
    """Return the tree of a finished game, without branches that ``owner`` may not see."""
    root = _root(game, owner)
    found = _descendants(root, owner)
    moves = _moves([one.pk for one in found])
    children: dict[str, list[Game]] = {}
    for one in found:
        children.setdefault(str(one.parent_id), []).append(one)
    return _node(root, children, moves)


class Branch(msgspec.Struct, frozen=True):
    """One line of the tree; ``points`` is the mean change for the mover, "" at the root."""

    name: str
    url: str
    ending: str
    points: str
    here: bool
    children: tuple["Branch", ...]


def branch_of(
    node: Node, here: Game, currency: str, named: Callable[[StoredMove], str], level: int = 0
) -> Branch:
    """Word a tree for the page of ``here``; ``named`` names a branch by the move that made it."""
    game = node.game
    name, gained, query = gettext("As it was played"), "", ""
    if node.move is not None:
        name = named(stored_move(node.move))
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


def _root(game: Game, owner: str) -> Game:
    for _ in range(DEEPEST):
        if game.parent_id is None:
            break
        parent = readable(owner, game.parent_id)
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
