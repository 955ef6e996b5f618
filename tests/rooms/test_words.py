"""Every text of rooms can be said in Hindi, and pages say nothing that cannot be translated."""

from pathlib import Path

import pytest
from django.test import Client

from negotiation.models import Game
from rooms import hosting
from rooms.accounts import invitation_for, invite
from tests.support.pseudo import latin, pseudo_hindi
from tests.support.rooms import PASSWORD, a_host, a_room

KNOWN = frozenset(["BazaarBATNA", "Bazaar", "BATNA", "English", "UTC", "Moodle", "Canvas"])
OURS = ("Brass lamp 0", "Brass lamp 1", "Brass lamp 2", "Tuesday group", "meera", "Asha", "Bilal")


def left(page: str, code: str) -> list[str]:
    for own in (*OURS, code, "testserver/rooms"):
        page = page.replace(own, "")
    return latin(page, KNOWN)


@pytest.mark.django_db
def test_no_page_of_a_room_says_anything_that_cannot_be_translated(tmp_path: Path) -> None:
    host = a_host()
    room = a_room(host, games=2, reputation=True)
    with pseudo_hindi(tmp_path):
        desk, asha, bilal, fresh = (Client(headers={"accept-language": "hi"}) for _ in range(4))
        for client in (desk, asha, bilal, fresh):
            client.get("/rooms/")
        desk.post("/account/login/", {"username": "meera", "password": PASSWORD})
        at = f"/rooms/{room.code}/"
        pages = [fresh.get(at), fresh.get(f"/account/join/{invitation_for(invite('meera'))}/")]
        pages += [fresh.get("/rooms/ZZZZZZ/"), fresh.get("/account/join/none/")]
        pages += [desk.get("/rooms/new/"), desk.get("/rooms/"), desk.post("/rooms/new/", {})]
        for client, name in ((asha, "Asha"), (bilal, "Bilal")):
            client.post(at, {"nickname": name})
        pages += [asha.get(at), desk.get(f"{at}desk/"), desk.get(f"{at}wall/")]
        pages.append(fresh.post(at, {"nickname": "Asha"}))
        desk.post(f"{at}desk/start/")
        pages += [asha.get(at), desk.get(f"{at}desk/")]
        Game.objects.update(status="ended", outcome="deal", deal_price=150_000, seller_share=0.5)
        pages += [asha.get(at), desk.get(f"{at}desk/")]
        key = room.members.first().key  # type: ignore[union-attr]
        pages.append(fresh.get(f"/rooms/seat/{key}/"))
        desk.post(f"{at}desk/remove/{room.members.last().pk}/")  # type: ignore[union-attr]
        hosting.finish(room)
        pages += [asha.get(at), bilal.get(at), fresh.get(at), desk.get(f"{at}desk/")]
    found = {one.request["PATH_INFO"]: left(one.content.decode(), room.code) for one in pages}
    assert {address: texts for address, texts in found.items() if texts} == {}
