"""A fork with the move that was made is the game that was played, byte for byte."""

from random import Random

import msgspec
import pytest

from bazaarbatna.bargain import Offer, Paise, advance, start
from negotiation.bargain.continuation import Crossroads
from negotiation.bargain.players import Opponents
from negotiation.bargain.recorded import PERSON, RULE_SELLER, Record, record_of
from negotiation.games.event_log import to_payload
from negotiation.games.fork import fork
from negotiation.games.game import Choice
from negotiation.models import EventRow, Game, Listing
from replays.simulating import Simulated, simulate, store
from tests.support.recorded import a_finished_purchase, a_finished_sale, moves_of, simulated

SIMULATED, SOLD, BOUGHT = 1000, 60, 40
SELLERS = (
    *("seller:default", "seller:firm", "seller:flexible", "seller:deceptive"),
    *("seller:people", "seller:people-halver", "seller:people-turncoat"),
)


def replayed(record: Record, seq: int) -> list[bytes]:
    at = Crossroads(record, seq)
    return [to_payload(event) for event in at.play(at.move_of(wordless(record, seq))).events]


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


def test_games_with_people_who_answer_come_back_from_any_move() -> None:
    """Seeds 0 to 119, mixtures and families."""
    luck = Random(11)
    suites = ("people@1", "people-turncoat@1", "people-held-out@1", "people@1-rounds-6")
    for seed in range(120):
        [one] = simulate(suites[seed % len(suites)], "rules:smart", seed)
        again = frozenset(range(2, len(one.events)))
        record = Record(one.setting, one.events, one.buyer, RULE_SELLER, again=again)
        for seq in {moves_of(record)[0], luck.choice(moves_of(record))}:
            assert replayed(record, seq) == written(record), (one.setting.suite, seed, seq)


def test_a_seller_who_answers_plays_on_with_other_luck() -> None:
    """Seeds 0 to 39: the same person, who does something else in some of them."""
    differs = 0
    for seed in range(40):
        [one] = simulate("people@1", "rules:smart", seed)
        record = Record(one.setting, one.events, one.buyer, RULE_SELLER)
        at = Opponents(record, 2)
        state, _ = advance(start(one.setting)[0], Offer(Paise(one.setting.anchor // 2)))
        made = [at.seller(state, luck).turn(state, 2, shown=False) for luck in (0, 1, 2)]
        assert made[0].version == one.setting.seller
        differs += len({turn.state.asks for turn in made}) > 1
    assert differs > 20


@pytest.mark.django_db
def test_a_recorded_game_with_people_who_answer_is_read_with_its_seller() -> None:
    """Seed 5; a family that has changed since is nobody who can be asked again."""
    [one] = simulate("people@1", "rules:smart", 5)
    [game] = store([one])
    record = record_of(game)
    assert (record.buyer, record.seller) == ("rules:smart", RULE_SELLER)
    assert set(moves_of(record)) <= record.again
    EventRow.objects.filter(game=game.pk).update(policy_version="people@1#000000000000")
    assert not record_of(game).again
    gone = msgspec.structs.replace(one.setting.sealed, persona="people:nobody")
    [lost] = store(
        [Simulated(one.buyer, msgspec.structs.replace(one.setting, sealed=gone), one.events)]
    )
    assert record_of(lost).seller == PERSON


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
        record = record_of(a_finished_purchase(lamp, number, SELLERS[number % len(SELLERS)]))
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
