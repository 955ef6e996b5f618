"""Games of people who agreed that models learn from them, as lessons and as dialogues.

``Game.may_train`` is the only gate: it is set where everybody in a game agreed, and a game without
it is never read. Nothing here says who played: no keys, names, numbers, addresses or times; a line
in which somebody seems to give a telephone number, an address, a link or a nickname of the game is
left out.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from django.db.models import QuerySet

from agents.dialects.base import Dialect
from bazaarbatna.bargain.episode import State, follow, start
from bazaarbatna.bargain.events import (
    Event,
    MessageSent,
    OfferAccepted,
    OfferMade,
    WalkedAway,
    settled,
)
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.observe import observe_buyer
from bazaarbatna.bargain.people.dialogues import dialogue_of
from bazaarbatna.bargain.people.joining import Counted
from bazaarbatna.bargain.quantities import Side
from negotiation.bargain.continuation import move_of
from negotiation.bargain.recorded import Setting
from negotiation.games.event_log import from_payload
from negotiation.models import PAIR, EventRow, Game
from training.data.corpus import HELD_OUT_SHARE
from training.data.teaching import Lesson, as_prose
from training.disk import CARD, write_json, write_rows

NUMBER = 2  # Version of how games become lessons; raise it with every change
DIALOGUES = "dialogues.jsonl"
CHUNK = 200
LEAST_GAMES = 10
"""Below that nothing is written: of a few games somebody might know whose they are."""

_PLACES = (
    r"t\.me|wa\.me|instagr\.am|youtu\.be|fb\.me|m\.me|bit\.ly|goo\.gl|discord\.gg|telegram\.me"
)
_ENDS = r"com|in|org|net|me|co|io|app|link|page|shop|store|info|biz|dev|gl|ly|ai|edu|gov|भारत"
_SIGN = r"[\w\u0900-\u0dff-]"
"""What words are of: vowels of Hindi and its sisters are marks, which ``\\w`` leaves out."""
_TELLS_WHO = re.compile(
    # An address of the post or of money: ravi@okaxis, 98765@upi, ravi @ okaxis; a name: @ravi_k.
    # Before and after the sign so many characters are looked at: else each would be a beginning of
    # all that follow, and a line of 2,000 letters took two seconds.
    r"[^\W\d_][\w.+-]{0,64}@[\w-]|[\w.+-]@[\w.-]{0,64}[^\W\d_]"
    r"|[^\W\d_][\w.+-]{0,64}\s?@\s?[^\W\d_]{3}|(?<![\w.])@[^\W\d_]\w{2}"
    # A link, with a scheme or without.
    rf"|\w://|\bwww\.|(?<![\w.])(?:{_PLACES})\b|{_SIGN}{{2}}\.(?:{_ENDS})\b"
    r"|\b(?:dot|डॉट)\s(?:com|in|org|net|me)\b"
    # Nine digits in a row: longer than any price.
    r"|(?:\d[\s().-]?){9}",
    flags=re.IGNORECASE,
)
"""What leads to somebody, blanks being one blank; digits are those of every script."""

_GAP = r"\s?"
_SUM = rf"(?:rs\.?|inr|₹)?{_GAP}\d[\d,.]{{0,9}}(?:{_GAP}(?:rs|rupees|/-|k)\b\.?)?"
_PRICE_OF_SOME = re.compile(rf"(?<!\w){_SUM}{_GAP}@{_GAP}{_SUM}(?![\w@])", flags=re.IGNORECASE)
"""So many at a price: 50@2, 10 @ Rs 100."""

_LONG = 4
"""Letters of a nickname that is looked for inside words; a shorter one begins a word or is one."""


class Spoken(msgspec.Struct, frozen=True):
    """A consented game: its log without what tells who somebody is, and where people sat.

    ``by_people`` are the places of the events that a person made, from 0.
    """

    log: Log
    by_people: frozenset[int]
    sides: tuple[Side, ...]


def consented() -> QuerySet[Game]:
    """Return the games that may be learned from.

    A rematch is left out, too: its person knew what the other side held.
    """
    return Game.objects.filter(
        may_train=True,
        status=Game.Status.ENDED,
        source=Game.Source.PERSON,
        kind__in=("sell", "buy"),
        rematch_of=None,
    ).order_by("pk")


def spoken_games() -> Iterator[Spoken]:
    """Read the games that may be learned from, a few at a time."""
    ids: list[Game] = []
    for game in consented().select_related("sealed").iterator(chunk_size=CHUNK):
        ids.append(game)
        if len(ids) == CHUNK:
            yield from _read(ids)
            ids = []
    yield from _read(ids)


def _read(games: list[Game]) -> Iterator[Spoken]:
    logs: dict[str, list[EventRow]] = {}
    for row in EventRow.objects.filter(game__in=games).order_by("game", "seq"):
        logs.setdefault(row.game_id, []).append(row)
    for game in games:
        yield _spoken(game, logs[game.pk])


def _spoken(game: Game, rows: list[EventRow]) -> Spoken:
    scenario = msgspec.json.decode(bytes(game.sealed.scenario), type=Setting)
    names = names_of(game)
    events = settled([_without_who(from_payload(row.payload), names) for row in rows])
    moved = [isinstance(event, SPOKEN) for event in events]
    served = {row.seq for row, spoke in zip(rows, moved, strict=True) if spoke and row.backend}
    by_people = frozenset(
        place
        for place, (row, spoke) in enumerate(zip(rows, moved, strict=True))
        if spoke and row.seq not in served
    )
    # A seat that a policy took over, or that the table closed, is no person's any more.
    away = {getattr(events[seq - 1], "actor", None) for seq in served}
    seats: tuple[Side, ...] = ("seller", "buyer")
    began = seats if game.suite == PAIR else tuple(one for one in seats if one == game.seat)
    return Spoken(
        Log(scenario, events), by_people, tuple(side for side in began if side not in away)
    )


SPOKEN = (OfferMade, OfferAccepted, WalkedAway, MessageSent)


def _without_who(event: Event, names: Iterable[str]) -> Event:
    text = getattr(event, "text", "")
    return msgspec.structs.replace(event, text="") if tells_who(text, names) else event


def tells_who(text: str, names: Iterable[str] = ()) -> bool:
    """Whether a line seems to say who somebody is: an address, a number, a nickname of the game.

    >>> tells_who("pay to ravi@okaxis"), tells_who("8500/- for 2, 50@2 for more")
    (True, False)
    """
    plain = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))
    if _TELLS_WHO.search(_PRICE_OF_SOME.sub(" ", plain)):
        return True
    # Letters one by one, r a v i, are one word.
    spaced = re.sub(r"(?<!\w)(\w)\s+(?=\w(?!\w))", r"\1", plain)
    words = {
        _letters(word)
        for word in [*plain.split(), *spaced.split(), *re.split(r"[^\w\u0900-\u0dff]+", plain)]
    }
    return any(_is_in(name, word) for name in names for word in words)


def _is_in(name: str, word: str) -> bool:
    if len(name) >= _LONG:
        return name in word
    return word.startswith(name) if len(name) == _LONG - 1 else word == name


def names_of(game: Game) -> frozenset[str]:
    """Return the nicknames of a game, whole and word by word, as they are looked for.

    Words that the house itself gives name nobody.
    """
    found = set()
    for shown in game.names.values():
        found |= {_letters(one) for one in [str(shown), *str(shown).replace("_", " ").split()]}
    return frozenset(one for one in found - _NOBODY if len(one) > 1 and not one.isdecimal())


_NOBODY = frozenset(
    {"guest", "buyer", "seller", "sauda", "you", "मेहमान", "ji", "bhai", "जी", "भाई"}
)


def _letters(text: str) -> str:
    """Fold words to their letters and digits, so that R.a-v_i is ravi.

    Marks stay, since in Hindi they are vowels; accents of Latin letters go.
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    latin = (c for c in plain if not "\u0300" <= c <= "\u036f")
    return "".join(c for c in latin if unicodedata.category(c)[0] in "LNM")


