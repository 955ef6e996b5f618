"""The page shows two answers without names, and names them after the choice."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from training.pages.voices import pairs
from training.receipts.tables import VoicesTable
from training.voices.judging import code_of, texts_of
from training.voices.positions import CAST

pytestmark = pytest.mark.django_db


def page(client: Client, **asked: str) -> str:
    response = client.get("/voices/", asked)
    assert response.status_code == 200
    return unescape(response.content.decode())


def codes(html: str) -> list[str]:
    return re.findall(r'name="pick" value="(\w+)"', html)


def test_before_the_choice_nothing_tells_who_is_who(client: Client, judged: VoicesTable) -> None:
    html = page(client)
    main = html.partition("<main")[2].partition("</main>")[0]
    assert len(codes(main)) == 2
    for role in CAST:
        assert role.title not in main
        assert role.about not in main
    assert "What the judges thought" not in main
    position = pairs(judged)[0]
    assert position.talk[-1].text in main
    assert all(text in main for text in position.texts.values())


def test_a_choice_names_both_and_shows_what_judges_thought(
    client: Client, judged: VoicesTable
) -> None:
    position = pairs(judged)[0]
    pick = code_of(position, position.texts["bank"])
    html = page(client, at=position.id, pick=pick)
    assert "You picked the bank." in html
    assert codes(html) == []
    for role in CAST:
        assert role.title in html
        assert role.about in html
    assert "The bank was better than the old voice in 100\N{NO-BREAK SPACE}% of pairs" in html
    assert html.count("Your pick") == 1
    languages = re.findall(r'<th scope="rowgroup"[^>]*>([\w ]+) <small>', html)
    assert languages == ["All languages", "English", "Hinglish", "Hindi"]


def test_without_verdicts_the_page_says_so(client: Client, shown: VoicesTable) -> None:
    position = pairs(shown)[0]
    html = page(client, at=position.id, pick=next(iter(texts_of(position))))
    assert "Nobody has judged these pairs yet." in html
    assert "<table" not in html
    assert "the verdicts" not in html


def test_next_leads_through_every_pair_and_back_to_the_first(
    client: Client, shown: VoicesTable
) -> None:
    seen, at = [], ""
    while at not in seen:
        seen += [at] if at else []
        html = page(client, **({"at": at} if at else {}), language="hinglish")
        at = re.findall(r'href="/voices/\?at=(v\d+)&language=hinglish"', html)[0]
    assert {one.id for one in shown.rows if one.language == "hinglish"} == set(seen)


@pytest.mark.parametrize(
    "asked",
    [{"at": "v999"}, {"at": "<b>"}, {"pick": "aaaa"}, {"language": "klingon"},
     {"at": "v001\0"}, {"at": "v001", "pick": "bank"}],
)  # fmt: skip
def test_an_address_that_names_nothing_is_not_found(
    client: Client, shown: VoicesTable, asked: dict[str, str]
) -> None:
    assert client.get("/voices/", asked).status_code == 404


def test_without_a_table_there_is_no_page_and_no_way_to_it(client: Client, receipts: Path) -> None:
    assert client.get("/voices/").status_code == 404
    assert client.get("/training/receipts/voices.json").status_code == 404


def test_it_can_only_be_read(client: Client, shown: VoicesTable) -> None:
    assert client.post("/voices/", {"pick": "x"}).status_code == 405


def test_words_of_a_seller_are_escaped(client: Client, receipts: Path, table: VoicesTable) -> None:
    import msgspec

    first = pairs(table)[0]
    talk = (*first.talk[:-1], msgspec.structs.replace(first.talk[-1], text="<i>sasta</i>"))
    changed = msgspec.structs.replace(first, talk=talk, texts={"old": "<b>x</b>", "bank": "y"})
    msgspec.structs.replace(table, rows=(changed,)).write(VoicesTable.path())
    html = client.get("/voices/").content.decode()
    assert "&lt;i&gt;sasta" in html
    assert "&lt;b&gt;x" in html


def test_both_tables_can_be_taken_home(client: Client, judged: VoicesTable) -> None:
    texts = json.loads(client.get("/training/receipts/voices.json").content)
    verdicts = json.loads(client.get("/training/receipts/voice_verdicts.json").content)
    assert len(texts["rows"]) == 7
    assert len(verdicts["rows"]) == 14
