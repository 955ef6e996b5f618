"""What a host writes can do no harm to who reads it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooms.study.pages import to_html

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](//evil.example)",
    "[x](/rooms/ABCDEF/withdraw/)",
    '[x](https://a.b "onmouseover=alert(1)")',
    "![x](https://evil.example/pixel.png)",
    "<javascript:alert(1)>",
    "[r]: javascript:alert(1)\n\n[r]",
    "```html\n<script>alert(1)</script>\n```",
    "</div></main><form action=https://evil.example>",
    "<svg/onload=alert(1)>",
    "<!-- --><style>*{display:none}</style>",
]
TAGS = {
    "a", "blockquote", "br", "code", "em", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p",
    "pre", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip


def check(html: str) -> None:
    for tag in re.findall(r"<(/?[a-zA-Z][^>]*)>", html):
        name = re.match(r"/?([a-zA-Z0-9]+)", tag)
        assert name is not None
        assert name[1].lower() in TAGS, html
        for attribute in re.findall(r'\s([\w-]+)="', tag):
            assert attribute in {"href", "rel", "target", "title", "class", "start", "style"}, html
        for style in re.findall(r'style="([^"]*)"', tag):
            assert re.fullmatch(r"text-align:(left|right|center)", style), html
        for href in re.findall(r'href="([^"]*)"', tag):
            assert re.match(r"(https?://|mailto:|#)", href, re.IGNORECASE), html


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_comes_through(text: str) -> None:
    check(str(to_html(text)))


@given(st.lists(st.sampled_from([*HOSTILE, "\n", "*", "`", "[", "](", "<", ">", '"'])).map("".join))
def test_nor_does_any_mixture(text: str) -> None:
    check(str(to_html(text)))


def test_what_a_researcher_needs_works() -> None:
    html = to_html(
        "# Welcome\n\n**Bold**, a [link](https://x.org) and\n\n- a list\n\n|a|b|\n|-|-|\n|1|2|"
    )
    for part in ("<h2>Welcome</h2>", "<strong>Bold</strong>", "<li>a list</li>", "<td>1</td>"):
        assert part in html
    assert 'rel="noopener noreferrer nofollow" target="_blank"' in html
