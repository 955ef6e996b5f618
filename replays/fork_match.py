"""What-ifs of the arena: another move in one buyer's envelope, everybody else as pinned."""

from collections.abc import Sequence

from arena import what_if
from arena.actors import actor
from arena.endings import end_of
from arena.engine.events import ArenaEvent, Ended, Placed
from arena.engine.moves import ArenaMove, Bid, Hold, Leave, Take
from arena.engine.scenario import ArenaScenario
from arena.stored_events import event_from, scenario_from
from negotiation.errors import UnknownGame
from negotiation.games.log_rows import as_recorded, row_of
from negotiation.models import EventRow, Game
from replays.continuation import NoMoveHere
from replays.finished import ARENA
from replays.fork_choice import Choice
from replays.fork_difference import PAIRS, Difference, summed_up
from replays.forking import new_child, place_of, write


def fork(game: Game, seq: int, choice: Choice, owner: str, *, client: str = "") -> Game:
    """Put another move into an envelope of a finished match and keep how it goes on.

    Arguments, result and errors as for ``forking.fork``; ``seq`` is the number of a ``placed``
    event.
    """
    if game.status != Game.Status.ENDED or game.kind != ARENA:
        raise UnknownGame
    rows = list(EventRow.objects.filter(game=game.pk).order_by("seq"))
    events = tuple(event_from(row.payload) for row in rows)
    scenario = scenario_from(game.sealed.scenario)
    envelope = _envelope(events, seq)
    move = _move(choice)
    name, known = place_of(game, seq, choice, owner)
    if known is not None:
        return known
    if _deed(move) == _deed(envelope.move):
        move = envelope.move
    forked = what_if.fork(scenario, events, envelope.buyer, envelope.round, move)
    ended = forked[-1]
    assert isinstance(ended, Ended)
    child = new_child(name, game, seq, owner, client, end_of(ended))
    found = _difference(scenario, events, envelope, move)
    return write(child, game, found, _rows(child, scenario, forked, rows, events, seq))


def _envelope(events: Sequence[ArenaEvent], seq: int) -> Placed:
    event = events[seq - 1] if 0 < seq <= len(events) else None
    if not isinstance(event, Placed):
        raise NoMoveHere("There is no envelope at that place; choose a buyer's move.")
    return event


def _move(choice: Choice) -> ArenaMove:
    match choice.action:
        case "offer":
            return Bid(choice.asked_price())
        case "accept":
            return Take()
        case "hold":
            return Hold()
        case "walk":
            return Leave()


def _deed(move: ArenaMove) -> tuple[str, int | None]:
    return type(move).__name__, move.price if isinstance(move, Bid) else None


def _difference(
    scenario: ArenaScenario, events: Sequence[ArenaEvent], envelope: Placed, move: ArenaMove
) -> Difference:
    side = actor(envelope.buyer)
    if move == envelope.move:
        return Difference(side, 0.0, 0.0, 0.0, PAIRS)
    shares = what_if.paired_shares(
        scenario, events, envelope.buyer, envelope.round, move, pairs=PAIRS
    )
    return summed_up(side, [other - made for other, made in shares], scenario.sealed.seed)


def _rows(
    child: Game,
    scenario: ArenaScenario,
    forked: Sequence[ArenaEvent],
    recorded: Sequence[EventRow],
    events: Sequence[ArenaEvent],
    chosen: int,
) -> list[EventRow]:
    same = _common(forked, events)
    made = []
    for seq, event in enumerate(forked, start=1):
        row = row_of(child, seq, event)
        if seq <= same:
            as_recorded(row, recorded[seq - 1])
        elif isinstance(event, Placed) and seq != chosen:
            row.backend, row.policy_version = "rules", scenario.seats[event.buyer].version
        made.append(row)
    return made


def _common(one: Sequence[ArenaEvent], other: Sequence[ArenaEvent]) -> int:
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
