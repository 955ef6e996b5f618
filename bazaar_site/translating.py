"""Which words of the site are to be translated, and what the Hindi file says of them.

Templates are read as Django reads them, Python by its syntax tree; phrases in TOML are words
altogether.
"""

import ast
import inspect
import io
import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import dedent

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.contrib.humanize.templatetags.humanize import NaturalTimeFormatter
from django.utils import dates
from django.utils.translation.template import templatize

from bazaar_site.log_privacy import ROOMS
from bazaarbatna.bargain.goods import GOODS
from bazaarbatna.bargain.people.families import family_names, family_of
from bazaarbatna.bargain.suites import SUITES
from bazaarbatna.bargain.theory import NAMES as THEORY_NAMES
from bazaarbatna.players.simple import CONCEDERS, LINES
from negotiation.catalogue.stock import read_stock
from negotiation.policies import policies, policy

PHRASES: tuple[str, ...] = (
    "replays/verbs.toml",
    "replays/wording.toml",
    "replays/player/narration.toml",
    "replays/fork/text.toml",
    "replays/grade/reasons.toml",
    "arena/auction/web/lines/talk.toml",
    "bazaar_site/landing/haggle.toml",
    "negotiation/catalogue/cities.toml",
    "replays/puzzles/lessons.toml",
    "replays/puzzles/why.toml",
    "arena/gpu_market/board/pure_sentences.toml",
    "arena/gpu_market/board/titles.toml",
    "arena/gpu_market/board/log.toml",
    "negotiation/bargain/web/reasons.toml",
    "negotiation/bargain/web/seats.toml",
    "negotiation/bargain/web/promises.toml",
    "rooms/study/fields.toml",
)
"""TOML files, from the root, whose texts a visitor reads; beside every ``words.toml``."""

FIELDS: dict[str, tuple[str, ...]] = {
    "arena/gpu_market/board/actions.toml": ("about", "words", "without"),
    "bazaarbatna/commands/studies.toml": ("title", "theirs", "ours", "differs"),
    "rooms/debrief/questions.toml": ("text",),
    "negotiation/portraits/characters.toml": ("name", "temper"),
    "agents/sellers/personas/*.toml": ("title",),
    "agents/text/tells/*.toml": ("why",),
    "rooms/web/ready.toml": ("name", "about", "teaches", "lead", "questions"),
}
"""TOML files that also hold what nobody reads, and the fields whose texts a visitor does."""

KEYWORDS = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
"""Calls that translate, as Babel knows them and as Django adds to them."""

REFUSING = ("bazaarbatna/bargain/episode.py", "bazaarbatna/bargain/quantities.py")
"""Pure code whose refusals a visitor reads."""

Found = tuple[str | tuple[str, ...], str | None]


def hindi_file() -> Path:
    """Return where the Hindi words are written."""
    return Path(settings.LOCALE_PATHS[0]) / "hi" / "LC_MESSAGES" / "django.po"


def hindi() -> Catalog:
    """Read the Hindi words as they stand."""
    with hindi_file().open("rb") as file:
        return read_po(file, locale="hi", domain="django")


def wanted() -> Catalog:
    """Return every text that a page may show, without translations."""
    catalog = Catalog(
        locale="hi",
        domain="django",
        header_comment="# What the site says, in Hindi; `manage.py messages` brings it up to date.",
        project="BazaarBATNA",
        version="1",
        fuzzy=False,
    )
    root = Path(settings.BASE_DIR)
    pages = (root / "templates").rglob("*.html")
    for file in sorted([*pages, root / "templates/daily/card.txt"]):
        if "admin" not in file.relative_to(root).parts:
            _note(catalog, _of_template(file.read_text(), str(file.relative_to(root))))
    for room in ROOMS:
        for file in sorted((root / room).rglob("*.py")):
            text = file.read_text()
            if "gettext" in text:
                _note(catalog, _of_python(text))
            if "SessionError" in text:
                _note(catalog, _of_refusals(text))
    beside = [file for room in ROOMS for file in (root / room).rglob("words.toml")]
    for file in [*(root / name for name in PHRASES), *sorted(beside)]:
        values = tomllib.loads(file.read_text())
        _note(catalog, ((text, None) for text in _texts(values)))
    for names, fields in FIELDS.items():
        for file in root.glob(names):
            values = tomllib.loads(file.read_text())
            _note(catalog, ((text, None) for text in _texts(_only(values, fields))))
    _note(catalog, ((text, None) for text in _of_the_engine()))
    _note(catalog, _of_python(dedent(inspect.getsource(NaturalTimeFormatter))))
    # Days and months: those that come with Django are misspelt in Hindi.
    _note(catalog, _of_python(inspect.getsource(dates)))
    return catalog


