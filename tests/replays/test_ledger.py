"""The tells ledger adds up, splits fairly, and judges claims by the opened envelope."""

from typing import Any

import msgspec
import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.text.tells.reader import TWICE_WHY, read_tells, tells_of
from agents.text.tells.words import TABLE
from bazaarbatna.bargain.quantities import Paise, to_paise
from bazaarbatna.bargain.scenario import Scenario, SealedValues
from bazaarbatna.bargain.tells import Tells
from negotiation.bargain.visibility import Frame
from negotiation.bargain.web.outcome import moved_by
from negotiation.bargain.web.seats import SALE
from negotiation.models import Game
from negotiation.readers import SaleContext
from replays.finished import scenario_of
from replays.ledger.claims import CLAIMS, hand_at, verdict_on
from replays.ledger.page import Amount, Turn, ledger_of, ledger_page, points, shares
from tests.support.finished import a_haggle, a_scenario, store

PHRASES = (
    "im making a loss",
    "moving out tomorrow",
    "urgent",
    "teen aur log dekh rahe hain",
    "170 se kam nahi",
    "last price",
    "thoda kam kar lunga",
    "sorry bhai",
    "kya bakwas!!",
    "box sealed",
    "trust me",
    "koi jaldi nahi",
    "kal barish hogi",
)
LINES = st.lists(st.sampled_from(PHRASES), min_size=1, max_size=5).map(", ".join)
PRICES = st.integers(150, 200)


def a_log(
    lines: list[tuple[str, float]], *, deal: float | None = None, **scenario: Any
) -> list[Frame]:
    """The wire frames of a finished sale: each line asks its price, Sauda bids 140 throughout."""
    played = a_scenario(**{"anchor": Paise(20000), "sealed": sealed(120), **scenario})
    events: list[dict[str, Any]] = [_opened(played)]
    asks = [played.anchor]
    for round_, (text, price) in enumerate(lines, start=1):
        events.append({"kind": "offer", "actor": "buyer", "round": round_, "price": 140.0})
        asks.append(to_paise(price))
        context = SaleContext(asks=tuple(asks[:-1]), bids=(Paise(14000),), turns=())
        reading = read_tells(text, context, to_paise(price))
        told = {"actor": "seller", "round": round_}
        events.append({"kind": "offer", **told, "price": price, "text": text})
        spans = [msgspec.to_builtins(span) for span in reading.spans]
        signals = msgspec.to_builtins(reading.tells)
        events.append(
            {"kind": "tells", **told, "of_seq": len(events), "signals": signals, "spans": spans}
        )
    if deal is not None:
        events.append({"kind": "accept", "actor": "seller", "round": len(lines), "price": deal})
    events.append(_ended(played, deal, len(lines)))
    return [{"type": "event", "seq": seq, "event": one} for seq, one in enumerate(events, start=1)]


def _opened(played: Scenario) -> dict[str, Any]:
    item = msgspec.to_builtins(played.item)
    return {
        "kind": "opened", "actor": "seller", "price": played.anchor / 100, "item": item,
        "max_rounds": played.max_rounds, "suite": played.suite, "seller": "human",
    }  # fmt: skip


def _ended(played: Scenario, deal: float | None, round_: int) -> dict[str, Any]:
    sealed = msgspec.to_builtins(played.sealed)
    for name in ("reservation", "cost", "budget"):
        sealed[name] /= 100
    return {
        "kind": "ended", "outcome": "deal" if deal else "walk", "by": "seller", "round": round_,
        "price": deal, "opened": sealed, "salt": played.salt,
    }  # fmt: skip


def sealed(reservation: float) -> Any:
    """Sealed values of a seller with this reservation price in rupees; Sauda has 185."""
    limit, cost = to_paise(reservation), to_paise(reservation - 5)
    return SealedValues(limit, cost, Paise(18500), 42)


def turns_of(frames: list[Frame]) -> tuple[Turn, ...]:
    return ledger_of(frames, scenario_of(frames))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(LINES, PRICES), min_size=1, max_size=4))
def test_the_rows_of_each_turn_add_up_to_its_movement(lines: list[tuple[str, float]]) -> None:
    frames = a_log(lines)
    for turn, moved in zip(turns_of(frames), moved_by(frames), strict=True):
        total = turn.words_moved + turn.faded + turn.rest
        assert total.urgency == pytest.approx(turn.moved.urgency)
        assert total.flexibility == pytest.approx(turn.moved.flexibility)
        assert (turn.after.urgency, turn.after.flexibility) == (moved.urgency, moved.flexibility)


