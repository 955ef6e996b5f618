"""Bringing an exported replay in: read, played again, told again, compared, kept.

Nothing in the file is believed that can be computed; its words are nobody's unless a signature says
whose. What is stored is never counted as a result of this site; only whoever brought it sees it.
"""

import codecs
import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from msgspec import Meta

from arena.auction.web.game import AUCTION
from arena.auction.web.records import end_of
from bazaarbatna.auction.events import (
    Action,
    ArenaEvent,
    ArenaMove,
    Bid,
    Ended,
    Hold,
    Leave,
    Signal,
    Take,
)
from bazaarbatna.auction.making import RULES
from bazaarbatna.auction.match import place, start
from bazaarbatna.auction.scenario import ArenaScenario, ArenaSealed, Seat
from bazaarbatna.bargain.sellers import SELLERS
from negotiation.errors import UnknownGame
from negotiation.games.event_log import as_recorded, row_of, to_payload
from negotiation.games.turn_game import turn_game
from negotiation.models import EventRow, Game, SealedRecord, id_from
from negotiation.plans import stored_from
from negotiation.sentences import sentences
from replays.transfer import export, reading
from replays.transfer.reading import (
    UNREADABLE,
    BrokenSignature,
    Doubtful,
    NoGame,
    Played,
    Strict,
    UnknownFormat,
    UnreadableReplay,
    WrongSummary,
    exact_paise,
    said,
    short,
    time_of,
)
from replays.transfer.sale import read_sale
from replays.transfer.signing import (
    BadSignature,
    Unsignable,
    is_ours,
    signer_of,
    strictly_read,
)

say = sentences(__file__)

_Actor = Annotated[str, Meta(pattern=r"^buyer-[1-4]$")]


class _Buyer(Strict):
    actor: _Actor
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    policy: reading.Label
    version: reading.Name
    person: bool


class _Sealed(Strict):
    reservation: float
    cost: float
    persona: reading.Persona
    seed: reading.Seed
    budgets: dict[_Actor, float]


class _MatchHead(reading.FileHead):
    kind: Literal["arena"]
    item: reading.FileItem
    max_rounds: reading.Round
    opening_ask: float
    buyers: Annotated[list[_Buyer], Meta(min_length=2, max_length=4)]


class _Versions(msgspec.Struct):
    suite: reading.Label
    seller: reading.Name


class _MatchFile(reading.SealedFile):
    game: _MatchHead
    versions: _Versions
    opened: _Sealed
    remarks: list[Any]


class _Placed(reading.FileLine, tag="placed", kw_only=True):
    actor: _Actor
    action: Action
    price: float | None
    signal: Signal | None


class _Opening(msgspec.Struct):
    persona: str | None = None


def read_match(body: bytes) -> Played:
    """Read a file and play its envelopes again; raises ``ImportRefused``."""
    file = msgspec.json.decode(body, type=_MatchFile)
    scenario = _scenario(file)
    try:
        state, coming = start(scenario)
    except ValueError as wrong:
        raise NoGame(say("this_match_cannot_begin_why", why=wrong), event=1) from wrong

    def take(raw: msgspec.Raw, number: int) -> tuple[ArenaEvent, _Placed | None]:
        nonlocal state, coming
        line = None
        if not coming:
            line = msgspec.json.decode(raw, type=_Placed)
            seat = int(line.actor.removeprefix("buyer-")) - 1
            state, coming = place(state, seat, _move(line))
        event, *rest = coming
        coming = tuple(rest)
        return event, line

    events, lines = reading.play(file.events, take, reading.MOST_EVENTS)
    ended = events[-1]
    if not isinstance(ended, Ended):
        raise reading.unfinished(len(events))
    row = {
        **end_of(ended),
        "kind": AUCTION.kinds[0],
        "seat": Game.Seat.BUYER,
        "title": scenario.item.title,
        "category": scenario.item.category,
        "policy": ", ".join(seat.policy for seat in scenario.seats)[:60],
        "suite": scenario.suite,
        "persona": ended.opened.persona,
    }
    content = msgspec.json.encode(msgspec.json.decode(body), order="sorted")
    return Played(scenario, events, lines, file.game, row, content)


def _scenario(file: _MatchFile) -> ArenaScenario:
    opened, buyers = file.opened, file.game.buyers
    actors = [f"buyer-{number}" for number in range(1, len(buyers) + 1)]
    if [buyer.actor for buyer in buyers] != actors or sorted(opened.budgets) != actors:
        raise UnreadableReplay(say("buyers_are_not_numbered"))
    if opened.persona not in SELLERS:
        raise UnreadableReplay(say("unknown_persona"))
    sealed = ArenaSealed(
        exact_paise(opened.reservation),
        exact_paise(opened.cost),
        opened.seed,
        opened.persona,
        tuple(exact_paise(opened.budgets[actor]) for actor in actors),
    )
    file.check_promise(sealed)
    first = msgspec.json.decode(file.events[0], type=_Opening) if file.events else _Opening()
    return ArenaScenario(
        suite=file.versions.suite,
        item=file.game.item.item(),
        max_rounds=file.game.max_rounds,
        anchor=exact_paise(file.game.opening_ask),
        sealed=sealed,
        salt=file.salt,
        seats=tuple(Seat(reading.said(b.name), b.policy, b.version, b.person) for b in buyers),
        seller=file.versions.seller,
        persona_visible=first.persona is not None,
        rules=RULES,
    )


