"""Bringing an exported match in.

A match follows from its hidden values and the buyers' envelopes alone. So it is played again from
these, and then told again: every event and every other line of the file must be what comes out.
"""

import hashlib
from typing import Any

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from arena.endings import end_of
from arena.engine.events import ArenaEvent, Ended
from arena.engine.making import RULES
from arena.engine.match import place, start
from arena.engine.moves import ArenaMove, Bid, Hold, Leave, Take
from arena.engine.scenario import ArenaScenario, ArenaSealed, Seat
from arena.stored_events import to_payload
from negotiation.engine.errors import GameError
from negotiation.engine.quantities import InvalidPrice
from negotiation.engine.scenario import Item
from negotiation.engine.sealed import committed_text
from negotiation.engine.sellers import SELLERS
from negotiation.games.log_rows import as_recorded, row_of
from negotiation.models import EventRow, Game, SealedRecord
from replays.finished import ARENA, replay_frames
from replays.transfer.errors import BrokenPromise, NoGame, UnreadableReplay, WrongSummary
from replays.transfer.keeping import id_of, time_of
from replays.transfer.match_export import FORMAT, arena_document
from replays.transfer.match_format import (
    FilePlaced,
    MatchFile,
    kind_decoder,
    match_decoder,
    placed_decoder,
)
from replays.transfer.sale_events import Doubtful, exact_paise, said

MOST_EVENTS = 600
Log = list[tuple[ArenaEvent, FilePlaced | None]]
"""Events, and what the file tells of those that are envelopes."""


def import_match(owner: str, body: bytes) -> tuple[Game, bool]:
    """Keep an exported match as a private replay of a visitor.

    Returns:
        The replay, and whether it is new.

    Raises:
        ImportRefused: with the first check that failed; nothing was stored.
    """
    file = match_decoder.decode(body)
    told = msgspec.json.decode(body)
    scenario = _scenario(file)
    log, ended = _played(file, scenario)
    pk = id_of(owner, msgspec.json.encode(told, order="sorted"))
    known = Game.objects.filter(pk=pk).first()
    if known is not None:
        return known, False
    try:
        with transaction.atomic():
            game = _keep(pk, owner, file, scenario, ended, log)
            _compare(told, game)
    except IntegrityError:
        return Game.objects.get(pk=pk), False
    return game, True


def _scenario(file: MatchFile) -> ArenaScenario:
    text, item, opened = file.committed_text, file.game.item, file.opened
    if hashlib.sha256(text.encode()).hexdigest() != file.commitment:
        raise BrokenPromise("The committed text does not have the promised SHA-256.")
    actors = [f"buyer-{number}" for number in range(1, len(file.game.buyers) + 1)]
    if [buyer.actor for buyer in file.game.buyers] != actors or sorted(opened.budgets) != actors:
        raise UnreadableReplay("The buyers are not numbered as they sit, with a budget each.")
    if opened.persona not in SELLERS:
        raise UnreadableReplay("The seller has a persona that is not known here.")
    try:
        for words in (item.title, item.category, item.condition, *(_names(file))):
            said(words)
        sealed = ArenaSealed(
            exact_paise(opened.reservation),
            exact_paise(opened.cost),
            opened.seed,
            opened.persona,
            tuple(exact_paise(opened.budgets[actor]) for actor in actors),
        )
        anchor = exact_paise(file.game.opening_ask)
    except Doubtful as wrong:
        raise UnreadableReplay(f"The start of the match cannot be: {wrong}") from wrong
    if committed_text(sealed, file.salt) != text:
        raise BrokenPromise("The opened values are not those in the committed text.")
    visible = bool(file.events) and kind_decoder.decode(file.events[0]).persona is not None
    return ArenaScenario(
        suite=file.versions.suite,
        item=Item(item.title, item.category, item.condition, item.condition_label, item.currency),
        max_rounds=file.game.max_rounds,
        anchor=anchor,
        sealed=sealed,
        salt=file.salt,
        seats=tuple(Seat(b.name, b.policy, b.version, b.person) for b in file.game.buyers),
        seller=file.versions.seller,
        persona_visible=visible,
        rules=RULES,
    )