@settings(max_examples=60, deadline=None)
@given(LINES, LINES)
def test_what_needs_no_words_is_the_same_whatever_was_said_before(first: str, line: str) -> None:
    told = turns_of(a_log([(first, 190), (line, 180)]))[1]
    plain = turns_of(a_log([("kal barish hogi", 190), (line, 180)]))[1]
    assert told.rest.urgency == pytest.approx(plain.rest.urgency, abs=0.01)
    assert [entry.moved for entry in told.entries] == [entry.moved for entry in plain.entries]


@settings(max_examples=80, deadline=None)
@given(LINES)
def test_all_spans_together_are_what_the_reader_heard(text: str) -> None:
    context = SaleContext(asks=(Paise(20000),), bids=(), turns=())
    reading = read_tells(text, context, Paise(19000))
    assert tells_of(reading.tells, reading.spans) == reading.tells


def test_a_line_with_every_reason_at_once_still_adds_up() -> None:
    line = ", ".join((*PHRASES, "need money", "honestly", "idiot!!!", "angry", "fixed"))
    turn = turns_of(a_log([(line, 170)]))[0]
    assert len(turn.entries) == 12
    total = turn.words_moved + turn.rest
    assert total.urgency == pytest.approx(turn.moved.urgency)
    assert total.flexibility == pytest.approx(turn.moved.flexibility)


def test_the_same_reason_given_twice_is_shared() -> None:
    first, second = turns_of(a_log([("urgent, jaldi karo, asap", 170)]))[0].entries[:2]
    assert first.why == second.why
    assert first.moved == second.moved
    assert first.moved.urgency > 0


def test_a_turn_without_words_stays_silent_without_its_spans() -> None:
    assert tells_of(Tells(), ()) == Tells()


def test_the_split_is_fair() -> None:
    def doubts(some: list[float] | Any) -> Amount:
        left = 1.0
        for one in some:
            left *= 1 - one
        return Amount(1 - left, 0.0)

    strong, also_strong, nothing = shares([0.8, 0.8, 0.0], doubts)
    assert strong == also_strong
    assert nothing == Amount()
    assert strong.urgency + also_strong.urgency == pytest.approx(0.96)
    assert shares([], doubts) == ()


@given(st.lists(st.floats(-1, 1), max_size=8))
def test_points_add_up_to_the_rounded_sum(parts: list[float]) -> None:
    found = points(parts, round(sum(parts) * 100))
    assert sum(found) == round(sum(parts) * 100)
    assert all(abs(point - part * 100) < 1.001 for point, part in zip(found, parts, strict=True))


def test_every_claim_of_the_table_is_a_reason_that_the_reader_gives() -> None:
    reasons = {cue.why for _, cue in TABLE} | {TWICE_WHY}
    for claim in CLAIMS:
        for why in claim.whys:
            assert any(reason.startswith(why) for reason in reasons), why


CASES = [
    # words, ask, reservation, later asks, deal, verdict, part of the reason
    ("170 se kam nahi", 170, 168, [], None, "true", "₹168"),
    ("170 se kam nahi", 170, 100, [], None, "bluff", "₹70 lower"),
    ("170 se kam nahi", 170, 168, [160], None, "bluff", "₹160 was asked later"),
    ("170 se kam nahi", 170, 120, [], 150, "bluff", "₹150 was taken later"),
    ("last price", 170, 169, [], None, "true", "₹169"),
    ("thoda kam kar lunga", 170, 120, [], None, "true", "₹50 lay between"),
    ("thoda kam kar lunga", 170, 170, [], None, "bluff", "no room"),
    ("im making a loss", 170, 120, [], None, "bluff", "cost of ₹115"),
    ("moving out tomorrow", 170, 120, [], 150, "cannot be known", "calendar"),
    ("moving out tomorrow", 170, 120, [], None, "bluff", "₹140 was left on the table"),
    ("moving out tomorrow", 170, 150, [], None, "cannot be known", "calendar"),
    ("3 other offers", 170, 120, [], 150, "cannot be known", "one buyer"),
    ("someone offered 180", 170, 120, [], 150, "bluff", "Sold for ₹150 with ₹180"),
    ("koi jaldi nahi", 170, 120, [150], None, "bluff", "₹20 lower"),
    ("koi jaldi nahi", 170, 120, [168], None, "cannot be known", "patience"),
]


