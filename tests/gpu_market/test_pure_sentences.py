"""What the pure market says reaches a reader of Hindi in Hindi, and of English as it is."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from django.utils.translation import override

from arena.gpu_market.board.pure_sentences import in_language
from bazaarbatna.market import blocks
from bazaarbatna.market.judging import claims

ENGINE = Path("bazaarbatna/market")
FREE = ("available", "open", "failed", "expired")
"""States that are never refused so: one can be had, the others have sentences of their own."""
STATES = [
    one for kind in (blocks.Status, blocks.OfferStatus) for one in get_args(kind) if one not in FREE
]
LATIN = re.compile(r"[A-Za-z]{3,}")


def pieces(words: ast.expr) -> str | None:
    """Write a sentence with something in each of its holes; None where it is only passed on."""
    match words:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(
                one.value if isinstance(one, ast.Constant) and isinstance(one.value, str)
                else "#" if isinstance(one, ast.FormattedValue)
                and ast.unparse(one.value).endswith(".status")
                else "7"
                for one in values
            )  # fmt: skip
        case ast.BinOp():
            return re.sub(r"'\]? ?\+ .*? \+ '", "7, 8", ast.unparse(words)).strip("'")
        case ast.IfExp(orelse=other):
            return pieces(other)
        case _:
            return None


def said() -> Iterator[str]:
    """Find every sentence with which the engine refuses an action, in its source."""
    for file in sorted(ENGINE.glob("*.py")):
        for one in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(one, ast.Call) or not isinstance(one.func, ast.Name):
                continue
            if one.func.id not in ("Refused", "_malformed", "Malformed"):
                continue
            text = pieces(one.args[-1])
            if text is None:
                continue
            yield from (text.replace("#", state) for state in STATES if "#" in text)
            if "#" not in text:
                yield text


SAID = sorted(set(said()))


def test_the_sentences_are_found() -> None:
    assert len(SAID) > 45
    assert "7 has failed." in SAID
    assert "7 is reserved." in SAID


@pytest.mark.parametrize("sentence", SAID)
def test_a_refusal_is_said_in_both_languages(sentence: str) -> None:
    assert in_language(sentence) == sentence
    with override("hi"):
        hindi = in_language(sentence)
    assert not LATIN.search(hindi), hindi
    assert hindi.count("7") == sentence.count("7")


@pytest.mark.parametrize("count", range(1, len(claims.CLAIM_KINDS) + 1))
def test_so_is_the_reason_of_a_judge(count: int) -> None:
    *first, last = claims.CLAIM_KINDS[:count]
    listed = f"{', '.join(first)} and {last}" if first else last
    reason = f"Banyan Compute made the case that weighs most, with what it said of its {listed}."
    assert in_language(reason) == reason
    with override("hi"):
        assert not LATIN.search(in_language(reason))


def test_what_is_not_known_stays_as_it_is() -> None:
    with override("hi"):
        assert in_language("Invalid enum value 'fly'") == "Invalid enum value 'fly'"
