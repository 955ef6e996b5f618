"""The page /voices/: a pair without names, then who was who and what the judges thought."""

import hashlib
import itertools
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from negotiation.sentences import sentences
from training.receipts.figures import PERCENT, Figure, figure
from training.receipts.tables import VerdictsTable, VoicePosition, VoicesTable, VoiceVerdict
from training.voices.judging import (
    EVERY,
    RUBRIC,
    Tally,
    deed_of,
    marks_of,
    money,
    tallies,
    texts_of,
    voices_of,
)
from training.voices.positions import ROLES, title_of

say = sentences(__file__)

LANGUAGES: dict[str, str] = {
    EVERY: say.text("all_languages"),
    "english": say.text("english"),
    "hinglish": say.text("hinglish"),
    "hindi": say.text("hindi"),
}

CODES: dict[str, str] = {"english": "en", "hinglish": "hi-Latn", "hindi": "hi"}
"""How a browser is told what language a line is in."""


class UnknownPair(LookupError):
    """The address names no pair."""


class Answer(msgspec.Struct, frozen=True):
    """One of two texts; ``marks``: what the judges said yes to, each with its share in per cent."""

    code: str
    label: str
    text: str
    title: str
    about: str
    is_picked: bool
    marks: tuple[tuple[str, int], ...]


class Row(msgspec.Struct, frozen=True):
    """A language of the tally: points of every voice, and the sentence on the two."""

    language: str
    judges: int
    points: tuple[tuple[str, int, Figure], ...]
    better: tuple[tuple[str, str, int, Figure], ...]


class Published(msgspec.Struct, frozen=True):
    """The two tables, read and counted."""

    table: VoicesTable
    verdicts: tuple[VoiceVerdict, ...]
    tallies: tuple[Tally, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """What the judges thought, language by language."""
        return tuple(map(_row, self.tallies))

    @property
    def languages(self) -> tuple[tuple[str, str], ...]:
        """Names and words of the languages there are pairs in, all together first."""
        here = {one.language for one in pairs(self.table)}
        return tuple((k, gettext(v)) for k, v in LANGUAGES.items() if k == EVERY or k in here)


@require_safe
def voices(request: HttpRequest) -> HttpResponse:
    """Show a pair of answers; a choice names them. Nothing is kept of it."""
    shown = published()
    if shown is None:
        raise Http404(say("no_voices_have_been_compared_on"))
    asked = (request.GET.get(name, "") for name in ("at", "language", "pick"))
    try:
        pair = pair_of(shown, *asked)
    except UnknownPair as wrong:
        raise Http404(say("there_is_no_such_pair")) from wrong
    context = {"pair": pair, "rows": shown.rows, "languages": shown.languages}
    return TemplateResponse(request, "voices/index.html", context)


@cache
def published() -> Published | None:
    """Read what ships with the code, once for each process; None where there is nothing."""
    table, verdicts = VoicesTable.shipped(), VerdictsTable.shipped()
    if table is None:
        return None
    given = verdicts.rows if verdicts else ()
    return Published(table, given, tuple(tallies(table, given)))


def pairs(table: VoicesTable, language: str = EVERY) -> tuple[VoicePosition, ...]:
    """List the positions in which two voices differ, in the order of the page."""
    found = [
        one for one in table.rows if len(texts_of(one)) > 1 and language in (EVERY, one.language)
    ]
    return tuple(sorted(found, key=lambda one: hashlib.sha256(one.id.encode()).digest()))


def pair_of(shown: Published, at: str, language: str, pick: str) -> dict[str, Any]:
    """Prepare a pair, ``picked`` None before the choice; UnknownPair when a name means nothing.

    ``at`` is the id of the position, "" for the first; ``language`` "" or ``EVERY`` for all;
    ``pick`` the code of the chosen text, "" before the choice.
    """
    only = language or EVERY
    found = pairs(shown.table, only)
    place = next((n for n, one in enumerate(found) if one.id == at), None if at else 0)
    if not found or place is None:
        raise UnknownPair
    position = found[place]
    answers = _answers(position, shown.verdicts, pick)
    picked = next((one for one in answers if one.is_picked), None)
    if pick and picked is None:
        raise UnknownPair
    *before, line = position.talk
    return {
        "id": position.id,
        "language": gettext(LANGUAGES.get(position.language, position.language)),
        "only": only,
        "lang": CODES.get(position.language, "en"),
        "thing": position.title or say("something_from_home"),
        "anchor": money(position.anchor),
        "standing": say(
            "you_ask_ask_she_has_bid", ask=money(position.ask), bid=money(position.bid)
        ),
        "deed": deed_of(position),
        "before": tuple(before),
        "line": line,
        "answers": answers,
        "picked": picked,
        "number": place + 1,
        "count": len(found),
        "next": found[(place + 1) % len(found)].id,
    }


def _answers(
    position: VoicePosition, verdicts: Sequence[VoiceVerdict], pick: str
) -> tuple[Answer, ...]:
    texts, marks = texts_of(position), marks_of(position, verdicts)
    couples = list(itertools.combinations(texts, 2))
    couple = Random(f"{position.seed}:pair").choice(couples)
    found = []
    for label, code in zip("AB", couple, strict=True):
        names = voices_of(position, code)
        given = marks.get(names[0], ())
        found.append(
            Answer(
                code=code,
                label=label,
                text=texts[code],
                title=say("and").join(gettext(title_of(name)) for name in names),
                about=gettext(ROLES[names[0]].about) if names[0] in ROLES else "",
                is_picked=code == pick,
                marks=tuple(
                    (gettext(words), round(100 * mark))
                    for words, mark in zip(RUBRIC.values(), given, strict=False)
                ),
            )
        )
    return tuple(found)


def _row(tally: Tally) -> Row:
    points, better = [], []
    for voice in tally.voices:
        shown = figure(voice.points, PERCENT, "")
        assert shown is not None
        points.append((gettext(title_of(voice.voice)), voice.positions, shown))
    for pair in tally.pairs:
        shown = figure(pair.better, PERCENT, "")
        assert shown is not None
        better.append(
            (gettext(title_of(pair.voice)), gettext(title_of(pair.than)), pair.positions, shown)
        )
    name = gettext(LANGUAGES.get(tally.language, tally.language))
    return Row(name, tally.judges, tuple(points), tuple(better))
