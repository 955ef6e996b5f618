"""What is kept between requests is never shown in the language of somebody else."""

import re
from pathlib import Path

import pytest
from django.test import Client

from negotiation.models import Game, Listing
from tests.support.pseudo import pseudo_hindi

DEVANAGARI = re.compile("[\u0900-\u097f]")
NAMED_IN_THEIR_OWN = re.compile(r"<[^>]*lang=\"hi\"[^>]*>[^<]*<")


def words(client: Client, address: str) -> str:
    """Return a page without the names of languages, which are written in their own."""
    return NAMED_IN_THEIR_OWN.sub("<", client.get(address).content.decode())


@pytest.mark.django_db
def test_a_page_is_read_in_english_in_hindi_and_in_english_again(tmp_path: Path) -> None:
    lamp = Listing(title="Brass lamp", category="Home", list_price=200_000, street_price=150_000)
    lamp.save()
    with pseudo_hindi(tmp_path):
        asha = Client(headers={"accept-language": "en"})
        asha.get("/")
        asha.post("/sell/new/", {"listing": lamp.pk, "share_replay": "on"})
        sold = Game.objects.get()
        asha.post(f"/sell/{sold.pk}/move/", {"action": "walk"})
        ravi = Client(headers={"accept-language": "hi"})
        ravi.cookies = asha.cookies
        pages = ("/", "/sell/", f"/sell/{sold.pk}/", f"/replays/{sold.pk}/", "/learn/people/")
        for page in pages:
            before = words(asha, page)
            assert not DEVANAGARI.search(before), page
            assert DEVANAGARI.search(words(ravi, page)), page
            assert not DEVANAGARI.search(words(asha, page)), page


@pytest.mark.django_db
def test_the_picture_of_a_replay_has_a_tag_for_each_language() -> None:
    lamp = Listing(title="Brass lamp", category="Home", list_price=200_000, street_price=150_000)
    lamp.save()
    asha = Client()
    asha.get("/")
    asha.post("/sell/new/", {"listing": lamp.pk, "share_replay": "on"})
    sold = Game.objects.get()
    asha.post(f"/sell/{sold.pk}/move/", {"action": "walk"})
    tags = {
        language: asha.get(
            f"/replays/{sold.pk}/card.png", headers={"accept-language": language}
        ).headers["ETag"]
        for language in ("en", "hi")
    }
    assert tags["en"] != tags["hi"]
