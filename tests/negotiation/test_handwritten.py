"""TOML and JSON of strangers: whatever is in it, it is read soon or refused with a line."""

import json
import random
import sys
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.handwritten import (
    DEEPEST,
    MOST_DIGITS,
    MOST_PARTS,
    MOST_VALUES,
    Unreadable,
    read_json,
    read_toml,
)

MOST = 200_000


def refused(text: str) -> Unreadable:
    reads = read_json if text.lstrip("\ufeff\n ").startswith(("{", "[[", "[1")) else read_toml
    with pytest.raises(Unreadable) as caught:
        reads(text)
    return caught.value


def many(unit: str, most: int = MOST) -> str:
    return unit * (most // len(unit))


def test_two_halves_are_one_character() -> None:
    assert read_json('{"a": "\\ud83d\\ude00"}') == {"a": "😀"}


HOSTILE: dict[str, tuple[str, str, int]] = {
    # A name of many parts: 40 kB took 24 s.
    "dots": ("\n" + ".".join(["a"] * 20_000) + "=1", "parts with dots", 2),
    "quoted parts": ("x=1\n" + ".".join(['"a"'] * 20_000) + "=1", "parts with dots", 2),
    "blanks between": ("\n" + " . ".join(["a"] * 20_000) + "=1", "parts with dots", 2),
    "a header": ("\n\n[" + ".".join(["a"] * 20_000) + "]", "parts with dots", 3),
    "a list of tables": ("[[" + ".".join(["a"] * 20_000) + "]]", "parts with dots", 1),
    "in a table on a line": ("a={" + ".".join(["a"] * 20_000) + "=1}", "parts with dots", 1),
    "after a string with a mark": ('a="#"\n' + ".".join(["a"] * 20_000) + "=1", "parts", 2),
    "after a text of lines": ('a="""\n"\n\\"""\n"""\n' + many("a."), "parts", 5),
    "lists in lists": ("\na=" + many("["), "deep", 2),
    "tables in tables": ("a=" + many("{a="), "deep", 1),
    "lists and tables": ("a=" + many("[{a="), "deep", 1),
    "half a character": ('{"a": "b",\n"c": "\\uD800"}', "half a character", 2),
    "half a character as a name": ('{"\\udfff": 1}', "half a character", 1),
    "halves that do not fit": ('{"a": ["\\ud83d", "\\ude00"]}', "half a character", 1),
    "digits": ("\n\na=" + "9" * 5_000, "64 characters", 3),
    "digits that fit a word": ("a=" + "9" * 60, "18 digits", 1),
    "digits with lines": ("a=" + "1_" * 25 + "1", "18 digits", 1),
    "digits of another base": ("a=0x" + "f" * 30, "18 digits", 1),
    "no number": ("a=1\nb = -inf", "no number", 2),
    "not a number": ("a=[1,\nnan]", "no number", 2),
    "more than a number": ("a=1e999", "no number", 1),
    "more than a number, with a dot": ("a=1.5e+4000", "no number", 1),
    "names": ("\n".join(f"a{n}=1" for n in range(MOST // 9)), "30,000 names", 10_001),
    "tables": ("[[a]]\n" * 30_000, "30,000 names", 6_001),
    "tables with names of some parts": (many("[[a.b.c.d.e.f.g]]\n"), "30,000 names", 2_728),
    "texts": ("a=[" + many('"",'), "30,000 names", 1),
    "no such day": ("a = 1\nb = 2026-02-31", "TOML", 2),
    # JSON.
    "json: lists in lists": ("[\n" + many("["), "deep", 2),
    "json: objects in objects": (many('{"a":'), "deep", 1),
    "json: digits": ('{"a":\n' + "9" * 5_000 + "}", "64 characters", 2),
    "json: no number": ('{"a":\n\n NaN}', "no number", 3),
    "json: without end": ('{"a": -Infinity}', "no number", 1),
    "json: more than a number": ('{"a": 1e400}', "no number", 1),
    "json: a name twice": ('{"a": 1,\n"b": 2,\n"a": 3}', "stands twice", 3),
    "json: values": ("[1" + many(",1"), "30,000 names", 1),
    "json: cut off": ('{"a": 1,\n', "JSON", 2),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_stops_a_reader_is_refused_with_its_line(name: str) -> None:
    text, words, line = HOSTILE[name]
    wrong = refused(text)
    assert words in wrong.words
    assert wrong.line == line


CHEAP = {
    "remarks": many("#\n"),
    "a long remark": "#" * MOST,
    "lines": "\n" * MOST,
    "blanks": "a=" + " " * MOST + "1",
    "escapes": 'a="' + many("\\n") + '"',
    "escapes in lines": 'a="""' + many("\\\n \n") + '"""',
    "quotes in lines": 'a="""' + many('""a') + '"""',
    "apostrophes in lines": "a='''" + many("''a") + "'''",
    "letters": "a='" + "\u0915" * MOST + "'",
    "a mark before it": "\ufeffa = 1",
}


@pytest.mark.parametrize("name", CHEAP)
def test_what_is_long_and_harmless_is_read(name: str) -> None:
    text = CHEAP[name]
    assert read_toml(text) == tomllib.loads(text.removeprefix("\ufeff"))


def steps_of(text: str) -> int:
    """Lines of Python that ``tomllib`` goes through for a text."""
    steps = 0

    def count(frame: Any, event: str, argument: object) -> Any:
        nonlocal steps
        steps += event == "line"
        return count

    sys.settrace(count)
    try:
        read_toml(text)
    except Unreadable:
        pass
    finally:
        sys.settrace(None)
    return steps


PIECES = (
    *("a", "b.c", '"q"', "=", ".", ",", "[", "]", "{", "}", "\n", " ", "#", '"', "'", '"""', "'''"),
    *("1", "1.5", "-2e5", "true", "2026-11-28", "\\", "\\u0041", "x = 1\n", "[t]\n", "[[t.u]]\n"),
    *("a={b=1}\n", "a.b.c=1\n", "a=[1,[2]]\n"),
)


@pytest.mark.parametrize("seed", range(40))
def test_no_text_costs_more_than_its_length(seed: int) -> None:
    """Repeated pieces, repeated twice as often: steps at most double, and some."""
    luck = random.Random(seed)
    unit = "".join(luck.choices(PIECES, k=luck.randint(1, 5)))
    begin = luck.choice(("", "a=[", 'a="""', "a={", "[a.", "a="))
    numbered = luck.random() < 0.5
    texts = [
        begin + "".join(f"k{n}" * numbered + unit for n in range(count)) for count in (400, 800)
    ]
    short, long = map(steps_of, texts)
    assert long < 2.5 * short + 2_000, repr(unit)


VALUES = st.recursive(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
        st.integers(-(10**MOST_DIGITS) + 1, 10**MOST_DIGITS - 1),
        st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300),
        st.booleans(),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), VALUES))
def test_what_is_within_the_bounds_means_what_it_means(values: dict[str, Any]) -> None:
    text = json.dumps(values, indent=1)
    assert read_json(text) == values


def test_the_bounds_themselves_are_let_in() -> None:
    deep = "[" * DEEPEST + "]" * DEEPEST
    text = f"{'.'.join(['a'] * MOST_PARTS)} = {'9' * MOST_DIGITS}\nb = {deep}\n"
    assert read_toml(text) == tomllib.loads(text)
    numbers = [1] * (MOST_VALUES - 2)
    assert read_json(json.dumps(numbers)) == numbers