def _names(file: MatchFile) -> list[str]:
    return [file.game.description, *(buyer.name for buyer in file.game.buyers)]


def _played(file: MatchFile, scenario: ArenaScenario) -> tuple[Log, Ended]:
    """Play the envelopes again; each event of the file has its place among what comes out."""
    if not 2 <= len(file.events) <= MOST_EVENTS:
        raise UnreadableReplay(f"A match has 2 to {MOST_EVENTS} events.")
    log: Log = []
    try:
        state, coming = start(scenario)
    except (InvalidPrice, ValueError) as wrong:
        raise NoGame(f"This match cannot begin: {wrong}", event=1) from wrong
    last: ArenaEvent = coming[0]
    for number, raw in enumerate(file.events, start=1):
        fine, told = number - 1, None
        try:
            if not coming:
                told = placed_decoder.decode(raw)
                seat = int(told.actor.removeprefix("buyer-")) - 1
                state, coming = place(state, seat, _move(told))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
            detail = f"Event {number} cannot be read: {str(wrong)[:160]}."
            raise UnreadableReplay(detail, event=number, fine=fine) from wrong
        except (Doubtful, GameError, ValueError) as wrong:
            detail = f"Event {number} is not what the rules lead to. {wrong}"
            raise NoGame(detail, event=number, fine=fine) from wrong
        last, coming = coming[0], coming[1:]
        log.append((last, told))
    if not isinstance(last, Ended):
        raise NoGame("The match does not end: its last events are missing.", fine=len(log))
    return log, last


def _move(told: FilePlaced) -> ArenaMove:
    text = said(told.text)
    if told.action == "offer":
        if told.price is None:
            raise Doubtful("An offer names a price.")
        return Bid(exact_paise(told.price), text, told.signal)
    if told.price is not None:
        raise Doubtful("Only an offer names a price.")
    if told.action == "accept":
        return Take(text, told.signal)
    return Hold(text, told.signal) if told.action == "hold" else Leave(text, told.signal)


def _keep(
    pk: str, owner: str, file: MatchFile, scenario: ArenaScenario, ended: Ended, log: Log
) -> Game:
    game = Game(
        **end_of(ended),
        id=pk,
        kind=ARENA,
        source=Game.Source.IMPORT,
        seat=Game.Seat.BUYER,
        owner=owner,
        title=scenario.item.title,
        category=scenario.item.category,
        description=file.game.description,
        policy=", ".join(seat.policy for seat in scenario.seats)[:60],
        share_replay=False,
        suite=scenario.suite,
        persona=ended.opened.persona,
        last_seq=len(log),
        ended_at=time_of(file.game.ended_at) or timezone.now(),
    )
    game.save(force_insert=True)
    started = time_of(file.game.started_at) or game.ended_at
    Game.objects.filter(pk=pk).update(created_at=started)
    SealedRecord.objects.create(game=game, scenario=to_payload(scenario))
    EventRow.objects.bulk_create(
        as_recorded(row_of(game, seq, event), told)
        for seq, (event, told) in enumerate(log, start=1)
    )
    return game


def _compare(told: dict[str, Any], game: Game) -> None:
    """Tell the match again, and compare line by line."""
    again = msgspec.to_builtins(arena_document(game, replay_frames(game)))
    for number, (one, other) in enumerate(
        zip(told["events"], again["events"], strict=True), start=1
    ):
        if _without(one, "replay") != _without(other, "replay"):
            detail = f"Event {number} is not what the envelopes before it lead to."
            raise NoGame(detail, event=number, fine=number - 1)
    # The comment is written anew: its words may have changed since.
    for name in ("game", "versions", "opened", "salt", "commitment", "committed_text"):
        parts = [
            _without(doc[name], "id", "started_at", "ended_at", "site") for doc in (told, again)
        ]
        if parts[0] != parts[1]:
            detail = f"The events are a match, but “{name}” says something else than they do."
            raise WrongSummary(detail, fine=len(told["events"]))


def _without(value: Any, *names: str) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: part for key, part in value.items() if key not in (*names, "remarks")}


__all__ = ["FORMAT", "import_match"]
