"""The page to learn from, the handbook, the search, the app on a phone, the second language."""

import re
from html import unescape

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from bazaar_site.learn.handbook import find, leaves
from bazaar_site.learn.views import NETWORK, three_rules
from bazaar_site.translating import hindi, renewed, wanted
from negotiation.models import Listing
from tests.support.commands import ROOT
from training.receipts.tables import MannersTable, ScriptedTable

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha() -> Client:
    return Client()


def test_every_page_of_the_handbook_opens_and_leads_only_to_pages_that_open(asha: Client) -> None:
    addresses = {reverse("handbook", args=[name]): name for name in leaves()}
    anchors = {}
    links: set[tuple[str, str]] = set()
    for address, name in addresses.items():
        html = asha.get(address).content.decode()
        assert html.count("<h1") == 1, name
        body = html.partition('<article class="handbook"')[2].partition("</article>")[0]
        anchors[address] = set(re.findall(r'<h\d id="([^"]+)"', body))
        for link in re.findall(r'<a href="([^"]*)"', body):
            links.add((address, unescape(link)))
    assert len(addresses) > 40
    assert len(links) > 50
    for page, link in links:
        if link.startswith(("http://", "https://")):
            continue
        target, _, place = link.partition("#")
        assert (target or page) in addresses or asha.get(target).status_code == 200, (page, link)
        assert not place or place in anchors[target or page], (page, link)


def test_a_page_that_is_not_in_the_handbook_is_not_served(asha: Client) -> None:
    for name in ("nothing", "../README", "..%2FREADME", "index", "decisions/../glossary"):
        assert asha.get(f"/learn/handbook/{name}/").status_code == 404, name


def test_the_search_finds_goods_pages_and_says_when_there_is_nothing(asha: Client) -> None:
    cooker = Listing(title="Hawkins pressure cooker", list_price=175_000, street_price=160_000)
    cooker.save()
    html = asha.get("/search/", {"q": "cooker"}).content.decode()
    assert "Hawkins pressure cooker" in html
    assert "Handbook" in asha.get("/search/", {"q": "reservation price"}).content.decode()
    assert "goes by that name" in asha.get("/search/", {"q": "zzqx"}).content.decode()


@pytest.mark.parametrize(
    "q", ["", "   ", "\x00", "<script>alert(1)</script>", "क" * 5000, "%s'\"\\"]
)
def test_the_search_takes_whatever_is_typed(asha: Client, q: str) -> None:
    answer = asha.get("/search/", {"q": q})
    assert answer.status_code == 200
    assert "<script>alert" not in answer.content.decode()


def test_sections_with_the_words_in_their_title_come_first() -> None:
    hits = find(["sealed", "bid"])
    assert hits
    assert find(["nothing-has-this-word"]) == []
    titled = [all(word in hit.title.lower() for word in ("sealed", "bid")) for hit in hits]
    assert titled == sorted(titled, reverse=True)


def test_the_app_names_icons_that_are_there_and_shares_to_an_own_item(asha: Client) -> None:
    described = asha.get("/manifest.webmanifest").json()
    assert not Session.objects.exists()  # browsers ask for it without cookies
    assert described["start_url"] == "/"
    assert {icon["sizes"] for icon in described["icons"]} == {"192x192", "512x512"}
    share = described["share_target"]
    fields = [share["params"][name] for name in ("title", "text")]
    html = asha.get(share["action"], dict(zip(fields, ("Old radio", "It hums."), strict=True)))
    assert 'value="Old radio"' in html.content.decode()
    assert ">It hums.</textarea>" in html.content.decode()


def test_the_page_without_a_net_is_kept_with_all_it_needs(asha: Client) -> None:
    script = asha.get("/service-worker.js").content.decode()
    kept = re.findall(r'"(/[^"]+)"', script)
    needed = re.findall(r'(?:href|src)="(/static/[^"]+)"', asha.get("/offline/").content.decode())
    assert "/offline/" in kept
    assert set(needed) <= set(kept)


def test_the_page_without_a_net_is_kept_anew_in_another_language(asha: Client) -> None:
    scripts = {
        asha.get("/service-worker.js", headers={"accept-language": language}).content
        for language in ("en", "hi")
    }
    assert len(scripts) == 2


def test_a_page_that_answers_a_post_offers_no_way_back_to_itself(asha: Client) -> None:
    refused = asha.post("/leaderboard/name/", {"name": ""})
    assert refused.status_code == 422
    assert b'name="next"' not in refused.content
    assert b'name="next" value="/leaderboard/"' in asha.get("/leaderboard/").content


def test_a_visitor_chooses_the_language_and_keeps_it(asha: Client) -> None:
    assert '<html lang="hi">' in asha.get("/", headers={"accept-language": "hi"}).content.decode()
    assert '<html lang="en">' in asha.get("/", headers={"accept-language": "fr"}).content.decode()
    answer = asha.post("/language/", {"language": "hi", "next": "/learn/"})
    assert answer.headers["Location"] == "/learn/"
    assert '<html lang="hi">' in asha.get("/learn/").content.decode()
    answer = asha.post("/language/", {"language": "en-in", "next": "https://example.org/"})
    assert "example.org" not in answer.headers["Location"]
    assert '<html lang="en">' in asha.get("/learn/").content.decode()


def test_every_text_that_scripts_write_is_in_their_list() -> None:
    listed = re.findall(r'data-text="([^"]+)"', (ROOT / "templates/_script_words.html").read_text())
    scripts = "".join(file.read_text() for file in (ROOT / "static" / "js").glob("*.js"))
    called = re.findall(r'\bword\("([^"]+)"', scripts)
    assert called
    assert set(called) <= set(listed)
    assert [text for text in listed if f'"{text}"' not in scripts] == []


def test_the_hindi_file_has_just_what_the_pages_say() -> None:
    assert {(one.id, one.context) for one in hindi()} == {
        (one.id, one.context) for one in wanted()
    }, "Run `manage.py messages`."


HOLE = re.compile(r"%\(\w+\)[sd]|\{\w*\}")


def test_hindi_keeps_every_placeholder() -> None:
    for message in renewed():
        if isinstance(message.id, tuple):
            had = set(HOLE.findall(" ".join(message.id)))
            assert all(set(HOLE.findall(said)) <= had for said in message.string), message.id
        elif message.id:
            assert set(HOLE.findall(message.string)) == set(HOLE.findall(message.id)), message.id


def test_three_rules_stand_with_what_they_are_worth(asha: Client) -> None:
    three = three_rules()
    assert three is not None
    html = asha.get("/learn/").content.decode()
    for shown in (*three.buying.values(), *three.selling.values()):
        assert shown is not None
        assert shown.text in html
    kept_by, taken_by = MannersTable.shipped(), ScriptedTable.shipped()
    assert kept_by
    assert taken_by
    kept = {row.policy: row.share for row in kept_by.rows}
    assert kept["rules:three"].low > kept["rules:halver"].high
    [taken] = [row for row in taken_by.rows if row.policy == NETWORK]
    worth = {one.seller: one.share.mean for one in taken.sellers}
    assert worth["steps of 8%"] == taken.blind.mean
    assert taken.blind.mean > max(worth[one] for one in ("step for step", "linear", "never moves"))


@pytest.mark.parametrize("gone", [MannersTable, ScriptedTable])
def test_without_the_receipts_no_rules_are_told(
    asha: Client, monkeypatch: pytest.MonkeyPatch, gone: type
) -> None:
    monkeypatch.setattr(gone, "shipped", classmethod(lambda _: None))
    assert "three-rules" not in asha.get("/learn/").content.decode()