@pytest.mark.parametrize(("words", "ask", "reservation", "later", "deal", "word", "why"), CASES)
def test_a_claim_is_judged_by_the_numbers(
    words: str, ask: float, reservation: float, later: list[float], deal: float | None,
    word: str, why: str,
) -> None:  # fmt: skip
    lines = [(words, ask), *(("theek hai", price) for price in later)]
    frames = a_log(lines, deal=deal, sealed=sealed(reservation))
    judged = [entry.verdict for entry in turns_of(frames)[0].entries if entry.verdict]
    assert judged, "the reader finds no claim in these words"
    assert judged[0].word == word
    assert why in judged[0].why


@pytest.mark.parametrize(
    ("score", "condition", "word"),
    [
        (1.0, "", "cannot be known"),
        (1.0, "screen replaced, works fine", "bluff"),
        (0.35, "screen replaced, works fine", "true"),
        (0.1, "hardly used, like new", "cannot be known"),
    ],
)
def test_a_claim_about_the_goods_is_held_against_the_listing(
    score: float, condition: str, word: str
) -> None:
    item = msgspec.structs.replace(a_scenario().item, condition=condition)
    frames = a_log([("170", 170)], item=item)
    hand = hand_at(frames, 3, scenario_of(frames))
    verdict = verdict_on("like new", "condition", "Hardly used: close to new.", score, hand)
    assert verdict is not None
    assert verdict.word == word


@pytest.mark.parametrize(
    ("line", "condition", "word", "why"),
    [
        ("STICKER on it", "works fine, small dents", "cannot be known", "the listing does not say"),
        ("two years old", "good, works fine", "cannot be known", "the listing does not say"),
        ("two years old", "2 years old, works fine", "true", "says so too"),
        ("1 year old", "2 years old, works fine", "bluff", "says otherwise"),
        ("the hinge is a bit loose", "hinge loose", "true", "says so too"),
        ("the hinge is a bit loose", "hinge tight", "cannot be known", "says otherwise"),
        ("hinge tight hai", "hinge is loose", "bluff", "says otherwise"),
        ("the hinge is a bit loose", "screen clear", "cannot be known", "the listing does not say"),
        ("battery gives 2 hours", "good", "cannot be known", "the listing does not say"),
        ("battery gives 5 hours", "battery lasts 2 hours", "bluff", "says otherwise"),
        ("बैटरी पाँच घंटे देती है", "battery lasts 2 hours", "bluff", "says otherwise"),
        ("कब्ज़े बिल्कुल ठीक हैं", "hinge is loose", "bluff", "says otherwise"),
        ("कब्ज़े ढीले हैं और सस्ता है", "hinge loose", "true", "says so too"),
        (
            "scratch on the glass",
            "kaanch par baarik khurach",
            "true",
            "“kaanch par baarik khurach”",
        ),
        ("there is a scratch", "काँच पर बारीक खरोंच है", "true", "says so too"),
        ("kaanch saaf hai", "strap theek hai par kaanch pe kharonch", "bluff", "says otherwise"),
        ("चेन ढीली है", "screen clear", "cannot be known", "the listing does not say"),
    ],
)
def test_what_is_said_of_a_thing_is_held_against_that_thing_alone(
    line: str, condition: str, word: str, why: str
) -> None:
    item = msgspec.structs.replace(a_scenario().item, condition=condition)
    (turn,) = turns_of(a_log([(line, 170)], item=item))
    judged = [e.verdict for e in turn.entries if e.signal == "condition" and e.verdict]
    assert [(one.word, why in one.why) for one in judged] == [(word, True)], judged


@pytest.mark.parametrize(
    "line", ["what do you think?", "how much will you give?", "let me think", "can we meet?"]
)
def test_who_asks_claims_nothing(line: str) -> None:
    (turn,) = turns_of(a_log([(line, 170)]))
    assert [entry.verdict for entry in turn.entries] == [None] * len(turn.entries)


def test_no_row_is_made_of_words_that_tell_no_flaw() -> None:
    for line in ("good price for this box", "170, last price", "the hinge is not loose at all"):
        (turn,) = turns_of(a_log([(line, 170)]))
        assert not [e for e in turn.entries if e.signal == "condition" and not e.why], line


