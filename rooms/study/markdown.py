"""What hosts write in markdown, as HTML that can do no harm."""

import functools
import re

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_SAFE_LINK = re.compile(r"^(https?://|mailto:|#)", re.IGNORECASE)

_reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
# The package lets a tested function be replaced so; its own pattern refuses known bad schemes only.
_reader.validateLink = lambda url: bool(_SAFE_LINK.match(url))  # type: ignore[method-assign]


MOST_BRACKETS = 500
"""Of a text with more, none begins a link: the reader tries each of them with all that follow."""


@functools.lru_cache(maxsize=256)  # participants open the same few texts
def to_html(text: str) -> SafeString:
    """Return markdown as HTML: no HTML of its own, no pictures, links to the web and mail alone.

    Headings begin at the second level, since a page has one title; links open elsewhere, so that
    nobody loses the page that is being filled in.
    """
    if text.count("[") > MOST_BRACKETS:
        text = text.replace("[", r"\[")
    tokens = _reader.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, 6)}"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", "noopener noreferrer nofollow")
                child.attrSet("target", "_blank")
    # The reader escapes everything that is not markdown.
    return mark_safe(str(_reader.renderer.render(tokens, _reader.options, {})))  # noqa: S308
