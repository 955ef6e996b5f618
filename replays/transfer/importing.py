"""Bringing an exported replay in: read, verified event by event, and kept for whoever brought it.

Nothing in the file is believed that can be computed: the events are played again, shares, theory
and the honesty certificate follow from them. What is stored is never counted as a result of this
site.
"""

from collections.abc import Callable

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from negotiation.endings import end_of
from negotiation.engine.quantities import Side
from negotiation.games.log_rows import as_recorded, row_of
from negotiation.honesty import certify
from negotiation.models import EventRow, Game, SealedRecord
from negotiation.plans import stored_from
from negotiation.readers import reader
from replays.transfer.errors import UnknownFormat, UnreadableReplay
from replays.transfer.export import FORMAT, FORMATS
from replays.transfer.keeping import id_of, time_of
from replays.transfer.match import FORMAT as MATCH_FORMAT
from replays.transfer.match import import_match
from replays.transfer.sale_checks import Verified, verify
from replays.transfer.sale_format import FileEnded, file_decoder
from replays.transfer.turns import FORMAT as TURNS_FORMAT
from replays.transfer.turns import import_turns

MOST_BYTES = 1_000_000
"""Size of the largest file that is read."""


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What reading hostile JSON can end in."""


class Imported(msgspec.Struct, frozen=True):
    """The replay a file has become; ``is_new`` is False when this visitor had brought it before."""

    game: Game
    is_new: bool


class _Head(msgspec.Struct):
    format: str = ""


def import_replay(owner: str, body: bytes) -> Imported:
    """Keep an exported replay as a private replay of a visitor.

    Args:
        owner: the visitor's session key.
        body: the file.

    Raises:
        ImportRefused: with the first check that failed; nothing was stored.
    """
    if _format(body) == MATCH_FORMAT:
        return _import(import_match, owner, body)
    if _format(body) == TURNS_FORMAT:
        return _import(import_turns, owner, body)
    checked = read_replay(body)
    game = _game(owner, checked)
    rows = _rows(game, checked)
    pk = game.pk = id_of(owner, _content(checked, rows))
    known = Game.objects.filter(pk=pk).first()
    if known is not None:
        return Imported(known, is_new=False)
    game.certificate = _certificate(checked)
    for row in rows:
        row.game = game
    try:
        with transaction.atomic():
            game.save(force_insert=True)
            started = time_of(checked.file.game.started_at) or game.ended_at
            Game.objects.filter(pk=pk).update(created_at=started)
            sealed = msgspec.json.encode(checked.scenario)
            SealedRecord.objects.create(game=game, scenario=sealed)
            EventRow.objects.bulk_create(rows)
    except IntegrityError:
        # The same file, sent twice at once: the first one is the same game.
        return Imported(Game.objects.get(pk=pk), is_new=False)
    return Imported(game, is_new=True)


def read_replay(body: bytes) -> Verified:
    """Read and verify a game of two sides without storing anything.

    Raises:
        ImportRefused: with the first check that failed.
    """
    name = _format(body)
    if name not in FORMATS:
        shown = f", not “{name[:40]}”" if name else ""
        raise UnknownFormat(f"A replay says “{FORMAT}” under “format”{shown}.")
    try:
        file = file_decoder.decode(body)
    except UNREADABLE as wrong:
        raise _unreadable(wrong) from wrong
    return verify(file)


def _format(body: bytes) -> str:
    if len(body) > MOST_BYTES:
        raise UnreadableReplay(f"A replay has at most {MOST_BYTES:,} bytes.")
    try:
        return msgspec.json.decode(body, type=_Head).format
    except UNREADABLE as wrong:
        raise _unreadable(wrong) from wrong


def _import(bring: Callable[[str, bytes], tuple[Game, bool]], owner: str, body: bytes) -> Imported:
    try:
        game, is_new = bring(owner, body)
    except UNREADABLE as wrong:
        raise _unreadable(wrong) from wrong
    return Imported(game, is_new=is_new)


def _unreadable(wrong: Exception) -> UnreadableReplay:
    return UnreadableReplay(f"The file is no exported replay: {str(wrong)[:160]}.")


def _rows(game: Game, checked: Verified) -> list[EventRow]:
    rows = []
    for seq, (told, event) in enumerate(zip(checked.told, checked.events, strict=True), start=1):
        row = as_recorded(row_of(game, seq, event), told)
        row.plan = stored_from(getattr(told, "plan", None))
        rows.append(row)
    return rows


def _content(checked: Verified, rows: list[EventRow]) -> bytes:
    game, versions = checked.file.game, checked.file.versions
    parts = [game.kind, game.description, versions.policy, versions.policy_version]
    parts += [
        f"{row.payload!r} {row.backend} {row.policy_version} {row.latency_ms}" for row in rows
    ]
    return msgspec.json.encode(parts)


def _game(owner: str, checked: Verified) -> Game:
    head, versions, ended = checked.file.game, checked.file.versions, checked.ended
    item = checked.scenario.item
    return Game(
        **end_of(ended),
        kind=head.kind,
        owner=owner,
        seat=Game.Seat.BUYER if head.kind == "buy" else Game.Seat.SELLER,
        title=item.title,
        category=item.category,
        description=head.description,
        policy=versions.policy,
        policy_version=versions.policy_version,
        source=Game.Source.IMPORT,
        share_replay=False,
        suite=checked.scenario.suite,
        persona=ended.opened.persona if head.kind != "sell" else "",
        last_seq=len(checked.events),
        ended_at=time_of(head.ended_at) or timezone.now(),
    )


def _certificate(checked: Verified) -> dict[str, object] | None:
    """Count the house's honesty anew, where the file says that it was counted."""
    last = checked.told[-1]
    if not isinstance(last, FileEnded) or last.certificate is None:
        return None
    house: Side = "seller" if checked.file.game.kind == "buy" else "buyer"
    return certify(checked.events, house, reader().names_secret, reader().promises).to_json()
