"""Moves graded while the game goes on, and the first look at its end."""

import math
import re
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.test import Client

from bazaarbatna.bargain.events import TellsShown
from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SealedValues
from negotiation.bargain import house, sessions
from negotiation.bargain.continuation import Crossroads
from negotiation.bargain.house import house_shares
from negotiation.bargain.recorded import Record, record_of
from negotiation.bargain.scenarios import stored_scenario
from negotiation.models import Game
from negotiation.ttl_cache import forget
from replays.grade import ahead, jobs
from replays.grade.ahead import Known, Remembered, grade_ahead, known_of, look, own_moves
from replays.grade.moves import grade, grade_move, settled
from tests.support.finished import a_cheap_sale, a_haggle, a_scenario, store
from tests.support.graded import a_purchase, a_sale_between
from tests.support.visitors import key_of

TOKEN = re.compile(r'value="[A-Za-z0-9]{64}"')
HTMX: Any = {"HTTP_HX_REQUEST": "true"}


def at_once() -> None:
    """There is always time."""


def until(record: Record, seq: int) -> Record:
    """The record as it stands right after the move of event ``seq`` was stored."""
    after = record.events[seq : seq + 1]
    noticed = tuple(one for one in after if isinstance(one, TellsShown) and one.of_seq == seq)
    return msgspec.structs.replace(record, events=(*record.events[:seq], *noticed))


@pytest.mark.parametrize(
    ("played", "side"),
    [
        # Played when the test runs: every process that collects would else play them all.
        (lambda: a_sale_between("seller:flexible", "sauda-network", 1), "seller"),
        (lambda: a_sale_between("seller:people-halver", "sauda", 2), "seller"),
        (lambda: a_purchase(1000, 1200, 1300), "buyer"),
    ],
    ids=["network", "rules", "purchase"],
)
def test_a_move_gets_the_same_grade_while_the_game_goes_on(
    played: Callable[[], Record], side: str
) -> None:
    record = played()
    own = {move.seq: move for move in grade(record) if move.actor == side}
    assert list(own) == own_moves(record, side)
    for seq, graded in own.items():
        known = Known()
        grade_move(Remembered(until(record, seq), seq, known, at_once), ahead.FIRST_LOOK)
        assert known.shares[seq], "what the first look played, the finer one has too"
        ahead_of_it = grade_move(Remembered(until(record, seq), seq, known, at_once))
        assert settled(ahead_of_it, record) == graded


def test_the_look_at_the_end_is_exact_where_there_is_time_and_says_so_where_there_is_none() -> None:
    record = a_sale_between("seller:flexible", "sauda-network", 1)
    own = tuple(move for move in grade(record) if move.actor == "seller")
    nothing = look(record, "seller", Known(), 0.0)
    assert (nothing.result.moves, nothing.is_exact, nothing.is_whole) == ((), False, False)
    all_of_it = look(record, "seller", Known(), 600.0)
    assert (all_of_it.result.moves, all_of_it.is_exact) == (own, True)
    raw = {seq: grade_move(Crossroads(record, seq)) for seq in own_moves(record, "seller")}
    ready = Known(graded=raw)
    at_no_cost = look(record, "seller", ready, 0.0)
    assert (at_no_cost.result.moves, at_no_cost.is_exact) == (own, True)


def never(*_: Any) -> float:
    """Play a game of the house that was to be played ahead."""
    raise AssertionError("It was played ahead, and is played again.")


class Pieces:
    """A slot of so many pieces of work."""

    left = 0

    def __init__(self, _seconds: float) -> None:
        Pieces.left = 900

    def __call__(self) -> None:
        if not Pieces.left:
            raise ahead.TimeUp
        Pieces.left -= 1


