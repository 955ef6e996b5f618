"""The game that a puzzle comes from, kept as a private replay of whoever has solved it."""

import hashlib

import msgspec
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from bazaarbatna.bargain.episode import advance, start
from bazaarbatna.bargain.events import Ended, Event
from bazaarbatna.bargain.quantities import to_rupees
from negotiation.bargain.recorded import end_of
from negotiation.games.event_log import row_of
from negotiation.models import EventRow, Game, SealedRecord, id_from
from replays.puzzles.puzzle import Puzzle

LABEL = "puzzle"
"""Stands for a version: nobody is asked again up to the turn of the puzzle, the log tells it."""


def is_stored(owner: str, puzzle: Puzzle) -> bool:
    """Whether the game lies among a visitor's replays already."""
    return Game.objects.filter(pk=_key(owner, puzzle)).exists()


def stored_for(owner: str, puzzle: Puzzle) -> str:
    """Return the address of the replay, at the puzzle's turn; the best price is filled in.

    Unless it is the price that was really named: the replay itself shows what came of that.
    """
    events, seqs = _log(puzzle)
    key = _key(owner, puzzle)
    if not is_stored(owner, puzzle):
        _store(key, owner, puzzle, events)
    best = puzzle.options[puzzle.best]
    is_new = best.price is not None and best.price != puzzle.moves[puzzle.at].price
    tried = f"&try={to_rupees(best.price or 0):.2f}".removesuffix(".00") if is_new else ""
    return f"{reverse('replay', args=[key])}?seq={seqs[puzzle.at]}{tried}#what-if"


def _key(owner: str, puzzle: Puzzle) -> str:
    return id_from(hashlib.sha256(f"{owner}:{puzzle.id}".encode()).digest())


def _log(puzzle: Puzzle) -> tuple[list[Event], list[int]]:
    """Return the events of the source game, and the number of each move's first event."""
    state, opening = start(puzzle.scenario)
    events, seqs = list(opening), []
    for said in puzzle.moves:
        seqs.append(len(events) + 1)
        state, happened = advance(state, said.move)
        events += happened
    return events, seqs


def _store(key: str, owner: str, puzzle: Puzzle, events: list[Event]) -> None:
    """Store the game with its log in one transaction; whoever comes second gets the first one."""
    ended, scenario = events[-1], puzzle.scenario
    assert isinstance(ended, Ended)
    sells = puzzle.seat == "seller"
    game = Game(
        **end_of(ended),
        id=key,
        kind="sell" if sells else "buy",
        owner=owner,
        seat=Game.Seat.SELLER if sells else Game.Seat.BUYER,
        title=scenario.item.title,
        category=scenario.item.category,
        description=scenario.item.condition,
        policy=puzzle.policy,
        policy_version=LABEL,
        source=Game.Source.SIMULATION,
        suite=scenario.suite,
        persona="" if sells else scenario.sealed.persona,
        last_seq=len(events),
        ended_at=timezone.now(),
    )
    rows = [row_of(game, seq, event) for seq, event in enumerate(events, start=1)]
    for row, event in zip(rows, events, strict=True):
        if getattr(event, "actor", puzzle.seat) != puzzle.seat:
            row.backend, row.policy_version = "rules", LABEL
    try:
        with transaction.atomic():
            game.save(force_insert=True)
            SealedRecord.objects.create(game=game, scenario=msgspec.json.encode(scenario))
            EventRow.objects.bulk_create(rows)
    except IntegrityError:
        # A second press, while the first one was stored.
        Game.objects.only("pk").get(pk=key)