def renewed() -> Catalog:
    """Return the Hindi file with what is new in it and without what no page says any more."""
    catalog, known = wanted(), hindi()
    catalog.creation_date = known.creation_date
    for message in catalog:
        if message.id and (old := known.get(message.id, message.context)):
            message.string = old.string
    return catalog


def write(catalog: Catalog) -> None:
    """Write the Hindi file: by text, without places, so that a moved line changes nothing."""
    with hindi_file().open("wb") as file:
        write_po(file, catalog, width=100, sort_output=True, omit_header=False, no_location=True)


def untranslated(catalog: Catalog) -> list[str]:
    """Return the texts that have no Hindi yet."""
    return [str(one.id) for one in catalog if one.id and not _is_said(one.string)]


def _is_said(string: object) -> bool:
    return all(string) if isinstance(string, tuple | list) else bool(string)


def _note(catalog: Catalog, found: Iterable[Found]) -> None:
    for text, context in found:
        if text:
            catalog.add(text, context=context)


def _of_template(source: str, place: str) -> Iterator[Found]:
    # What Django makes of a template is calls among X's, without an order of indents.
    lines = templatize(source, origin=place).splitlines()
    yield from _of_calls("\n".join(line.strip() for line in lines))


def _of_python(source: str) -> Iterator[Found]:
    # A text that is looked up (``gettext(TEXTS["key"])``) stands elsewhere: only literals count.
    for call in ast.walk(ast.parse(source)):
        match call:
            case ast.Call(func=ast.Name(), args=[ast.Constant(), *_]):
                yield from _of_calls(ast.unparse(call))
            case _:
                continue


def _of_calls(source: str) -> Iterator[Found]:
    for _, said, _, context in extract("python", io.BytesIO(source.encode()), KEYWORDS):
        yield said, context


def _of_refusals(source: str) -> Iterator[Found]:
    """Find what refusals say where they are raised without words: their docstrings."""
    for one in ast.walk(ast.parse(source)):
        if not isinstance(one, ast.ClassDef):
            continue
        bases = [ast.unparse(base) for base in one.bases]
        said = ast.get_docstring(one) or ""
        if {"SessionError", "RoomError"} & {*bases} and said and "``" not in said:
            yield said.partition("\n")[0], None


def _of_the_engine() -> Iterator[str]:
    """Find what pure code calls things that a page shows: it knows no translation."""
    yield from (suite.title for suite in SUITES)
    yield from (family_of(name).title for name in family_names())
    yield from THEORY_NAMES
    yield from (shelf.category for shelf in read_stock())
    yield from sorted({item.category for item in GOODS})
    for card in sorted(Path(settings.BASE_DIR).glob("training/models/*/sauda.json")):
        yield json.loads(card.read_bytes())["title"]  # of those that are shipped
    own = ("rules:", "sauda-network")  # what comes with a model differs from site to site
    yield from (one.title for one in policies() if one.name.startswith(own))
    yield from (policy(name).title for name in (*CONCEDERS, *LINES, "rules:three"))
    for name in REFUSING:
        tree = ast.parse((Path(settings.BASE_DIR) / name).read_text())
        for one in ast.walk(tree):
            match one:
                case ast.Raise(exc=ast.Call(args=[ast.Constant(value=str(said))])):
                    yield said
                case _:
                    continue


def _only(values: object, fields: tuple[str, ...]) -> object:
    if isinstance(values, list):
        return [_only(value, fields) for value in values]
    if not isinstance(values, dict):
        return None
    inner = [_only(value, fields) for value in values.values()]
    return [inner, *(values[name] for name in fields if isinstance(values.get(name), str | list))]


def _texts(values: object) -> Iterator[str]:
    match values:
        case str():
            yield values
        case dict():
            for value in values.values():
                yield from _texts(value)
        case list():
            for value in values:
                yield from _texts(value)
        case _:
            return
