"""The handbook: the pages of ``docs/`` as the site shows and searches them."""

import functools
import re
from collections.abc import Iterator, Sequence

import msgspec
from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

HIDDEN = frozenset({"index"})
"""The map is for those who have the code; the site has a page of its own in its place."""

_SUMMARY = re.compile(r"^\| \[[^\]]+\]\((?P<file>[\w/-]+)\.md\) \| (?P<words>.+) \|$", re.M)
_LINK = re.compile(r"^(?:\./)?(?P<file>(?:decisions/)?[\w-]+)\.md(?P<place>#.*)?$")


class Section(msgspec.Struct, frozen=True):
    """What stands under one heading; ``place`` is its anchor, "" for the page's beginning."""

    title: str
    place: str
    text: str


class Leaf(msgspec.Struct, frozen=True):
    """A page of the handbook."""

    name: str
    title: str
    summary: str
    html: SafeString
    sections: tuple[Section, ...]


class Hit(msgspec.Struct, frozen=True):
    """A section that has the words looked for, with the line that has them."""

    title: str
    url: str
    line: str


@functools.cache
def leaves() -> dict[str, Leaf]:
    """Read all pages once, in the order of the map."""
    folder = settings.BASE_DIR / "docs"
    summaries = {
        found["file"]: found["words"]
        for found in _SUMMARY.finditer((folder / "index.md").read_text())
    }
    names = [
        file.relative_to(folder).with_suffix("").as_posix()
        for file in (*sorted(folder.glob("*.md")), *sorted((folder / "decisions").glob("*.md")))
    ]
    order = {name: number for number, name in enumerate(summaries)}
    shown = sorted(set(names) - HIDDEN, key=lambda name: (order.get(name, len(order)), name))
    return {name: _leaf(name, summaries.get(name, ""), frozenset(shown)) for name in shown}


def find(words: Sequence[str], most: int = 8) -> list[Hit]:
    """Return the sections that have every word, those with the words in their title first."""
    if not words:
        return []
    ranked = []
    for leaf in leaves().values():
        for section in leaf.sections:
            title, text = section.title.lower(), section.text.lower()
            if all(word in title or word in text for word in words):
                named = sum(word in title for word in words)
                often = sum(text.count(word) for word in words) / (200 + len(text))
                ranked.append((-named, -often, leaf, section))
    ranked.sort(key=lambda one: one[:2])
    return [_hit(leaf, section, words) for _, _, leaf, section in ranked[:most]]


def _hit(leaf: Leaf, section: Section, words: Sequence[str]) -> Hit:
    lines = [line for line in section.text.splitlines() if line.strip()]
    best = max(lines, key=lambda line: sum(word in line.lower() for word in words), default="")
    found = [best.lower().find(word) for word in words]
    start = max(min((at for at in found if at >= 0), default=0) - 60, 0)
    line = ("… " if start else "") + best[start : start + 180] + ("…" * (len(best) > start + 180))
    title = leaf.title if not section.place else f"{leaf.title}: {section.title}"
    url = reverse("handbook", args=[leaf.name])
    return Hit(title, f"{url}#{section.place}" if section.place else url, line)


def _leaf(name: str, summary: str, shown: frozenset[str]) -> Leaf:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse((settings.BASE_DIR / "docs" / f"{name}.md").read_text())
    title = name
    if tokens and tokens[0].type == "heading_open":
        title, tokens = _plain(tokens[1]), tokens[3:]
    for token in tokens:
        _lead_here(token, shown)
    sections = tuple(_sections(tokens, title))
    # Markdown without HTML in it, from our own files.
    html = mark_safe(reader.renderer.render(tokens, reader.options, {}))  # noqa: S308
    return Leaf(name, title, summary, html, sections)


def _sections(tokens: Sequence[Token], title: str) -> Iterator[Section]:
    place = ""
    lines: list[str] = []
    for token, after in zip(tokens, (*tokens[1:], None), strict=True):
        if token.type == "heading_open" and after is not None:
            yield Section(title, place, "\n".join(lines))
            title, lines = _plain(after), []
            place = _anchor(title)
            token.attrSet("id", place)
        elif token.type in ("inline", "fence", "code_block"):
            lines.append(_plain(token))
    yield Section(title, place, "\n".join(lines))


def _plain(token: Token) -> str:
    if token.children is None:
        return token.content
    return "".join(
        " " if one.type == "softbreak" else one.content for one in token.children
    ).strip()


def _anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


def _lead_here(token: Token, shown: frozenset[str]) -> None:
    """Lead links between pages to the site; a file of the code has no address here."""
    if token.type == "table_open":
        token.attrSet("class", "handbook-table")
    kept, open_links = [], []
    for child in token.children or ():
        if child.type == "link_open":
            address = _address(str(child.attrGet("href")), shown)
            child.attrSet("href", address)
            open_links.append(bool(address))
            if not address:
                continue
        elif (child.type == "link_close" and not open_links.pop()) or child.type == "image":
            continue
        kept.append(child)
    if token.children is not None:
        token.children = kept


def _address(link: str, shown: frozenset[str]) -> str:
    if link.startswith(("#", "/", "http://", "https://")):
        return link
    if (found := _LINK.match(link.removeprefix("../"))) and found["file"] in shown:
        return reverse("handbook", args=[found["file"]]) + (found["place"] or "")
    return ""