@pytest.mark.django_db
@pytest.mark.parametrize("budget", [90_000, 130_000, 190_000], ids=["no zone", "narrow", "wide"])
def test_a_slot_is_used_up_whatever_is_sealed(budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen from outside a move of a live game costs the same, zone or none."""
    sealed = SealedValues(Paise(120_000), Paise(114_285), Paise(budget), 42)
    game = sessions.open_dealt("asha", a_scenario(sealed=sealed), "sauda-network")
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, "asha", Offer(Paise(190_000)))
    monkeypatch.setattr(ahead, "_Slot", Pieces)
    grade_ahead(game.pk)
    assert Pieces.left == 0
    assert len(known_of(game.pk).graded) == 1


@pytest.mark.django_db
def test_where_many_play_no_slot_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sessions.open_dealt("asha", a_scenario(), "sauda-network")
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, "asha", Offer(Paise(190_000)))
    monkeypatch.setattr(ahead, "_moved", deque([time.monotonic()] * ahead.BUSY, ahead.BUSY))
    monkeypatch.setattr(ahead, "WITHIN_S", math.inf)
    grade_ahead(game.pk, 5.0)
    assert known_of(game.pk).graded == {}


@pytest.mark.django_db
def test_the_house_played_ahead_gets_what_it_gets_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = store(a_haggle(), owner="asha")
    twin = sessions.open_dealt("asha", stored_scenario(game), game.policy)
    ahead.play_house_ahead(twin, at_once)
    at_the_end = house_shares(game)
    monkeypatch.setattr(house, "_share", never)
    assert house_shares(twin) == at_the_end != ()


@pytest.mark.django_db
def test_a_live_game_s_grades_are_nobody_s(asha: Client) -> None:
    game = sessions.open_dealt(key_of(asha), a_scenario(), "sauda-network")
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, key_of(asha), Offer(Paise(190_000)))
    grade_ahead(game.pk, 0.01)
    for page in ("costly", "grades"):
        assert asha.get(f"/replays/{game.pk}/{page}/", **HTMX).status_code == 404
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, key_of(asha), Walk())
    assert asha.get(f"/replays/{game.pk}/costly/", **HTMX).status_code in (200, 286)


@pytest.mark.django_db
def test_whoever_played_has_the_costly_move_in_the_first_answer(asha: Client) -> None:
    game = store(a_cheap_sale(), owner=key_of(asha))
    known_of(game.pk).graded |= {
        seq: grade_move(Crossroads(record_of(game), seq))
        for seq in own_moves(record_of(game), "seller")
    }
    answer = asha.get(f"/replays/{game.pk}/costly/", **HTMX)
    assert answer.status_code == 286
    at_once = answer.content.decode()
    assert "more than you got" in at_once
    assert "quick look" not in at_once
    assert jobs.run(game.pk)
    forget()
    later = asha.get(f"/replays/{game.pk}/costly/", **HTMX).content.decode()
    assert TOKEN.sub("", later) == TOKEN.sub("", at_once)


@pytest.mark.django_db
def test_a_first_look_is_named_so_and_says_when_it_was_another_move(
    asha: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = store(a_cheap_sale(), owner=key_of(asha))

    def only_a_first_look(game: Game) -> ahead.Look:
        known = Known()
        record = record_of(game)
        for seq in own_moves(record, "seller"):
            known.graded[seq] = grade_move(Crossroads(record, seq), ahead.FIRST_LOOK)
        found = look(record, "seller", known)
        width = {"seller": record.setting.zopa}
        return ahead.Look(ahead.result_of(width, found.result.moves), is_exact=False, is_whole=True)

    monkeypatch.setattr("replays.grade.views.first_look", only_a_first_look)
    answer = asha.get(f"/replays/{game.pk}/costly/", **HTMX)
    shown = answer.content.decode()
    assert answer.status_code == 200
    assert "From a quick look" in shown
    again = re.search(r'hx-get="([^"]+)"', shown)
    assert again is not None
    assert "?first=" in again[1]
    assert jobs.run(game.pk)
    same = asha.get(again[1], **HTMX)
    assert same.status_code == 286
    assert "A closer look has changed this." not in same.content.decode()
    for before in ("99-walk-", "none"):
        other = asha.get(f"/replays/{game.pk}/costly/?first={before}", **HTMX).content.decode()
        assert "A closer look has changed this." in other


@pytest.mark.django_db
def test_where_nothing_was_looked_at_nothing_is_said_of_it(
    asha: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = store(a_haggle(), owner=key_of(asha))
    monkeypatch.setattr(ahead, "BOX_S", 0.0)
    monkeypatch.setattr(ahead.look, "__defaults__", (0.0,))
    answer = asha.get(f"/replays/{game.pk}/costly/", **HTMX)
    assert answer.status_code == 200
    shown = answer.content.decode()
    assert "No move mattered much" not in shown


@pytest.mark.django_db
def test_where_no_move_mattered_the_house_is_told(
    asha: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = store(a_haggle(), owner=key_of(asha))
    monkeypatch.setattr("replays.grade.views.house_shares", lambda game: (0.31, 0.55, 0.55, 0.82))
    assert jobs.run(game.pk)
    page = asha.get(f"/replays/{game.pk}/costly/", **HTMX).content.decode()
    assert "No move mattered much" in page
    told = "Of 4 house players with your cards half kept 55 % or more, the best 82 %"
    assert told in page.replace("\N{NO-BREAK SPACE}", " ")
