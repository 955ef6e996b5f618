"""What the replay page of a sale or a match shows of what-ifs: forms, the answer, and the tree."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
from django.db.models import F

from arena.auction.charts.course import Course, Lane
from bazaarbatna.bargain.errors import BrokenLog
from bazaarbatna.bargain.quantities import Side, to_paise
from bazaarbatna.money import most_text, rupees_text
from negotiation.bargain.game import SALE
from negotiation.bargain.players import BACKEND as STAND_IN
from negotiation.bargain.recorded import Record, record_of
from negotiation.bargain.verdict import verdict_of
from negotiation.bargain.web.bubbles import Frame
from negotiation.bargain.web.seats import replay_cast
from negotiation.games.game import Difference
from negotiation.models import EventRow, Game
from negotiation.policies import UnknownPolicy, policy
from negotiation.sentences import sentences
from replays.browse.shelf import visible
from replays.finished import readable, replay_frames
from replays.fork.forms import questions_of
from replays.fork.text import (
    Compared,
    StoredMove,
    branch,
    compared,
    done,
    ending,
    match_branch,
    played_on_by,
    points,
    question,
    span,
    stored_move,
    verdict,
    you,
)

say = sentences(__file__)

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
    name, gained, query = say("as_it_was_played"), "", ""
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


class Answer(msgspec.Struct, frozen=True):
    """What a what-if shows above its replay; ``earlier``: who played on then plays otherwise now.

    It is the label of that version, "" where it is today's. ``verdict`` stands where nothing can be
    ``compared``. ``is_exact``: the move itself ended the game, or was taken whatever the luck.
    """

    question: str
    who: str
    is_you: bool
    before: str
    before_url: str
    after: str
    players: str
    verdict: str
    compared: Compared | None
    is_exact: bool
    earlier: str = ""


def what_if_context(
    game: Game, owner: str, attempt: tuple[int, str] | None = None
) -> dict[str, Any]:
    """Return what the page shows of what-ifs; ``attempt``: number of a move, and its price."""
    if game.kind not in SALE.kinds:
        return {"questions": {}}
    record, cast = record_of(game), replay_cast(game)
    try:
        questions = questions_of(record, cast, attempt)
    except BrokenLog:
        # Played by rules that are gone: it can be looked at, not played on.
        return {"questions": {}}
    currency = record.setting.item.currency

    def named(made: StoredMove) -> str:
        return branch(made, currency, cast)

    tree = tree_of(game, owner)
    parent = _parent(game, owner)
    answer = None
    if parent is not None:
        answer = _answer(game, record, parent, tree.game, owner)
    return {
        "questions": questions,
        "answer": answer,
        "ghost": replay_frames(parent) if parent is not None else None,
        "branches": branch_of(tree, game, currency, named) if tree.children else None,
        "branch_count": tree.size - 1,
    }


def _parent(game: Game, owner: str) -> Game | None:
    if game.source != Game.Source.WHAT_IF or game.parent_id is None:
        return None
    return readable(owner, game.parent_id)


def _answer(game: Game, record: Record, parent: Game, root: Game, owner: str) -> Answer:
    currency = record.setting.item.currency
    cast, seq = replay_cast(game), game.forked_at_seq or 1
    made = stored_move(bytes(EventRow.objects.get(game=game, seq=seq).payload))
    found = msgspec.convert(game.difference, Difference)
    has_room = record.setting.zopa > 0
    is_own = bool(owner) and root.owner == owner and root.source == Game.Source.PERSON
    is_you = is_own and root.seat == made.side
    mover = you() if is_you else cast.called(made.side)
    return Answer(
        question=question(made, currency, mover),
        who=mover,
        is_you=is_you,
        before=ending(parent, currency),
        before_url=f"/replays/{parent.pk}/?seq={seq}",
        after=ending(game, currency),
        players=played_on_by(record, cast),
        verdict=verdict(found, mover, room=has_room),
        compared=compared(found, _kept(parent, made.side)) if has_room else None,
        is_exact=_is_exact(game, made, found),
        earlier=_earlier_version(game, seq),
    )


def _is_exact(game: Game, made: StoredMove, found: Difference) -> bool:
    low, high = found.tried or (0.0, 1.0)
    is_taken = made.action == "offer" and game.deal_price == made.paise and low == high
    return made.action in ("accept", "walk") or is_taken


def _earlier_version(game: Game, seq: int) -> str:
    """Return the version that played on from event ``seq``, where today's is another one."""
    try:
        now = policy(game.policy).version
    except UnknownPolicy:
        return ""
    rows = EventRow.objects.filter(game=game, seq__gt=seq).exclude(backend__in=("", STAND_IN))
    labels = rows.order_by("seq").values_list("policy_version", flat=True)
    # After a plus comes whoever found the words, which move no price; after a space, which luck.
    played = (label.partition(" ")[0].partition("+")[0] for label in labels)
    return next((label for label in played if label and label != now), "")