_SILENT: dict[Action, type[Take | Hold | Leave]] = {"accept": Take, "hold": Hold, "walk": Leave}


def _move(line: _Placed) -> ArenaMove:
    text = reading.said(line.text)
    if (line.action == "offer") != (line.price is not None):
        raise Doubtful(say("only_an_offer_has_a_price"))
    if line.price is not None:
        return Bid(exact_paise(line.price), text, line.signal)
    return _SILENT[line.action](text, line.signal)


MOST_EVENTS = 5000


class _TurnHead(msgspec.Struct):
    kind: str
    seat: str
    started_at: str | None = None
    ended_at: str | None = None


class _Line(msgspec.Struct):
    event: msgspec.Raw
    backend: str = ""
    policy_version: str = ""


class _File(msgspec.Struct):
    game: _TurnHead
    scenario: msgspec.Raw
    events: list[msgspec.Raw]


def read_turns(body: bytes) -> Played:
    """Read a file and play its game again, move by move; raises ``ImportRefused``."""
    file = msgspec.json.decode(body, type=_File)
    head = file.game
    try:
        rules = turn_game(head.kind)
    except UnknownGame:
        raise UnknownFormat(say("unknown_kind", kind=repr(head.kind[:40]))) from None
    if head.seat not in rules.seats:
        raise UnreadableReplay(say("has_one_of_the_seats", seats=rules.seats))
    scenario = msgspec.json.decode(file.scenario, type=rules.scenario_type)
    state, coming = rules.start(scenario)

    def take(raw: msgspec.Raw, number: int) -> tuple[Any, _Line]:
        nonlocal state, coming
        line = msgspec.json.decode(raw, type=_Line)
        event = rules.event_from(bytes(line.event))
        if not coming:
            move = rules.move_of(event)
            if move is None:
                raise Doubtful(say("does_not_follow"))
            state, coming = rules.apply(state, *move)
        if event != coming[0]:
            raise Doubtful(say("leads_elsewhere"))
        coming = coming[1:]
        return event, line

    events, lines = reading.play(file.events, take, MOST_EVENTS)
    ending = rules.ending(state)
    if coming or not ending:
        raise reading.unfinished(len(events))
    row = {
        **ending,
        "kind": head.kind,
        "seat": head.seat,
        "title": rules.title,
        "policy": head.kind,
    }
    content = msgspec.json.encode([head.seat, scenario, events])
    times = reading.FileHead("", head.started_at, head.ended_at)
    return Played(scenario, events, lines, times, row, content)


MOST_BYTES = 1_000_000
MOST_LETTERS = 60_000
"""Of all words in a file that this house has not signed: they are read for what they give away.
That is thirty lines as long as one may be, some twenty times what is said in a long game."""
MOST_PARTS = 60_000
"""Commas and brackets of a file. A game of 600 events has some 20,000; what is nothing but empty
brackets costs three times as much for each byte."""

READERS: dict[str, Callable[[bytes], Played]] = {
    **dict.fromkeys(export.SALES, read_sale),
    export.MATCH: read_match,
    export.TURNS: read_turns,
}

_COMPARED = ("game", "versions", "opened", "salt", "commitment", "committed_text", "scenario")
_NEW = ("id", "started_at", "ended_at", "site")  # new where a game comes back
_READ = ("replay", "certificate", "remarks", "plan", "backend", "policy_version", "latency_ms")
"""What no event leads to: who served it and why, and what is written anew. It has been read."""


class Imported(msgspec.Struct, frozen=True):
    """The replay a file has become; ``is_new`` is False when this visitor had brought it before."""

    game: Game
    is_new: bool


class _Head(msgspec.Struct):
    format: str = ""


def import_replay(owner: str, body: bytes) -> Imported:
    """Keep an exported replay as a private replay of a visitor, or raise ``ImportRefused``."""
    told, words_by = _read(body.removeprefix(codecs.BOM_UTF8))
    played = _play(told)
    game, rows = _game(owner, played, words_by or "")
    game.pk = _id_of(owner, game.words_by, played.content or _content(game, rows))
    known = Game.objects.filter(pk=game.pk).first()
    if known is not None:
        _compare(told, known)
        _check_signature(words_by)
        return Imported(known, is_new=False)
    try:
        with transaction.atomic():
            _keep(game, rows, played)
            _compare(told, game)
            # Last: where a game was changed, what does not follow in it is the better answer.
            _check_signature(words_by)
    except IntegrityError:
        # The same file, sent twice at once: the first one is the same game.
        return Imported(Game.objects.get(pk=game.pk), is_new=False)
    return Imported(game, is_new=True)


def too_long() -> str:
    """Say how large a file may be."""
    return say("most_bytes", most=f"{MOST_BYTES:,}")


