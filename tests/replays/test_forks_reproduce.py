"""A fork with the move that was made is the game that was played, byte for byte."""

from random import Random

import pytest

from negotiation.models import EventRow, Game, Listing
from negotiation.stored_events import to_payload
from replays.continuation import Crossroads
from replays.fork_choice import Choice
from replays.forking import fork
from replays.recorded import PERSON, Record, record_of
from tests.support.recorded import a_finished_purchase, a_finished_sale, moves_of, simulated

SIMULATED, SOLD, BOUGHT = 1000, 60, 40
SELLERS = ("seller:default", "seller:firm", "seller:flexible", "seller:deceptive")


def replayed(record: Record, seq: int) -> list[bytes]:
    at = Crossroads(record, seq)
    return [to_payload(event) for event in at.play(wordless(record, seq).move()).events]


def wordless(record: Record, seq: int) -> Choice:
    event = record.events[seq - 1]
    action = str(event.__struct_config__.tag)
    price = getattr(event, "price", None) if action == "offer" else None
    return Choice(action, price)  # type: ignore[arg-type]


def written(record: Record) -> list[bytes]:
    return [to_payload(event) for event in record.events]


def test_policies_asked_again_play_a_thousand_recorded_games_again() -> None:
    luck = Random(7)
    seen = set()
    for record in simulated(SIMULATED):
        seq = luck.choice(moves_of(record))
        assert replayed(record, seq) == written(record), (record.setting.suite, record.buyer, seq)
        seen.add((record.setting.suite, record.buyer))
    assert len({suite for suite, _ in seen}) == 16
    assert len({buyer for _, buyer in seen}) >= 14


def test_policies_are_really_asked_and_not_read_from_the_record() -> None:
    record = next(iter(simulated(1)))
    other = Record(record.setting, record.events, "rules:smart", record.seller, again=record.again)
    assert replayed(other, 4) != written(record)


@pytest.mark.django_db
def test_games_of_people_who_sold_come_back_with_their_words_and_tells() -> None:
    luck = Random(8)
    talked = 0
    for number in range(SOLD):
        record = record_of(a_finished_sale(number))
        assert record.seller == PERSON
        assert record.again, "Sauda is asked again"
        for seq in {moves_of(record)[0], luck.choice(moves_of(record))}:
            assert replayed(record, seq) == written(record), (number, seq)
        talked += b"message" in b"".join(written(record))
    assert talked > 10


@pytest.mark.django_db
def test_games_of_people_who_bought_come_back_too() -> None:
    luck = Random(9)
    lamp = Listing.objects.create(
        title="Brass lamp",
        category="home",
        list_price=200_000,
        street_price=160_000,
        source_key="lamp",
    )
    for number in range(BOUGHT):
        record = record_of(a_finished_purchase(lamp, number, SELLERS[number % 4]))
        assert record.buyer == PERSON
        for seq in {moves_of(record)[0], luck.choice(moves_of(record))}:
            assert replayed(record, seq) == written(record), (number, seq)


@pytest.mark.django_db
def test_a_stored_fork_with_the_original_move_holds_the_same_bytes() -> None:
    game = a_finished_sale(3)
    record = record_of(game)
    assert moves_of(record)
    for seq in moves_of(record):
        child = fork(game, seq, wordless(record, seq), "bilal")
        assert log_of(child) == log_of(game)
        assert child.difference == {
            "side": getattr(record.events[seq - 1], "actor", ""),
            "mean": 0.0,
            "low": 0.0,
            "high": 0.0,
            "n": 100,
        }


@pytest.mark.django_db
def test_a_fork_of_a_fork_with_its_own_move_is_that_fork() -> None:
    game = a_finished_sale(5)
    seq = moves_of(record_of(game))[1]
    child = fork(game, seq, Choice("offer", 150_000), "bilal")
    record = record_of(child)
    assert moves_of(record)
    for later in moves_of(record):
        assert replayed(record, later) == written(record), later


def log_of(game: Game) -> list[bytes]:
    rows = EventRow.objects.filter(game=game).order_by("seq")
    return [bytes(payload) for payload in rows.values_list("payload", flat=True)]