def _kept(game: Game, side: str) -> int:
    """Return the percent of the room that a side kept, as its verdict has it."""
    of: Side = "seller" if side == "seller" else "buyer"
    found = verdict_of(game.seller_share or 0.0, of, deal=game.deal_price is not None)
    return found.percent or 0


class Envelope(msgspec.Struct, frozen=True):
    """One buyer's envelope of a round; ``may`` says what could have been bid in it."""

    seq: int
    lane: Lane
    made: str
    may: str


class MatchAnswer(msgspec.Struct, frozen=True):
    """What a what-if of a match shows above its replay."""

    question: str
    before: str
    before_url: str
    after: str
    verdict: str
    compared: Compared | None
    who: str


def envelopes_of(placed: Sequence[Frame], course: Course) -> tuple[Envelope, ...]:
    """List the envelopes of one round from its ``placed`` frames as a replay shows them."""
    return tuple(
        Envelope(
            frame["seq"],
            course.lane(frame["event"]["actor"]),
            done(_envelope_move(frame["event"]), course.currency),
            _range_words(course.lane(frame["event"]["actor"]), frame["event"]["round"], course),
        )
        for frame in placed
    )


def what_if_of(game: Game, owner: str, course: Course) -> dict[str, Any]:
    """Gather the answer that a what-if of a match gives its reader ``owner``, and its tree."""

    def named(made: StoredMove) -> str:
        return match_branch(made, course.currency, _other(course.lane(made.side)))

    tree = tree_of(game, owner)
    return {
        "answer": _answer_of_match(game, owner, course),
        "branches": branch_of(tree, game, course.currency, named) if tree.children else None,
        "branch_count": tree.size - 1,
    }


def _range_words(lane: Lane, number: int, course: Course) -> str:
    bid = lane.bid_after(number - 1)
    low = "" if bid is None else rupees_text(bid, course.currency)
    return span(low, most_text(lane.budget or 0.0, course.currency))


def _answer_of_match(game: Game, owner: str, course: Course) -> MatchAnswer | None:
    if game.source != Game.Source.WHAT_IF or game.forked_at_seq is None or not game.difference:
        return None
    parent = readable(owner, game.parent_id)
    row = EventRow.objects.filter(game=game, seq=game.forked_at_seq).first()
    if parent is None or row is None:
        return None
    made = stored_move(bytes(row.payload))
    found = msgspec.convert(game.difference, Difference)
    lane = course.lane(made.side)
    room, who = (lane.budget or 0.0) - (course.reservation or 0.0), _other(lane) or you()
    return MatchAnswer(
        question=question(made, course.currency, who),
        before=ending(parent, course.currency),
        before_url=f"/replays/{parent.pk}/?seq={game.forked_at_seq}",
        after=ending(game, course.currency),
        verdict=verdict(found, who, room=room > 0),
        compared=compared(found) if room > 0 else None,
        who=who,
    )


def _other(lane: Lane) -> str:
    # "" for the reader, whom a sentence calls "you".
    return "" if lane.you else lane.name


def _envelope_move(event: dict[str, Any]) -> StoredMove:
    price = event["price"]
    move = {"action": event["action"], "price": None if price is None else to_paise(price)}
    return StoredMove("placed", event["round"], move=move)
