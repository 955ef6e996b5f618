"""Three games to open first, computed anew every few minutes from what people share lately.

The closest is the deal that split the room most evenly. The boldest bluff is an untrue claim, held
against the opened envelope, of the seller who kept most after one. The best line is what people
pointed their thumbs up at most; where nobody has, the best bargain stands in its place. Games with
little talk, or in a language that is not the reader's, come after the examples of the house.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from django.db.models import Count, Q
from django.utils.translation import get_language

from negotiation.bargain.game import SALE
from negotiation.bargain.web.bubbles import Frame
from negotiation.bargain.web.seats import replay_cast
from negotiation.games.game import game_of
from negotiation.models import Game, LineThumb
from negotiation.ttl_cache import cached
from replays.browse.shelf import read_in
from replays.ledger.page import ledger_page

Why = Literal["closest", "bluff", "line", "best"]

NEWEST = 24
"""Shared games of people that are looked at."""

LEAST_ROUNDS = 3
"""A shorter haggle is no story: it is shown where there is no other."""

LEAST_LINES = 8
"""With fewer lines in words, both sides together, there is little to read."""

KEPT_S = 300.0
SHORT = 110  # characters of a quoted line


class Featured(msgspec.Struct, frozen=True):
    """A game to open first: why, the words it is quoted with, and the event they stand at.

    ``truth``: what the opened envelope said to a bluff.
    """

    why: Why
    game: Game
    words: str = ""
    seq: int | None = None
    truth: str = ""

    @property
    def kept(self) -> float:
        """What its person kept of the room."""
        game = self.game
        return (game.seller_share if game.seat == Game.Seat.SELLER else game.buyer_share) or 0.0


def featured() -> tuple[Featured, ...]:
    """Return up to three different games that people share; the same for all of a language."""
    language = (get_language() or "en")[:2]
    return cached(f"featured-replays {language}", KEPT_S, lambda: _found(language))


def _found(language: str) -> tuple[Featured, ...]:
    logs: Logs = {}
    people, examples = (
        _deals(source, logs) for source in (Game.Source.PERSON, Game.Source.EXAMPLE)
    )
    long = [game for game in people if (game.rounds_used or 0) >= LEAST_ROUNDS]
    told = read_in(language, [game for game in long if _is_told(game, logs[game.pk])])
    examples = read_in(language, examples)
    found: list[Featured] = []
    for why in (_boldest, _best_line, _closest):
        for games in (told, examples, long or people):
            left = [game for game in games if all(game.pk != one.game.pk for one in found)]
            one = why(left, logs)
            if one is not None:
                found.append(one)
                break
    return tuple(found[::-1])


Logs = dict[str, list[Frame]]


def _deals(source: str, logs: Logs) -> list[Game]:
    some = Game.objects.filter(
        share_replay__in=(True,),
        status=Game.Status.ENDED,
        source=source,
        kind__in=SALE.kinds,
        seller_share__isnull=False,
    )
    games = list(some.order_by("-ended_at", "-id")[:NEWEST])
    logs.update((game.pk, game_of(game.kind).frames(game, "")) for game in games)
    # A log that is not whole keeps its game from here, not the shelf from everybody.
    return [game for game in games if [f["event"]["kind"] for f in logs[game.pk][-1:]] == ["ended"]]


def _lines(frames: list[Frame], by: str = "") -> list[str]:
    """Return what was said in words, by one side or both."""
    events = [frame["event"] for frame in frames]
    said = [str(one.get("text") or "") for one in events if by in ("", one.get("actor"))]
    return [text for text in said if any(map(str.isalpha, text))]


def _is_told(game: Game, frames: list[Frame]) -> bool:
    return len(_lines(frames)) >= LEAST_LINES and (game.deal_price or 0) % 100 == 0


def _quoted(why: Why, game: Game | None, logs: Logs, by: str = "") -> Featured | None:
    """Quote the longest line that is short enough: it says more than the others."""
    if game is None:
        return None
    short = [text for text in _lines(logs[game.pk], by) if len(text) <= SHORT]
    return Featured(why, game, max(short, key=len, default=""))


def _closest(games: Sequence[Game], logs: Logs) -> Featured | None:
    def apart(game: Game) -> float:
        return abs((game.seller_share or 0.0) - 0.5)

    return _quoted("closest", min(games, key=apart, default=None), logs)


def _boldest(games: Sequence[Game], logs: Logs) -> Featured | None:
    bluffs = [one for game in games for one in _bluffs(game, logs[game.pk])]
    return max(bluffs, key=lambda one: one.kept, default=None)


def _bluffs(game: Game, frames: list[Frame]) -> Iterator[Featured]:
    page = ledger_page(game, frames, replay_cast(game))
    for block in page.blocks if page and game.seat == Game.Seat.SELLER else ():
        told = [row.verdict for row in block.rows if row.verdict and row.verdict.word == "bluff"]
        if told:
            said = _cut("".join(piece.text for piece in block.pieces))
            yield Featured("bluff", game, said, block.seq, told[0].why)


def _best_line(games: Sequence[Game], logs: Logs) -> Featured | None:
    up, down = (Count("pk", filter=Q(thumb=way)) for way in ("up", "down"))
    liked = (
        LineThumb.objects.filter(game__in=[game.pk for game in games])
        .order_by()
        .values_list("game", "seq")
        .annotate(ahead=up - down)
        .filter(ahead__gt=0)
        .order_by("-ahead", "game", "seq")
        .first()
    )
    if liked is not None:
        key, seq, _ = liked
        game = next(one for one in games if one.pk == key)
        return Featured("line", game, _cut(str(logs[key][seq - 1]["event"].get("text", ""))), seq)
    best = max(games, key=lambda game: Featured("best", game).kept, default=None)
    return _quoted("best", best, logs, best.seat if best else "")


def _cut(text: str) -> str:
    return text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"