def _read(body: bytes) -> tuple[dict[str, Any], str | None]:
    """Return what a file tells, and whose words it has: ``Game.words_by``, None if it is not so."""
    if len(body) > MOST_BYTES:
        raise UnreadableReplay(too_long())
    if sum(map(body.count, (b",", b"[", b"{"))) > MOST_PARTS:
        raise UnreadableReplay(say("most_signs", most=f"{MOST_PARTS:,}"))
    try:
        name = msgspec.json.decode(body, type=_Head).format
        if name not in READERS:
            words = say("other_format") if name else say("no_format")
            raise UnknownFormat(words % {"format": export.SALE, "said": name[:40]})
        told = strictly_read(body)
        words_by = _words_by(told)
    except (*UNREADABLE, Unsignable) as wrong:
        raise _unreadable(wrong) from wrong
    if words_by not in OURS and _letters(told) > MOST_LETTERS:
        raise UnreadableReplay(say("most_words", most=f"{MOST_LETTERS:,}"))
    return told, words_by


OURS = ("", Game.TRIED)
"""What ``Game.words_by`` says of words that were said here."""


def _letters(told: dict[str, Any]) -> int:
    events = told.get("events")
    listed = events if isinstance(events, list) else ()
    lines = (event.get("text") for event in listed if isinstance(event, dict))
    return sum(len(line) for line in lines if isinstance(line, str))


def _words_by(told: dict[str, Any]) -> str | None:
    if "signature" not in told:
        return Game.NOBODY
    try:
        found = signer_of(told)
    except BadSignature:
        return None
    finally:
        del told["signature"]
    if not is_ours(found.public_key):
        return found.key
    return Game.TRIED if found.of == Game.Source.WHAT_IF else ""


def _check_signature(words_by: str | None) -> None:
    if words_by is None:
        raise BrokenSignature(say("signature_does_not_fit"))


def _play(told: dict[str, Any]) -> Played:
    try:
        played = READERS[told["format"]](json.dumps(told, ensure_ascii=False).encode())
        said(played.head.description.replace("\r\n", "\n"))
    except (*UNREADABLE, Doubtful) as wrong:
        raise _unreadable(wrong) from wrong
    return played


def _unreadable(wrong: Exception) -> UnreadableReplay:
    return UnreadableReplay(say("no_exported_replay", why=short(wrong)))


def _game(owner: str, played: Played, words_by: str) -> tuple[Game, list[EventRow]]:
    game = Game(
        **played.fields,
        owner=owner,
        description=played.head.description,
        source=Game.Source.IMPORT,
        words_by=words_by,
        share_replay=False,
        last_seq=len(played.events),
        ended_at=time_of(played.head.ended_at) or timezone.now(),
    )
    rows = []
    for seq, (event, line) in enumerate(zip(played.events, played.lines, strict=True), start=1):
        row = as_recorded(row_of(game, seq, event), line)
        row.plan = stored_from(getattr(line, "plan", None))
        rows.append(row)
    return game, rows


def _content(game: Game, rows: list[EventRow]) -> bytes:
    parts = [game.kind, game.description, game.policy, game.policy_version]
    parts += [
        f"{row.payload!r} {row.backend} {row.policy_version} {row.latency_ms}" for row in rows
    ]
    return msgspec.json.encode(parts)


def _id_of(owner: str, words_by: str, content: bytes) -> str:
    # By what is in a file: brought twice by one visitor, it is one replay. With another signature,
    # or with none, it is another file.
    whose = b"" if words_by == Game.NOBODY else b"signed " + words_by.encode() + b"\0"
    digest = hashlib.sha256(owner.encode() + b"\0" + whose + content).digest()
    return id_from(hmac.digest(settings.SECRET_KEY.encode(), b"import" + digest, "sha256"))


def _keep(game: Game, rows: list[EventRow], played: Played) -> None:
    game.save(force_insert=True)
    # The field fills itself in when a row is new.
    game.created_at = time_of(played.head.started_at) or game.ended_at or timezone.now()
    Game.objects.filter(pk=game.pk).update(created_at=game.created_at)
    SealedRecord.objects.create(game=game, scenario=to_payload(played.scenario))
    for row in rows:
        row.game = game
    EventRow.objects.bulk_create(rows)


def _compare(told: dict[str, Any], game: Game) -> None:
    # As the file says it: JSON has lists where a scenario has tuples.
    again = msgspec.json.decode(export.to_json(export.document(game)))
    pairs = zip(told["events"], again["events"], strict=True)
    for number, pair in enumerate(pairs, start=1):
        one, other = (_without(event, _READ) for event in pair)
        if one != other:
            detail = say("event_does_not_follow", number=number)
            raise NoGame(detail, event=number, fine=number - 1)
    for name in _COMPARED:
        one, other = (_without(document.get(name), _NEW) for document in (told, again))
        if isinstance(other, dict) and (not isinstance(one, dict) or set(one) != set(other)):
            raise UnreadableReplay(say("field_is_not_as_documented", name=name))
        if one != other:
            raise WrongSummary(name, len(told["events"]))


def _without(value: Any, names: tuple[str, ...]) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: part for key, part in value.items() if key not in names}
