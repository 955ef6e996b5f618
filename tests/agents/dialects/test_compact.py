"""The small model's dialect: what it is told, what it may answer, and what comes of it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.dialects import compact
from agents.dialects.compact import Compact, dialect, from_share, to_share
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.tells import Tells
from bazaarbatna.envs.bargain.suite_game import SuiteGame
from negotiation.policies import policy
from tests.support.positions import a_position

SNAPSHOT = Path(__file__).with_name("compact-2.txt")
SUITES = ("single_deal", "asymmetric_pressure", "deceptive_seller", "amazon_realistic")


def position(
    asks: tuple[int, ...] = (180_000,), bids: tuple[int, ...] = (), budget: int = 150_000
) -> BuyerObservation:
    """A position with prices in paise."""
    return a_position(
        tuple(ask / 100 for ask in asks), tuple(bid / 100 for bid in bids), budget=budget / 100
    )


def games() -> list[tuple[BuyerObservation, Move]]:
    """Every turn of a few games that Sauda plays."""
    found = []
    for suite in SUITES:
        for seed in range(3):
            game, buyer = SuiteGame(f"{suite}@sampled-1", seed), policy("sauda").make(seed)
            while (seen := game.observation) is not None:
                move = buyer.act(seen)
                found.append((seen, move))
                game.step(move)
    return found


def rare() -> list[BuyerObservation]:
    """Positions that games of Sauda with rule sellers do not come to."""
    many = tuple(1000.0 - 40 * number for number in range(9))
    loud = Tells(verbal_urgency=1.0, verbal_confidence=None, fidget_level=0.05)
    return [
        a_position(many, tuple(300.0 + 30 * number for number in range(8)), rounds=12),
        a_position((900,), tells=loud, persona="impatient", deadline=3),
        a_position((900, 850), (400,), said=("Yeh aakhri daam hai.",), deadline=1),
        a_position((10,), budget=100_000),
    ]


def test_the_prompt_of_a_version_never_changes() -> None:
    seen = [*(seen for seen, _ in games()), *rare()]
    prompts = [Compact().messages(one)[0].content for one in seen]
    prompts += [Compact().messages(one, speak_only=True)[0].content for one in rare()]
    told = "\n---\n".join(prompts)
    assert compact.VERSION == "compact-2", "a new version needs a new snapshot"
    assert told == SNAPSHOT.read_text(encoding="utf-8").rstrip("\n")


@pytest.mark.parametrize("price", [0, 99999])
def test_a_price_that_nobody_can_mean_is_not_said_either(price: int) -> None:
    seen, heard = position(), list[str]()
    speaker = Compact().speaker(seen, heard.append)
    speaker.hear(text := f'{{"action": "offer", "price": {price}, "message": "ok"}}')
    assert Compact().read(seen, text) is None
    assert (speaker.text, heard) == ("", [])


@pytest.mark.parametrize("name", ["compact", "chat"])
def test_what_a_teacher_does_is_read_back_as_what_it_did(name: str) -> None:
    way = dialect(name)
    for seen, move in games():
        found = way.read(seen, way.answer(seen, move))
        assert found is not None
        assert found.strict
        again = found.to_move()
        assert type(again) is type(move)
        if isinstance(move, Offer) and isinstance(again, Offer):
            assert abs(again.price - move.price) <= seen.opening_ask / 1000
            assert to_share(seen, again.price) == to_share(seen, move.price)


def test_no_price_of_the_table_reaches_the_small_model_in_rupees() -> None:
    for seen, move in games():
        told = Compact().messages(seen)[0].content + Compact().answer(seen, move)
        for paise in (*seen.asks, *seen.bids, seen.budget):
            rupees = f"{paise / 100:.2f}".rstrip("0").rstrip(".")
            assert len(rupees) < 4 or rupees not in told.split()


def test_words_come_out_with_the_real_price_ask_and_item() -> None:
    seen = position(asks=(100_000, 90_000), budget=120_000)
    text = '{"action": "offer", "price": 500, "message": "<item> ke <price>, <ask> nahi"}'
    found = Compact().read(seen, text)
    assert found is not None
    assert found.price == 50_000
    assert "₹500" in found.message
    assert "₹900" in found.message
    assert "<" not in found.message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "I would say five hundred",
        '{"action": "offer", "price": 0, "message": "x"}',
        '{"action": "offer", "price": -5, "message": "x"}',
        '{"action": "offer", "price": 1e308, "message": "x"}',
        '{"action": "offer", "price": 99999, "message": "x"}',
        '{"action": "offer", "price": null, "message": "x"}',
    ],
)
def test_what_names_no_move_is_no_move(text: str) -> None:
    found = Compact().read(position(), text)
    assert found is None or found.to_move() is None


def test_the_standing_ask_the_last_bid_and_the_budget_are_met_exactly() -> None:
    seen = position(asks=(3_333_33, 2_999_99), bids=(1_777_77,), budget=3_100_01)
    for price in (2_999_99, 1_777_77, 3_100_01):
        assert from_share(seen, to_share(seen, price)) == price


@given(ask=st.integers(100, 10**9), share=st.integers(1, 2000))
def test_a_share_is_a_price_of_that_share(ask: int, share: int) -> None:
    seen = position(asks=(ask,), budget=3 * ask)
    price = from_share(seen, share)
    assert abs(price - share * ask / 1000) <= max(1, ask / 2000)


def test_streamed_piece_by_piece_it_is_the_same_json_in_rupees() -> None:
    way = Compact()
    for seen, move in games()[:20]:
        own = way.answer(seen, move)
        heard: list[str] = []
        speaker = way.speaker(seen, heard.append)
        for character in own:
            speaker.hear(character)
        assert "".join(heard) == speaker.text
        said, read = json.loads(speaker.text), way.read(seen, own)
        assert read is not None
        assert said["message"] == read.message
        assert said["action"] == read.action
        assert (said["price"] is None) == (read.price is None)
        assert read.price is None or round(100 * said["price"]) == read.price


def test_an_answer_that_begins_like_none_is_still_read_when_it_is_whole() -> None:
    heard: list[str] = []
    speaker = Compact().speaker(position(asks=(100_000,)), heard.append)
    for piece in ("{'action': 'offer', ", "'price': 500, 'message': ", "'<price>'}"):
        speaker.hear(piece)
    assert heard == []
    assert json.loads(speaker.text) == {"action": "offer", "price": 500, "message": "₹500"}


def test_talk_is_asked_for_and_answered_without_a_price() -> None:
    seen = position(asks=(100_000,))
    assert Compact().messages(seen, speak_only=True)[0].content.endswith("say")
    found = Compact().read(seen, Compact().reply(seen, "Haan ji, boliye"))
    assert found is not None
    assert (found.action, found.message, found.to_move()) == ("say", "Haan ji, boliye", None)


def test_an_unknown_dialect_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="chat, compact"):
        dialect("klingon")


def test_every_kind_of_move_has_a_text() -> None:
    seen = position(asks=(100_000,))
    for move in (Offer(50_000, "a"), Accept("b"), Walk("c")):
        assert json.loads(Compact().answer(seen, move))["message"] == move.text