def lessons_of(way: Dialect, game: Spoken) -> tuple[list[Lesson], str]:
    """Return what the buyers among people teach, and the bargain as prose."""
    lessons: list[Lesson] = []
    lines: list[str] = []
    state, expected = start(game.log.scenario)
    for place, event in enumerate(game.log.events):
        if getattr(event, "actor", "") == "buyer" and not state.ended:
            lesson, line = _lesson(way, state, event)
            if lesson is not None and place in game.by_people:
                lessons.append(lesson)
            lines += [line] if line else []
        state, expected = follow(state, expected, event)
    return lessons, "\n".join(lines)


def _lesson(way: Dialect, state: State, event: Event) -> tuple[Lesson | None, str]:
    seen = observe_buyer(state)
    if isinstance(event, MessageSent):
        talk = way.messages(seen, speak_only=True)
        return Lesson(talk, way.reply(seen, event.text)) if event.text else None, ""
    move = move_of(event)
    if move is None:
        return None, ""
    is_last = seen.round == seen.max_rounds
    return Lesson(way.messages(seen), way.answer(seen, move), is_last), as_prose(seen, move)


class TooFewGames(ValueError):
    """Fewer games than ``LEAST_GAMES`` may be learned from; nothing was written."""


def write_consented(
    folder: Path, way: Dialect, say: Callable[[str], None] = print
) -> dict[str, Any]:
    """Write lessons as a ``Corpus``, and dialogues for the fit of the population; return the card.

    Raises TooFewGames.
    """
    games = list(spoken_games())
    if len(games) < LEAST_GAMES:
        raise TooFewGames(len(games))
    parts: dict[str, list[Lesson]] = {"train": [], "held-out": []}
    prose: list[str] = []
    for game in games:
        lessons, line = lessons_of(way, game)
        part = "held-out" if _is_held_out(game) else "train"
        parts[part] += lessons
        if part == "train" and line:
            prose.append(line)
    for part, rows in parts.items():
        write_rows(folder / f"{part}.jsonl", rows)
    write_rows(folder / "prose.jsonl", prose)
    write_rows(folder / DIALOGUES, [Counted(one.sides, dialogue_of(one.log)) for one in games])
    card = {
        "made by": f"export_training@{NUMBER}",
        "prompt": way.version,
        "dialect": way.name,
        "games": len(games),
        "games between two people": sum(len(one.sides) == 2 for one in games),
        "lessons": {part: len(rows) for part, rows in parts.items()},
        "bargains": len(prose),
    }
    write_json(folder / CARD, card, 2)
    say(f"{folder}: {len(games)} games, {len(parts['train'])} lessons")
    return card


def _is_held_out(game: Spoken) -> bool:
    # By the sealed salt: the same game is always on the same side.
    digest = hashlib.sha256(game.log.scenario.salt.encode()).digest()
    return digest[0] < 256 * HELD_OUT_SHARE
