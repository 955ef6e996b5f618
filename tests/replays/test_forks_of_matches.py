"""What-ifs of the arena: one envelope is filled otherwise, everybody else as pinned."""

import json

import pytest
from django.test import Client
from django.utils import timezone

from arena.auction.web.records import event_from
from bazaarbatna.auction.events import Bid, Ended, Placed, action_of
from bazaarbatna.bargain.quantities import Paise
from negotiation.games.event_log import kind_of, to_payload
from negotiation.games.fork import fork
from negotiation.games.game import Choice
from negotiation.models import EventRow, Game, SealedRecord
from replays.fork.page import tree_of
from replays.fork.text import ending
from tests.support.branches import levels_of_branches
from tests.support.matches import a_match, played

pytestmark = pytest.mark.django_db


def a_stored_match(number: int, *, shared: bool = True) -> Game:
    scenario = a_match(number)
    events = played(scenario)
    ended = events[-1]
    assert isinstance(ended, Ended)
    game = Game.objects.create(
        kind="arena",
        source=Game.Source.ARENA,
        seat=Game.Seat.BUYER,
        owner="somebody",
        title=scenario.item.title,
        policy="several",
        share_replay=shared,
        status=Game.Status.ENDED,
        outcome=ended.outcome,
        deal_price=ended.price,
        rounds_used=ended.round,
        ended_at=timezone.now(),
        last_seq=len(events),
    )
    SealedRecord.objects.create(game=game, scenario=to_payload(scenario))
    EventRow.objects.bulk_create(
        EventRow(game=game, seq=seq, kind=kind_of(event), payload=to_payload(event))
        for seq, event in enumerate(events, start=1)
    )
    return game


def envelopes(game: Game) -> dict[int, Placed]:
    found = EventRow.objects.filter(game=game, kind="placed")
    return {row.seq: event for row in found if isinstance(event := event_from(row.payload), Placed)}


def log_of(game: Game) -> list[bytes]:
    rows = EventRow.objects.filter(game=game).order_by("seq")
    return [bytes(payload) for payload in rows.values_list("payload", flat=True)]


def test_every_envelope_filled_as_it_was_gives_the_match_byte_for_byte() -> None:
    for number in range(6):
        game = a_stored_match(number)
        made = envelopes(game)
        assert made
        for seq, envelope in made.items():
            price = envelope.move.price if isinstance(envelope.move, Bid) else None
            child = fork(game, seq, Choice(action_of(envelope.move), price), "bilal")
            assert log_of(child) == log_of(game), (number, seq)
            assert child.difference["mean"] == 0.0


def test_a_buyer_who_leaves_at_once_gains_nothing_by_it() -> None:
    game = a_stored_match(1)
    seq, envelope = next(iter(envelopes(game).items()))
    child = fork(game, seq, Choice("walk"), "bilal")
    assert log_of(child)[: seq - 1] == log_of(game)[: seq - 1]
    assert child.difference["side"] == f"buyer-{envelope.buyer + 1}"
    assert child.difference["n"] == 100
    assert child.difference["mean"] <= 0
    assert (child.parent_id, child.forked_at_seq, child.kind) == (game.pk, seq, "arena")
    assert tree_of(child, "").size == 2


def test_the_api_takes_a_hold_and_refuses_what_no_buyer_could_do(chetan: Client) -> None:
    game = a_stored_match(2)
    placed = envelopes(game)
    later = next(seq for seq, one in placed.items() if one.round > 1 and isinstance(one.move, Bid))
    told = ask(chetan, game, seq=later, action="hold")
    assert told[0] == 201
    assert chetan.get(str(told[1]["url"])).status_code == 200
    assert ask(chetan, game, seq=1, action="walk")[1]["error"]["code"] == "no-move-here"
    assert ask(chetan, game, seq=later, action="offer", price=0.01)[0] == 409
    assert ask(chetan, game, seq=later, action="offer", price=10**8)[0] == 409
    assert ask(chetan, game, seq=later, action="offer")[0] == 422


def test_a_private_match_is_nobody_elses_to_fork(chetan: Client) -> None:
    game = a_stored_match(3, shared=False)
    assert ask(chetan, game, seq=2, action="walk")[0] == 404


def test_a_bid_in_the_form_leads_to_the_branch(chetan: Client) -> None:
    game = a_stored_match(2)
    seq, envelope = next(iter(envelopes(game).items()))
    assert isinstance(envelope.move, Bid)
    price = Paise(envelope.move.price + 500)
    sent = {"seq": seq, "action": "offer", "price": str(price / 100)}
    answer = chetan.post(f"/replays/{game.pk}/fork/", sent)
    assert answer.status_code == 302
    page = chetan.get(answer["Location"])
    assert page.status_code == 200
    assert "What if" in page.content.decode()


def test_a_long_chain_of_forks_is_drawn_and_not_ever_deeper(chetan: Client) -> None:
    game = a_stored_match(2)
    seq, envelope = next(iter(envelopes(game).items()))
    assert isinstance(envelope.move, Bid)
    for more in range(1, 9):
        bid = Choice("offer", Paise(envelope.move.price + 100 * more))
        game = fork(game, seq, bid, "bilal")
    text = chetan.get(f"/replays/{game.pk}/").content.decode()
    assert text.count('class="branch"') == 9
    assert 4 <= levels_of_branches(text) <= 6


def ask(visitor: Client, game: Game, **body: object) -> tuple[int, dict[str, dict[str, str]]]:
    answer = visitor.post(
        f"/api/replays/{game.pk}/fork/", json.dumps(body), content_type="application/json"
    )
    return answer.status_code, answer.json()


@pytest.mark.parametrize(("kind", "words"), [("arena", "Every buyer left"), ("sell", "Somebody")])
def test_a_match_ends_unsold_only_when_every_buyer_has_left(kind: str, words: str) -> None:
    assert ending(Game(kind=kind, outcome="walk"), "INR").startswith(words)
    assert ending(Game(kind=kind, outcome="expired"), "INR") == "Rounds ran out"
