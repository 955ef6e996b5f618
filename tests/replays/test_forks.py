"""What-ifs through the writer and the API: who may ask, what is refused, what is kept."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client

from bazaarbatna.bargain.errors import IllegalMove
from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain.continuation import Crossroads
from negotiation.bargain.recorded import record_of
from negotiation.errors import NoMoveHere
from negotiation.games.fork import difference, fork
from negotiation.games.game import Choice
from negotiation.models import EventRow, Game
from replays.fork.page import tree_of
from tests.support.builders import a_started_sale
from tests.support.finished import a_haggle, store
from tests.support.recorded import a_finished_sale, moves_of
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db


def ask(visitor: Client, game: Game | str, **body: object) -> tuple[int, dict[str, object]]:
    pk = game if isinstance(game, str) else game.pk
    answer = visitor.post(f"/api/replays/{pk}/fork/", json.dumps(body), "application/json")
    return answer.status_code, answer.json()


def test_bilal_asks_what_another_price_had_led_to(chetan: Client, shared: Game) -> None:
    status, told = ask(chetan, shared, seq=3, action="offer", price=1750)
    assert status == 201
    child = Game.objects.get(pk=told["id"])
    assert told["url"] == f"/replays/{child.pk}/?seq=3"
    assert (child.parent_id, child.forked_at_seq, child.source) == (shared.pk, 3, "what-if")
    assert child.owner == key_of(chetan)
    assert child.share_replay
    found = told["difference"]
    assert isinstance(found, dict)
    assert found["n"] == 100
    assert found["side"] == "seller"
    assert -1 <= found["low"] <= found["mean"] <= found["high"] <= 1
    assert 0 <= found["own"] <= 1
    assert 0 <= found["own"] + found["mean"] <= 1
    html = chetan.get(str(told["url"])).content.decode()
    low, high = found["tried"]
    assert 0 <= low <= found["own"] + found["mean"] <= high <= 1
    assert f"about <b>{round(100 * (found['own'] + found['mean']))}</b>" in html


def test_everything_before_the_move_stays_and_the_move_is_the_new_one(shared: Game) -> None:
    child = fork(shared, 5, Choice("offer", Paise(120_000)), "bilal")
    before, after = rows(shared), rows(child)
    assert before[:4] == after[:4]
    assert b'"price":120000' in after[4]
    assert b'"kind":"ended"' in after[-1]
    assert child.last_seq == len(after)


def test_the_same_question_has_the_same_answer(asha: Client, chetan: Client, shared: Game) -> None:
    first = ask(asha, shared, seq=3, action="walk")
    second = ask(chetan, shared, seq=3, action="walk")
    assert first == second
    assert Game.objects.filter(parent=shared).count() == 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"seq": 1, "action": "walk"}, 422, "no-move-here"),
        ({"seq": 4, "action": "walk"}, 422, "no-move-here"),
        ({"seq": 999, "action": "walk"}, 422, "no-move-here"),
        ({"seq": 3, "action": "hold"}, 422, "no-move-here"),
        ({"seq": 0, "action": "walk"}, 422, "bad-request"),
        ({"seq": 2**40, "action": "walk"}, 422, "bad-request"),
        ({"seq": 3, "action": "sell"}, 422, "bad-request"),
        ({"seq": 3, "action": "offer"}, 422, "invalid-price"),
        ({"seq": 3, "action": "offer", "price": float("nan")}, 422, "bad-request"),
        ({"seq": 3, "action": "offer", "price": float("inf")}, 422, "bad-request"),
        ({"seq": 3, "action": "offer", "price": 1e300}, 422, "invalid-price"),
        ({"seq": 3, "action": "offer", "price": -5}, 422, "invalid-price"),
        ({"seq": 3, "action": "offer", "price": "cheap"}, 422, "bad-request"),
        ({"seq": 3, "action": "offer", "price": 2001}, 409, "illegal-move"),
        ({"seq": 3, "action": "offer", "price": 1199}, 409, "illegal-move"),
        ({"seq": 3, "action": "accept"}, 409, "illegal-move"),
        ({"seq": 5, "action": "offer", "price": 1701}, 409, "illegal-move"),
        ({"seq": 5, "action": "offer", "price": 1099}, 409, "illegal-move"),
        ({"seq": 3, "action": "walk", "text": "x" * 9000}, 422, "bad-request"),
        ({"action": "walk"}, 422, "bad-request"),
    ],
)
def test_mallory_is_told_what_is_wrong(
    chetan: Client, shared: Game, body: dict[str, object], status: int, code: str
) -> None:
    found, told = ask(chetan, shared, **body)
    assert found == status, told
    assert told["error"]["code"] == code  # type: ignore[index]
    assert not Game.objects.filter(parent=shared).exists()


def test_chetan_finds_no_private_no_live_and_no_unknown_game(
    asha: Client, chetan: Client, kept: Game
) -> None:
    live = a_started_sale(key_of(asha))
    for visitor, game in ((chetan, kept.pk), (asha, live.pk), (asha, "no-such-game")):
        status, told = ask(visitor, game, seq=2, action="walk")
        assert status == 404
        assert told["error"]["code"] == "unknown-game"  # type: ignore[index]


def test_a_what_if_of_a_private_game_is_private(asha: Client, chetan: Client, kept: Game) -> None:
    _, told = ask(asha, kept, seq=3, action="offer", price=1750)
    url = f"/replays/{told['id']}/"
    assert asha.get(url).status_code == 200
    assert chetan.get(url).status_code == 404
    assert ask(chetan, str(told["id"]), seq=3, action="walk")[0] == 404


def test_too_many_questions_have_to_wait(chetan: Client, shared: Game, settings: object) -> None:
    from negotiation.limits import forget_settings, forget_uses

    settings.LIMITS = {**settings.LIMITS, "forks": "2/minute"}  # type: ignore[attr-defined]
    forget_uses()
    try:
        prices = (1750, 1760, 1770)
        told = [ask(chetan, shared, seq=3, action="offer", price=price)[0] for price in prices]
    finally:
        forget_settings()
    assert told == [201, 201, 429]


def test_a_move_of_the_house_can_be_replaced_and_a_stand_in_answers_it() -> None:
    game = a_finished_sale(3)
    seq = moves_of(record_of(game))[0]
    child = fork(game, seq, Choice("offer", Paise(90_000)), "asha-session-key")
    served = list(EventRow.objects.filter(game=child).values_list("kind", "backend"))
    assert {("offer", "stand-in"), ("offer", "rules"), ("ended", "rules")} <= set(served)
    texts = [payload for payload in rows(child) if b'"actor":"seller"' in payload]
    assert texts[1:]
    assert all(b'"text":"' not in text or b'"text":""' in text for text in texts[1:])


def test_a_stand_in_keeps_the_reservation_price_it_was_given() -> None:
    for number in range(12):
        game = a_finished_sale(number)
        record = record_of(game)
        at = Crossroads(record, moves_of(record)[0])
        line = at.play(Offer(Paise(100_000)))
        mine = [e for e in line.events if getattr(e, "actor", "") == "seller"]
        asks = [price for e in mine if (price := getattr(e, "price", None)) is not None]
        assert asks
        assert min(asks) >= 120_000


def test_a_better_price_shows_as_better_and_a_worse_one_as_worse() -> None:
    game = store(a_haggle())
    at = Crossroads(record_of(game), 2)
    leaving = difference(at, Walk())
    assert leaving.side == "buyer"
    assert leaving.mean < 0
    assert leaving.low <= leaving.mean <= leaving.high
    assert difference(at, Walk()) == leaving


def test_the_luck_of_a_rollout_decides_and_nothing_else() -> None:
    game = a_finished_sale(6)
    record = record_of(game)
    seq = moves_of(record)[0]
    one, other = Crossroads(record, seq), Crossroads(record, seq)
    ends = [one.rollout(one.made, luck).ended for luck in range(30)]
    assert ends == [other.rollout(other.made, luck).ended for luck in reversed(range(30))][::-1]
    assert len({(end.price, end.round) for end in ends if end}) > 3


def test_forks_of_forks_make_a_tree(shared: Game) -> None:
    walked = fork(shared, 3, Choice("walk"), "bilal")
    dearer = fork(shared, 3, Choice("offer", Paise(190_000)), "bilal")
    record = record_of(dearer)
    later = next(seq for seq in moves_of(record) if seq > 3)
    deeper = fork(dearer, later, Choice("walk"), "bilal")
    for game in (shared, walked, dearer, deeper):
        tree = tree_of(game, "chetan")
        assert tree.game.pk == shared.pk
        assert {node.game.pk for node in tree.children} == {walked.pk, dearer.pk}
        below = next(node for node in tree.children if node.game.pk == dearer.pk)
        assert [node.game.pk for node in below.children] == [deeper.pk]
        assert tree.size == 4


def test_an_old_version_of_a_policy_is_read_and_not_asked() -> None:
    game = a_finished_sale(4)
    EventRow.objects.filter(game=game, backend="rules").update(policy_version="sauda@0#old")
    record = record_of(game)
    assert record.again == frozenset()
    seq = moves_of(record)[0]
    at = Crossroads(record, seq)
    assert at.play(at.made).events == record.events


def test_what_a_model_said_is_read_on_the_way_and_its_rules_play_on_after_it() -> None:
    game = a_finished_sale(8)
    modelled = EventRow.objects.filter(game=game, kind="offer", backend="rules")
    modelled.update(backend="hf")
    record = record_of(game)
    bids = [
        seq for seq in moves_of(record) if getattr(record.events[seq - 1], "actor", "") == "buyer"
    ]
    assert not record.again & set(bids[:-1])
    child = fork(game, moves_of(record)[1], Choice("offer", Paise(199_000)), "bilal")
    served = EventRow.objects.filter(game=child).order_by("seq").values_list("kind", "backend")
    offers = [backend for kind, backend in served if kind == "offer"]
    assert offers[0] == "hf"
    assert "hf" not in offers[1:]
    assert "rules" in offers[1:]


@pytest.mark.django_db(transaction=True)
def test_two_people_who_ask_the_same_at_once_get_one_answer() -> None:
    game = store(a_haggle())
    start = threading.Barrier(4)

    def ask_at_once(number: int) -> str:
        start.wait(10)
        try:
            return fork(game, 3, Choice("walk"), f"visitor-{number}").pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as people:
        answers = set(people.map(ask_at_once, range(4)))
    assert len(answers) == 1
    assert Game.objects.filter(parent=game).count() == 1


def test_nothing_but_a_move_can_be_replaced(shared: Game) -> None:
    with pytest.raises(NoMoveHere):
        fork(shared, 1, Choice("walk"), "bilal")
    with pytest.raises(IllegalMove):
        fork(shared, 5, Choice("offer", Paise(10**9)), "bilal")


def test_pages_of_replays_hold_what_the_contract_says(chetan: Client, shared: Game) -> None:
    told = chetan.get("/api/replays/").json()
    assert [row["id"] for row in told["results"]] == [shared.pk]
    row = told["results"][0]
    assert row["url"] == f"/replays/{shared.pk}/"
    assert row["price"] == 1500.0
    assert {"kind", "source", "suite", "policy", "persona", "outcome", "ended_at"} <= row.keys()
    assert chetan.get("/api/replays/?outcome=walk").json()["results"] == []
    assert chetan.get("/api/replays/?q=" + "x" * 300).status_code == 422


def rows(game: Game) -> list[bytes]:
    found = EventRow.objects.filter(game=game).order_by("seq")
    return [bytes(payload) for payload in found.values_list("payload", flat=True)]
