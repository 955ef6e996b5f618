"""Models' answers, from exact JSON to nonsense: read as a move, or as nothing at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.dialects.parsing import Parsed, parse
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import MAX_PRICE


def read(text: str) -> tuple[str, float | None, str]:
    parsed = parse(text)
    assert parsed is not None, f"nothing was read from {text!r}"
    price = None if parsed.price is None else parsed.price / 100
    return parsed.action, price, parsed.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"action": "offer", "price": 165, "message": "165 final"}',
            ("offer", 165, "165 final"),
        ),
        ('{"action":"accept","price":null,"message":"done"}', ("accept", None, "done")),
        ('{"action":"walk","price":null,"message":"chalta hoon"}', ("walk", None, "chalta hoon")),
        ('{"action":"say","price":null,"message":"dekhta hoon"}', ("say", None, "dekhta hoon")),
        ('```json\n{"action":"offer","price":1200,"message":"ok"}\n```', ("offer", 1200, "ok")),
        ('Sure! Here is my move: {"action": "offer", "price": 150}', ("offer", 150, "")),
        ("{'action': 'offer', 'price': 150, 'message': 'bhai'}", ("offer", 150, "bhai")),
        ('{"action": "offer", "price": 150, "message": "ok",}', ("offer", 150, "ok")),
        ('{"action": "offer", "price": "1,200", "message": ""}', ("offer", 1200, "")),
        ('{"action": "offer", "price": "Rs 1.2k"}', ("offer", 1200, "")),
        ('{"action": "offer", "price": "\u20b92,35,000/-"}', ("offer", 235000, "")),
        ('{"action": "counter", "price": 150}', ("offer", 150, "")),
        ('{"action": "Counter Offer", "bid": 150, "reply": "x"}', ("offer", 150, "x")),
        ('{"Action": "OFFER", "Price": 150}', ("offer", 150, "")),
        ('{"price": 150, "message": "x"}', ("offer", 150, "x")),
        ('{"action": "offer", "price": 150, "message": "half', ("offer", 150, "half")),
        (
            '<think>maybe {"action":"walk"}?</think>{"action":"accept","message":"theek"}',
            ("accept", None, "theek"),
        ),
        ('<think>{"action":"walk"}', None),
        (
            '{"action":"walk"} no, better: {"action":"offer","price":150,"message":"y"}',
            ("offer", 150, "y"),
        ),
        ('{"action":"offer","price":150,"message":"a {brace}"}', ("offer", 150, "a {brace}")),
        ('{"action":"offer","price":150,"message":"2\\nlines\\u200b"}', ("offer", 150, "2 lines")),
    ],
)  # fmt: skip
def test_an_answer_is_read_as_it_was_meant(
    text: str, expected: tuple[str, float | None, str] | None
) -> None:
    if expected is None:
        assert parse(text) is None
    else:
        assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I will not tell.",
        "165",
        "[]",
        "null",
        '"offer"',
        "{}",
        '{"action": "offer"}',
        '{"action": "offer", "price": null}',
        '{"action": "offer", "price": NaN}',
        '{"action": "offer", "price": Infinity}',
        '{"action": "offer", "price": 1e400}',
        '{"action": "offer", "price": -5}',
        '{"action": "offer", "price": 0}',
        '{"action": "offer", "price": true}',
        '{"action": "offer", "price": 99999999999999999999999999999999}',
        '{"action": "offer", "price": [150]}',
        '{"action": "offer", "price": {"rupees": 150}}',
        '{"action": "offer", "price": "cheap"}',
        '{"action": "offer", "price": "150 or 160"}',
        '{"action": ["offer"], "price": 150}',
        '{"action": "explode", "price": 150}',
        "{" * 5000,
        '{"a":' * 3000,
        "}" * 5000,
        "\ud800\udfff" * 100,
        "9" * 100_000,
    ],
)
def test_what_names_no_move_is_read_as_nothing(text: str) -> None:
    assert parse(text) is None


def test_only_the_exact_form_counts_as_strict() -> None:
    exact = parse('{"action": "offer", "price": 165, "message": "165"}')
    fenced = parse('```{"action": "offer", "price": 165, "message": "165"}```')
    quoted = parse('{"action": "offer", "price": "165", "message": "165"}')
    assert [one.strict for one in (exact, fenced, quoted) if one] == [True, False, False]


def test_a_proposal_becomes_a_move_where_there_is_one() -> None:
    assert Parsed("offer", None, "x", True).to_move() is None
    assert Parsed("say", None, "x", True).to_move() is None
    assert Parsed("accept", None, "x", True).to_move() == Accept("x")
    assert Parsed("walk", None, "x", True).to_move() == Walk("x")
    assert isinstance(read_move('{"action":"offer","price":3}'), Offer)


def read_move(text: str) -> object:
    parsed = parse(text)
    return parsed and parsed.to_move()


PIECES = st.sampled_from(
    ('{"action"', ":", '"offer"', ",", '"price"', "150", "}", "{", "'", '"', "```", "<think>", "\\")
)


@given(st.one_of(st.text(max_size=400), st.lists(PIECES, max_size=30).map("".join)))
def test_reading_never_raises_and_never_gives_an_impossible_price(text: str) -> None:
    parsed = parse(text)
    if parsed is not None and parsed.price is not None:
        assert 0 < parsed.price <= MAX_PRICE