def test_temper_and_pleading_claim_nothing() -> None:
    frames = a_log([("sorry bhai, kya bakwas!!", 170)])
    turn = turns_of(frames)[0]
    assert turn.entries
    assert all(entry.verdict is None for entry in turn.entries)
    assert turn.hoped is not None


def test_words_of_need_cost_the_seller_and_firm_words_help() -> None:
    weak = turns_of(a_log([("im making a loss, moving out tomorrow", 170)]))[0]
    firm = turns_of(a_log([("170 se kam nahi", 170)]))[0]
    assert weak.hoped is not None
    assert firm.hoped is not None
    assert weak.hoped < 0 < firm.hoped


@pytest.mark.django_db
def test_the_replay_of_a_persons_game_shows_the_ledger_escaped() -> None:
    game = store(a_haggle())
    html = Client().get(f"/replays/{game.pk}/").content.decode()
    assert 'id="ledger"' in html
    ledger = html.partition('id="ledger"')[2]
    assert "<b>sach</b>" not in ledger
    assert "&lt;b&gt;sach&lt;/b&gt;" in ledger


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("The shop next door offers 180 for it.", "bluff"),
        ("bagal ki dukaan 180 de rahi hai", "bluff"),
        ("बग़ल की दुकान 180 दे रही है।", "bluff"),
        ("The shop next door offers 120 for it.", "true"),
        ("The shop next door offers 100 for it.", "true"),
    ],
)
def test_what_the_shop_next_door_is_said_to_pay_is_held_against_what_it_pays(
    line: str, word: str
) -> None:
    frames = a_log([(line, 190)])
    (turn,) = ledger_of(frames, scenario_of(frames), next_door=True)
    told = [one.verdict for one in turn.entries if one.verdict]
    assert [verdict.word for verdict in told] == [word]
    assert "₹120" in told[0].why
    (turn,) = ledger_of(frames, scenario_of(frames))
    assert all("next door" not in one.verdict.why for one in turn.entries if one.verdict)


def test_somebody_else_is_no_shop_next_door() -> None:
    frames = a_log([("My cousin offers 180 for it.", 190)])
    (turn,) = ledger_of(frames, scenario_of(frames), next_door=True)
    assert all("next door" not in one.verdict.why for one in turn.entries if one.verdict)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "source", sorted(set(Game.Source) - {Game.Source.PERSON, Game.Source.EXAMPLE})
)
def test_a_game_without_a_person_has_no_ledger(source: str) -> None:
    game = store(a_haggle())
    game.source = source
    assert ledger_page(game, a_log([("urgent", 170)]), SALE) is None


def test_the_columns_of_the_page_add_up_as_they_are_written() -> None:
    frames = a_log([("urgent, im making a loss", 190), ("170 se kam nahi", 170)])
    page = ledger_page(Game(policy="sauda"), frames, SALE)
    assert page is not None
    for block in page.blocks:
        assert sum(_number(row.urgency) for row in block.rows) == _number(block.urgency)
        assert sum(_number(row.flexibility) for row in block.rows) == _number(block.flexibility)
    assert page.blocks[0].hoped


def test_a_network_that_hears_no_words_is_said_to_hope_nothing() -> None:
    frames = a_log([("urgent, im making a loss", 190), ("170 se kam nahi", 170)])
    page = ledger_page(Game(policy="sauda-network"), frames, SALE)
    assert page is not None
    assert [block.hoped for block in page.blocks] == [None, None]


def _number(text: str) -> int:
    return int(text.replace("−", "-") or 0)


@pytest.mark.parametrize(
    ("line", "condition"),
    [
        ("the hinge is not loose", "hinge slightly loose"),
        ("screen has no scratches at all", "curved screen without a scratch"),
        ("the door seal is new", "the door seal was replaced in spring"),
        ("8 months warranty is left", "1 year warranty"),
        ("two years old with 1 year warranty", "two years old with 1 year warranty"),
        ("battery is at 90 %", "battery lasts 3 hours"),
        ("the chain is good", "one gear sticks"),
        ("I had it for 1 year", "3 years old"),
    ],
)
def test_where_two_sayings_may_both_be_so_none_is_a_bluff(line: str, condition: str) -> None:
    item = msgspec.structs.replace(a_scenario().item, condition=condition)
    (turn,) = turns_of(a_log([(line, 170)], item=item))
    words = {e.verdict.word for e in turn.entries if e.signal == "condition" and e.verdict}
    assert words <= ({"true"} if line == condition else {"cannot be known"})
