"""A language in which every marked text is Devanagari: what is still Latin was not marked."""

import functools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

from babel.messages.mofile import write_mo
from django.conf import settings
from django.test.utils import override_settings
from django.utils.translation import trans_real

from bazaar_site.landing.views import _demo_game
from bazaar_site.translating import wanted
from negotiation.bargain.web import seats

HOLES = re.compile(r"%\(\w+\)s|%%|\{[^{}]*\}")
NO_WORDS = re.compile(r"\{\w*\}|\S*[/@]\S*")
"""Blanks that a script fills in, addresses and versions."""

SPOKEN = ("aria-label", "placeholder", "title", "alt", "data-sign")
SILENT = {"script", "style", "code", "pre", "kbd", "samp", "q"}
VOID = frozenset(
    (
        "br",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "wbr",
        "path",
        "circle",
        "rect",
        "line",
        "use",
    )
)


_marked = functools.cache(wanted)
"""Every marked text, read from the sources once in a process."""


@contextmanager
def pseudo_hindi(folder: Path) -> Iterator[None]:
    """Let Hindi be a letter for every text, with the text's placeholders."""
    catalog = _marked()
    for message in catalog:
        if message.id:
            said = message.id if isinstance(message.id, tuple) else (message.id,)
            told = tuple("क " + " ".join(HOLES.findall(text)) for text in said)
            message.string = told if isinstance(message.id, tuple) else told[0]
    place = folder / "hi" / "LC_MESSAGES"
    place.mkdir(parents=True)
    with (place / "django.mo").open("wb") as file:
        write_mo(file, catalog)
    with override_settings(LOCALE_PATHS=[str(folder)]):
        _forget()
        yield
    _forget()


def _forget() -> None:
    trans_real._translations = {}
    trans_real._default = None
    assert settings.USE_I18N
    # What is kept for a language was kept with the words of before.
    for kept in (_demo_game, seats.facing):
        kept.cache_clear()


class Reader(HTMLParser):
    """Collects what a page says in no language of its own: outside of lang="en" and of code."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._open: list[tuple[str, bool]] = []

    @property
    def _listens(self) -> bool:
        return not any(silent for _, silent in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        silent = tag in SILENT or given.get("lang") == "en" or given.get("translate") == "no"
        if self._listens and not silent:
            self.texts += [given[name] or "" for name in SPOKEN if name in given]
        if tag not in VOID:
            self._open.append((tag, silent))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if self._listens:
            self.texts += [given[name] or "" for name in SPOKEN if name in given]

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            name, _ = self._open.pop()
            if name == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._listens:
            self.texts.append(data)


def latin(html: str, known: frozenset[str]) -> list[str]:
    """Return the texts of a page that have a Latin word which is no known name."""
    reader = Reader()
    reader.feed(html)
    said = [" ".join(NO_WORDS.sub("", text).split()) for text in reader.texts]
    return [
        text
        for text in said
        if any(word not in known for word in re.findall(r"[A-Za-z][A-Za-z'’]{2,}", text))
    ]
