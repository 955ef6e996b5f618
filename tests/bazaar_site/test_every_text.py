"""Every text of the pages can be said in Hindi, and is."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from bazaar_site.landing.views import CARPET
from bazaar_site.translating import hindi, untranslated
from negotiation.models import Game, Listing
from replays.daily.drawing import catalogue
from tests.support.pseudo import latin, pseudo_hindi
from tests.support.receipts import load_receipts

KNOWN = frozenset(["BazaarBATNA", "Bazaar", "BATNA", "English", "GPU", "GPUs", "UTC"])


def without_goods(html: str) -> str:
    """Drop the titles of goods, which stay in their own language, also within a sentence."""
    for title in ("Brass lamp", CARPET.title, *(one.title for one in catalogue())):
        html = html.replace(escape(title), "")
    return html


MODEL = re.compile(r"Sauda mini, (?:pretrained only|SFT(?: \+ (?:GRPO|DPO))*)(?: with people)?")
"""Titles of trained models are names."""
STAGES = frozenset(["SFT", "GRPO", "DPO"])


def test_every_text_has_its_hindi() -> None:
    assert untranslated(hindi()) == []


@pytest.mark.django_db
def test_no_page_says_anything_that_cannot_be_translated(tmp_path: Path) -> None:
    lamp = Listing(title="Brass lamp", category="Home", list_price=200_000, street_price=150_000)
    lamp.save()
    with pseudo_hindi(tmp_path):
        asha = Client(headers={"accept-language": "hi"})
        asha.get("/")
        for _ in range(2):
            asha.post("/sell/new/", {"listing": lamp.pk, "share_replay": "on"})
        ended, live = Game.objects.order_by("created_at")
        asha.post(f"/sell/{ended.pk}/move/", {"action": "walk"})
        bought = asha.post("/buy/new/", {"listing": lamp.pk})["Location"]
        addresses = [
            *(reverse(name) for name in PAGES),
            f"/sell/new/?listing={lamp.pk}",
            f"/sell/{live.pk}/",
            f"/sell/{ended.pk}/",
            f"/buy/new/?listing={lamp.pk}",
            bought,
            f"/replays/{ended.pk}/",
            "/search/?q=lamp",
            "/nothing/",
        ]
        left = {at: latin(without_goods(asha.get(at).content.decode()), KNOWN) for at in addresses}
    assert {at: texts for at, texts in left.items() if texts} == {}


@pytest.mark.django_db
def test_nor_does_a_page_of_what_was_measured(tmp_path: Path) -> None:
    load_receipts()
    with pseudo_hindi(tmp_path):
        asha = Client(headers={"accept-language": "hi"})
        pages = {name: asha.get(reverse(name)).content.decode() for name in MEASURED}
    left = {name: latin(MODEL.sub("", page), KNOWN | STAGES) for name, page in pages.items()}
    assert {at: texts for at, texts in left.items() if texts} == {}


MEASURED = (
    *("evidence", "evidence-how", "leaderboard", "board-suites", "board-people", "training"),
    *("training-stages", "training-people", "training-games", "training-ladder"),
    "training-receipts",
)

PAGES = (
    *("landing", "sell", "sell-new", "buy", "daily", "puzzles", "arena", "market", "replays"),
    *("learn", "handbook", "search", "leaderboard", "training", "evidence", "voices", "bots"),
    *("rooms", "login", "offline", "status"),
)
