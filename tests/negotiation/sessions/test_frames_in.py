"""What a socket understands, and how it says that it does not."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.bargain.web.live import (
    SALE_LIVE,
    AcceptFrame,
    OfferFrame,
    SayFrame,
    WalkFrame,
)
from negotiation.errors import BadFrame
from negotiation.games.frames_in import InFrame, PingFrame, SyncFrame


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ('{"type":"say","text":"170"}', SayFrame("170")),
        ('{"type":"say","text":"170","typing_s":2.5}', SayFrame("170", 2.5)),
        ('{"type":"offer","price":170}', OfferFrame(price=170)),
        ('{"price":170.5,"text":"lo","type":"offer"}', OfferFrame("lo", price=170.5)),
        ('{"type":"accept"}', AcceptFrame()),
        ('{"type":"walk","text":"bye"}', WalkFrame("bye")),
        ('{"type":"sync","after":7}', SyncFrame(7)),
        ('{"type":"sync"}', SyncFrame(0)),
        ('{"type":"ping","extra":[1,2]}', PingFrame()),
    ],
)
def test_every_frame_of_the_protocol_is_read(text: str, frame: InFrame) -> None:
    assert SALE_LIVE.read(text) == frame


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[]",
        '"say"',
        "17",
        "null",
        "{}",
        '{"type":"say"',
        '{"type":"dance"}',
        '{"type":["say"]}',
        '{"type":null}',
        '{"type":"offer"}',
        '{"type":"offer","price":"170"}',
        '{"type":"offer","price":true}',
        '{"type":"offer","price":null}',
        '{"type":"offer","price":NaN}',
        '{"type":"offer","price":Infinity}',
        '{"type":"offer","price":1e999}',
        '{"type":"say","text":17}',
        '{"type":"say","text":"\\ud800"}',
        '{"type":"say","typing_s":-1}',
        '{"type":"say","typing_s":"2"}',
        '{"type":"sync","after":-1}',
        '{"type":"sync","after":1.5}',
        '{"type":"sync","after":99999999999}',
        '{"type":"say","type":"dance"}',
        "[" * 16000,
        '{"type":"ping","a":' + "[" * 8000,
        '{"a":' * 3000,
        '{"type":"say","text":"' + "x" * 16384 + '"}',
        "\udcff",
    ],
)
def test_what_cannot_be_read_is_a_bad_frame_with_a_sentence(text: str) -> None:
    with pytest.raises(BadFrame) as refused:
        SALE_LIVE.read(text)
    assert refused.value.detail.endswith(".")
    assert len(refused.value.detail) < 200


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"type":"offer","price":"170"}', "The price must be a number, not text."),
        ('{"type":"offer"}', "The message needs a price."),
        ('{"type":"say","text":["a"]}', "The text must be text, not a list."),
        ('{"type":"say","typing_s":-1}', "The typing_s must be a number >= 0.0."),
        ('{"type":"sync","after":1.5}', "The after must be a whole number, not a number."),
        ('{"type":"sync","after":-1}', "The after must be a whole number >= 0."),
        ('{"type":"offer","price":1e999}', "A number in the message is too large."),
        ("[]", "A message is one JSON object."),
    ],
)
def test_the_sentence_says_what_is_wrong(text: str, sentence: str) -> None:
    with pytest.raises(BadFrame) as refused:
        SALE_LIVE.read(text)
    assert refused.value.detail == sentence


def test_a_long_pause_at_the_keyboard_counts_as_an_hour() -> None:
    frame = SALE_LIVE.read('{"type":"say","text":"hm","typing_s":1e9}')
    assert isinstance(frame, SayFrame)
    assert frame.seconds == 3600


def test_words_are_cleaned_on_the_way_in() -> None:
    frame = SALE_LIVE.read('{"type":"say","text":" 17\\u0000\\u202e0\\n"}')
    assert isinstance(frame, SayFrame)
    assert frame.words == "170"


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
def test_no_text_breaks_the_reader(text: str) -> None:
    with contextlib.suppress(BadFrame):
        SALE_LIVE.read(text)
