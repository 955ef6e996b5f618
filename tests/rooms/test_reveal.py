"""What the end of a game keeps back: no byte of the other side's limit, until it is told."""

from collections.abc import Iterator

import msgspec
import pytest
from django.test import Client

from negotiation.bargain.terms import Reveal, Terms
from negotiation.models import Game
from rooms import hosting
from rooms.lobby import lobby_of
from rooms.models import Room, RoomGame
from rooms.plan import Plan
from tests.rooms.debrief.test_access import as_member
from tests.support.class_rooms import a_game, a_member, a_room, bid, takes, walks

pytestmark = pytest.mark.django_db

LIMITS = (9876543.0, 6543217.0, 8317253.0)
OF_SELLER = ("6543217", "65,43,217", "6,543,217", "654321700")
OF_BUYER = ("8317253", "83,17,253", "8,317,253", "831725300")
DEAL = 7000001.0
SHARES = (f"{(DEAL - LIMITS[1]) / (LIMITS[2] - LIMITS[1]):.8f}"[:6], "1774036", "26 of 100")
"""Of the seller, and the width of the zone: with the price either gives both limits away."""


def played(reveal: Reveal, *, deal: bool = True) -> tuple[Room, RoomGame]:
    """Asha and Ravi have played at a table that tells so much."""
    room = a_room(plan=Plan(games=2, reveal=reveal, reputation=True), state=Room.State.PLAYING)
    asha, ravi = a_member(room, "Asha", dealt=1), a_member(room, "Ravi", dealt=1)
    end = takes("seller") if deal else walks("seller", "No.")
    row = a_game(room, asha, ravi, [bid(DEAL, "Seventy lakh and one"), end], limits=LIMITS)
    terms = Terms(reveal=reveal, back=room.get_absolute_url())
    Game.objects.filter(pk=row.game_id).update(terms=msgspec.to_builtins(terms))
    return room, row


def bytes_for(client: Client, room: Room, row: RoomGame, kind: str) -> Iterator[str]:
    """Everything that this site hands out of one game, to whoever asks in a browser."""
    game, seqs = row.game_id, range(1, row.game.last_seq + 1)
    pages = [f"/{kind}/{game}/", f"/api/{kind}/{game}/", f"/rooms/{room.code}/"]
    replay = f"/replays/{game}"
    pages += [f"{replay}{page}" for page in ("/", ".json", "/grades/", "/costly/", "/card.svg")]
    pages += ["/replays/?mine=1", "/api/replays/?mine=1", "/leaderboard/", "/puzzles/", "/"]
    for page in pages:
        yield client.get(page, follow=True).content.decode(errors="replace")
    for seq in seqs:
        body = {"seq": seq, "action": "offer", "price": DEAL}
        yield client.post(f"/api{replay}/fork/", body, "application/json").content.decode()
    yield client.post(f"/{kind}/{game}/again/", follow=True).content.decode()
    yield client.post(f"{replay}/share/", {"public": "1"}, follow=True).content.decode()


@pytest.mark.parametrize("deal", [True, False])
@pytest.mark.parametrize("reveal", ["own", "price", "at_debrief"])
@pytest.mark.parametrize(("name", "kind"), [("Asha", "sell"), ("Ravi", "buy")])
def test_no_byte_tells_the_other_limit(name: str, kind: str, reveal: Reveal, deal: bool) -> None:
    room, row = played(reveal, deal=deal)
    theirs = OF_BUYER if name == "Asha" else OF_SELLER
    client = as_member(room, name)
    found = list(bytes_for(client, room, row, kind))
    assert f"/{kind}/{row.game_id}/" in found[0] or "Back to the room" in found[0]
    for page in found:
        assert not [one for one in (*theirs, *SHARES) if one in page]
    assert not Game.objects.get(pk=row.game_id).share_replay


@pytest.mark.parametrize(("reveal", "is_told"), [("own", True), ("price", False)])
def test_the_end_tells_the_own_result_or_the_price_alone(reveal: Reveal, is_told: bool) -> None:
    room, row = played(reveal)
    body = as_member(room, "Asha").get(f"/sell/{row.game_id}/").content.decode()
    end = body.partition('id="sale-outcome"')[2].partition('<aside class="sale-side"')[0]
    assert "70,00,001" in end
    assert ("65,43,217" in end) is is_told
    assert "stays sealed" in end


@pytest.mark.parametrize("reveal", ["own", "all", "at_debrief"])
@pytest.mark.parametrize("deal", [True, False])
def test_a_room_pays_no_bonus_of_ours(reveal: Reveal, deal: bool) -> None:
    room, row = played(reveal, deal=deal)
    page = as_member(room, "Asha").get(f"/sell/{row.game_id}/").content.decode()
    assert "bonus" not in page
    assert "What you get above your floor." in page
    assert ("<dt>Above your floor</dt>" in page) is deal
    assert ("₹4,56,784" in page.partition("Above your floor</dt>")[2][:60]) is deal
    assert "one game in ten" not in page, "the room says how its limits are drawn"


def test_the_debrief_opens_what_waited_for_it_and_closes_it_again() -> None:
    room, row = played("at_debrief")
    asha = as_member(room, "Asha")
    assert "in the debrief" in asha.get(f"/sell/{row.game_id}/").content.decode()
    hosting.show_debrief(room, is_open=True, is_named=False)
    assert "83,17,253" in asha.get(f"/sell/{row.game_id}/").content.decode()
    assert asha.get(f"/replays/{row.game_id}/").status_code == 200
    hosting.show_debrief(room, is_open=False, is_named=False)
    assert "83,17,253" not in asha.get(f"/sell/{row.game_id}/").content.decode()
    assert asha.get(f"/replays/{row.game_id}/").status_code == 404


def test_what_tells_all_tells_all_and_its_frames_stay_as_they_were() -> None:
    room, row = played("all")
    asha = as_member(room, "Asha")
    assert "83,17,253" in asha.get(f"/sell/{row.game_id}/").content.decode()
    assert asha.get(f"/api/sell/{row.game_id}/").json()["frames"][-1]["event"]["opened"]


@pytest.mark.parametrize(("reveal", "is_told"), [("own", False), ("all", True)])
def test_a_record_has_a_share_only_where_all_is_told(reveal: Reveal, is_told: bool) -> None:
    room, _ = played(reveal)
    asha, ravi = room.members.order_by("number")
    a_game(room, asha, ravi, [bid(DEAL)], limits=LIMITS, number=2)
    past = lobby_of(asha).rival_past
    assert past is not None
    assert past.deals == 1
    assert (past.share is not None) is is_told


def test_the_search_finds_what_a_table_that_tells_all_says() -> None:
    room, row = played("all")
    pages = list(bytes_for(as_member(room, "Asha"), room, row, "sell"))
    assert sum(any(one in page for one in OF_BUYER) for page in pages) >= 4
    assert any(one in page for one in SHARES for page in pages)
