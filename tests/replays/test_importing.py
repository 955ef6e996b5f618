"""A file that was taken home comes back, if it proves itself; any other leaves nothing behind."""

import codecs
import contextlib
import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import Item, SealedValues
from negotiation.models import EventRow, Game, Listing, SealedRecord
from replays.simulating import simulate
from replays.simulating import store as store_simulated
from replays.transfer.importing import MOST_BYTES, MOST_LETTERS, MOST_PARTS, import_replay
from replays.transfer.reading import MOST_EVENTS, ImportRefused
from tests.support.finished import Playing, a_haggle, a_scenario, a_walk, store
from tests.support.forging import JSON, forged
from tests.support.recorded import a_finished_purchase, a_finished_sale
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db
File = dict[str, Any]


@pytest.fixture
def bilal(db: None) -> Client:
    """Bilal, who brings files."""
    return a_visitor()


def exported(client: Client, pk: str) -> File:
    response = client.get(f"/replays/{pk}.json")
    assert response.status_code == 200
    return json.loads(response.content)


def brings(client: Client, file: File | bytes) -> tuple[int, File]:
    body = file if isinstance(file, bytes) else json.dumps(file).encode()
    response = client.post("/api/replays/import/", body, content_type="application/json")
    return response.status_code, response.json()


def stored() -> tuple[int, int, int]:
    return Game.objects.count(), EventRow.objects.count(), SealedRecord.objects.count()


def in_the_game(file: File) -> File:
    """What must come back; the address of the page is another one."""
    events = [{k: v for k, v in event.items() if k != "replay"} for event in file["events"]]
    told = {**file, "events": events, "game": {**file["game"], "id": ""}}
    told.pop("signature", None)
    return told


@pytest.fixture
def file(asha: Client, shared: Game) -> File:
    return exported(asha, shared.pk)


def a_lamp() -> Listing:
    return Listing.objects.create(
        title="Brass lamp",
        category="home",
        list_price=250_000,
        street_price=180_000,
        source_key="1",
    )


def all_kinds(asha: Client) -> list[Game]:
    key = key_of(asha)
    narrow = SealedValues(120000, 114285, 100000, 7)  # type: ignore[arg-type]
    dollars = Item("Lamp <b>₹</b> 😀 हार्मोनियम", "home", "ok", "good", "USD")
    games = [store(a_haggle(item=dollars), owner=key), store(a_walk(sealed=narrow), owner=key)]
    games += [a_finished_sale(number) for number in range(6)]
    lamp = a_lamp()
    games += [a_finished_purchase(lamp, number, "seller:deceptive") for number in range(3)]
    for suite in ("deceptive_seller@sampled-1", "read_the_tells@fixed-1", "single_deal@fixed-1"):
        games += store_simulated(list(simulate(suite, "sauda", 3)))
    Game.objects.filter(owner="asha-session-key").update(share_replay=True)
    return games


def test_a_game_of_any_kind_comes_back_as_it_was(asha: Client, bilal: Client) -> None:
    games = all_kinds(asha)
    assert {game.outcome for game in games} >= {"deal", "walk"}
    for game in games:
        file = exported(asha, game.pk)
        status, answer = brings(bilal, file)
        assert status == 201, answer["error"]["detail"]
        again = exported(bilal, answer["id"])
        assert in_the_game(again) == in_the_game(file)
        page = bilal.get(answer["url"])
        assert page.status_code == 200
        assert "every word signed by this house" in page.content.decode()
        assert "The sealed numbers match their commitment" in page.content.decode()


def test_an_import_is_seen_by_whoever_brought_it_alone(bilal: Client, file: File) -> None:
    _, answer = brings(bilal, file)
    chetan = a_visitor()
    assert chetan.get(answer["url"]).status_code == 404
    assert answer["id"] not in chetan.get("/replays/?source=import").content.decode()
    mine = bilal.get("/replays/?source=import").content.decode()
    assert answer["id"] in mine
    assert "Imported" in mine
    game = Game.objects.get(pk=answer["id"])
    assert (game.source, game.share_replay, game.owner) == ("import", False, key_of(bilal))


def test_the_same_file_twice_is_one_replay(bilal: Client, file: File) -> None:
    first, second = brings(bilal, file), brings(bilal, json.dumps(file, indent=8).encode())
    assert (first[0], second[0]) == (201, 200)
    assert first[1] == second[1]
    chetan = a_visitor()
    assert brings(chetan, file)[1]["id"] != first[1]["id"]


def test_the_page_takes_a_file_and_pasted_text(bilal: Client, file: File) -> None:
    text = json.dumps(file, ensure_ascii=False, indent=2)
    upload = SimpleUploadedFile("replay.json", text.encode(), "application/json")
    response = bilal.post("/replays/import/", {"file": upload, "text": ""})
    pasted = bilal.post("/replays/import/", {"text": text.replace("\n", "\r\n")})
    assert response.status_code == 302
    assert response["Location"] == pasted["Location"]
    assert bilal.get(response["Location"]).status_code == 200


@pytest.mark.parametrize("way", ["api", "file", "pasted"])
def test_a_mark_of_the_byte_order_before_it_is_passed_over(
    asha: Client, bilal: Client, shared: Game, way: str
) -> None:
    """Some editors put one before our own export, which is signed."""
    body = codecs.BOM_UTF8 + asha.get(f"/replays/{shared.pk}.json").content
    if way == "api":
        assert brings(bilal, body)[0] == 201
    else:
        sent: Any = {"file": SimpleUploadedFile("r.json", body)} if way == "file" else {}
        sent = sent or {"text": body.decode()}
        assert bilal.post("/replays/import/", sent).status_code == 302
    game = Game.objects.get(source=Game.Source.IMPORT)
    assert game.words_by == ""  # the signature fits


def test_a_mark_does_not_hide_how_far_a_broken_game_is_in_order(bilal: Client, file: File) -> None:
    file["events"][3]["round"] = 9
    body = codecs.BOM_UTF8 + json.dumps(file).encode()
    page = bilal.post("/replays/import/", {"file": SimpleUploadedFile("r.json", body)})
    assert page.status_code == 422
    assert "The first 3 of 12 events fit" in page.content.decode()


def a_long_talk(client: Client, letters: int) -> File:
    """A game in which the buyer says so much; played by the rules, and the seller leaves."""
    playing = Playing(a_scenario(max_rounds=40)).move("buyer", Offer(Paise(110_000), "1100"))
    for said in range(0, letters, 1_000):
        playing.say("buyer", "9 " * (min(letters - said, 1_000) // 2))
    game = store(playing.move("seller", Walk("no")), owner="asha")
    told = exported(client, game.pk)
    game.delete()
    return told


def test_words_that_this_house_has_not_signed_have_an_end(bilal: Client) -> None:
    """Each is read for what it gives away: a megabyte of them took three seconds."""
    long = a_long_talk(bilal, MOST_LETTERS + 10_000)
    assert brings(bilal, long)[0] == 201  # what was said here comes back, however much it is
    del long["signature"]
    status, told = brings(bilal, long)
    assert (status, told["error"]["code"]) == (400, "unreadable-replay")
    assert "at most 60,000 characters" in told["error"]["detail"]
    short = a_long_talk(bilal, MOST_LETTERS - 1_000)
    short["events"][-1]["certificate"] = {}
    del short["signature"]
    assert brings(bilal, short)[0] == 201


@pytest.mark.parametrize("part", ["{},", "[],", "1,", '"a",'])
def test_a_file_of_nothing_but_brackets_is_refused_before_it_is_read(
    bilal: Client, file: File, part: str
) -> None:
    body = json.dumps(file).encode()
    hostile = body[:-1] + f', "x": [{part * (MOST_PARTS + 1)}1]}}'.encode()
    status, told = brings(bilal, hostile[:MOST_BYTES])
    assert (status, told["error"]["code"]) == (400, "unreadable-replay")
    assert "commas and brackets" in told["error"]["detail"]


def test_the_page_tells_how_far_a_broken_game_is_in_order(bilal: Client, file: File) -> None:
    file["events"][6]["round"] = 9
    response = bilal.post("/replays/import/", {"text": json.dumps(file)})
    html = response.content.decode()
    assert response.status_code == 422
    assert "The first 6 of 12 events fit. Event 7 breaks the rules." in html
    assert "the seller asks ₹1,800" in html


def change(path: str, value: Any) -> Callable[[File], None]:
    """A forger who sets one value; ``path`` is like ``events.3.price``."""

    def forge(file: File) -> None:
        *way, last = (int(part) if part.isdecimal() else part for part in path.split("."))
        place: Any = file
        for part in way:
            place = place[part]
        if value is ...:
            del place[last]
        else:
            place[last] = value

    return forge


def promise_again(file: File) -> None:
    """Mallory changes the budget everywhere, and the commitment at the end, but not the promise."""
    text = file["committed_text"].replace('"budget":170000', '"budget":180000')
    assert text != file["committed_text"]
    digest = hashlib.sha256(text.encode()).hexdigest()
    ended = file["events"][-1]
    for place in (file, ended):
        place["committed_text"], place["commitment"] = text, digest
        place["opened"]["budget"] = 1800.0


def cut(file: File) -> None:
    del file["events"][-1]


def go_on(file: File) -> None:
    tells = next(event for event in file["events"] if event["kind"] == "tells")
    file["events"].append(
        {**tells, "seq": len(file["events"]) + 1, "round": file["game"]["rounds"]}
    )


def flood(file: File) -> None:
    file["events"] = file["events"][:2] * MOST_EVENTS


FORGERIES = {
    "bid above the budget": (change("events.1.price", 1705.0), "not-a-game", 2),
    "price that was taken": (change("events.10.price", 1400.0), "not-a-game", 11),
    "actor": (change("events.1.actor", "seller"), "not-a-game", 2),
    "round": (change("events.1.round", 2), "not-a-game", 2),
    "number": (change("events.1.seq", 3), "not-a-game", 2),
    "share": (change("events.11.buyer_share", 0.9), "not-a-game", 12),
    "deal price": (change("events.11.price", 1400.0), "not-a-game", 12),
    "outcome": (change("events.11.outcome", "walk"), "not-a-game", 12),
    "envelope": (change("opened.budget", 1800.0), "broken-promise", None),
    "promise": (change("commitment", "0" * 64), "broken-promise", None),
    "first promise": (change("events.0.commitment", "0" * 64), "not-a-game", 1),
    "everything but the promise": (promise_again, "not-a-game", 1),
    "cut end": (cut, "not-a-game", None),
    "words after the end": (go_on, "not-a-game", 13),
    "summary": (change("game.price", 1400.0), "wrong-summary", None),
    "summary's share": (change("game.buyer_share", 0.9), "wrong-summary", None),
    "title": (change("game.item.title", "Gold bar"), "wrong-summary", None),
    "theory": (change("theory.Nash", 1.0), "wrong-summary", None),
    "suite": (change("versions.suite", "sell@2"), "wrong-summary", None),
    "format": (change("format", "bazaarbatna.replay/9"), "unknown-format", None),
    "match": (change("format", "bazaarbatna.arena/1"), "unreadable-replay", None),
    "next match": (change("format", "bazaarbatna.arena/2"), "unknown-format", None),
    "no format": (change("format", ...), "unknown-format", None),
    "kind": (change("game.kind", "auction"), "unreadable-replay", None),
    "kind of event": (change("events.1.kind", "bribe"), "unreadable-replay", 2),
    "missing field": (change("events.1.round", ...), "unreadable-replay", 2),
    "unknown field": (change("events.1.note", "hi"), "unreadable-replay", 2),
    "unknown signal": (change("events.3.signals.aura", 1.0), "unreadable-replay", 4),
    "five decimals": (change("events.1.price", 1100.00001), "not-a-game", 2),
    "negative price": (change("events.1.price", -5), "not-a-game", 2),
    "endless price": (change("events.1.price", 10**400), "unreadable-replay", 2),
    "NaN": (change("events.1.price", float("nan")), "unreadable-replay", None),
    "price in words": (change("events.1.price", "1100"), "unreadable-replay", 2),
    "span outside": (change("events.3.spans.0.end", 4000), "not-a-game", 4),
    "span of nothing": (change("events.3.of_seq", 1), "not-a-game", 4),
    "tells of the future": (change("events.3.of_seq", 9), "not-a-game", 4),
    "turned text": (change("events.1.text", "safe \u202e evil"), "not-a-game", 2),
    "NUL": (change("events.1.text", "a\x00b"), "not-a-game", 2),
    "half a character": (change("events.1.text", "\ud800"), "unreadable-replay", None),
    "novel": (change("events.1.text", "x" * 3000), "unreadable-replay", 2),
    "markup in a backend": (change("events.1.backend", "<b>"), "unreadable-replay", 2),
    "flood": (flood, "unreadable-replay", None),
    "list": (change("events", {}), "unreadable-replay", None),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_mallorys_forgery_is_refused_with_its_place(name: str, bilal: Client, file: File) -> None:
    forge, code, event = FORGERIES[name]
    forge(file)
    before = stored()
    status, answer = brings(bilal, file)
    error = answer["error"]
    assert 400 <= status < 500
    assert (error["code"], error["event"]) == (code, event), error["detail"]
    assert error["fine"] == (event - 1 if event else error["fine"])
    assert stored() == before
    page = bilal.post("/replays/import/", {"text": json.dumps(file)})
    assert page.status_code == status


@pytest.mark.parametrize(
    "body",
    [b"", b"null", b"[]", b"7", b'"x"', b"{", b"\xff\xfe", b'{"format":7}', b"[" * 900_000,
     b'{"a":' * 150_000, b'{"format":"bazaarbatna.replay/1","events":' + b"[" * 500_000,
     b'{"format":"bazaarbatna.replay/1"}', b"x" * (MOST_BYTES + 1), b" " * 3_000_000,
     "{}".encode("utf-16"), b"1e999999", b"9" * 500_000,
     b'{"format":"bazaarbatna.replay/1","events":1e999}'],
    ids=range(18),
)  # fmt: skip
def test_no_body_is_too_strange_for_a_plain_answer(body: bytes, bilal: Client) -> None:
    before = stored()
    status, answer = brings(bilal, body)
    assert status in (400, 422)
    assert answer["error"]["code"] in ("unreadable-replay", "unknown-format")
    assert stored() == before


def test_markup_of_a_file_stays_text(asha: Client, bilal: Client) -> None:
    nasty = Item("<img src=x onerror=alert(1)>", "<i>", "</script><script>alert(1)</script>")
    file = exported(asha, store(a_haggle(item=nasty), owner=key_of(asha)).pk)
    file["game"]["description"] = "<script>alert(2)</script>"
    del file["signature"]
    _, answer = brings(bilal, file)
    for address in (answer["url"], "/replays/?mine=1"):
        html = bilal.get(address).content.decode()
        assert "&lt;img src=x" in html
        assert "<script>alert" not in html
        assert "<img src=x" not in html


def test_many_files_have_to_wait(bilal: Client, file: File, settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "imports": "2/hour"}
    statuses = [brings(bilal, file)[0] for _ in range(3)]
    assert statuses == [201, 200, 429]
    assert bilal.post("/replays/import/", {"text": "{}"}).status_code == 429


def test_a_form_without_its_token_is_refused(file: File) -> None:
    mallory = Client(enforce_csrf_checks=True)
    assert mallory.post("/replays/import/", {"text": json.dumps(file)}).status_code == 403
    body = json.dumps(file)
    answer = mallory.post("/api/replays/import/", body, content_type="application/json")
    assert answer.status_code == 403


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_flipped_or_cut_byte_gets_past_the_checks(data: st.DataObject, file: File) -> None:
    body = bytearray(json.dumps(file).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(body) - 1))
        if data.draw(st.booleans()):
            body[at] = data.draw(st.integers(0, 255))
        else:
            del body[at : at + data.draw(st.integers(1, 40))]
    try:
        game = import_replay("mallory", bytes(body)).game
    except ImportRefused:
        return
    # What still passes tells the same game: its words, names and times may be others.
    assert game.buyer_share == file["game"]["buyer_share"]
    scenario = json.loads(bytes(game.sealed.scenario))
    assert scenario["sealed"]["budget"] == round(file["opened"]["budget"] * 100)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), value=JSON)
def test_no_value_in_any_place_breaks_the_import(data: Any, value: Any, file: File) -> None:
    body = json.dumps(forged(data, file, value)).encode(errors="surrogatepass")
    with contextlib.suppress(ImportRefused):
        import_replay("mallory", body)


def test_two_at_once_make_one_replay(bilal: Client, file: File, monkeypatch: Any) -> None:
    body, key = json.dumps(file).encode(), key_of(bilal)
    first = import_replay(key, body)
    # The second one has looked before the first one wrote.
    monkeypatch.setattr("django.db.models.query.QuerySet.first", lambda self: None)
    second = import_replay(key, body)
    assert (second.game.pk, second.is_new) == (first.game.pk, False)


def test_a_game_of_players_nobody_knows_works_like_any_other(bilal: Client, file: File) -> None:
    file["versions"] |= {"policy": "gpt-99", "policy_version": "gpt-99@7#abc", "suite": "mars@1"}
    file["events"][0]["suite"] = "mars@1"
    del file["signature"]
    for event in file["events"]:
        if "backend" in event:
            event |= {"backend": "oracle", "policy_version": "gpt-99@7#abc"}
    status, answer = brings(bilal, file)
    assert status == 201, answer
    for address in ("", "?seq=2", "card.png", "grades.json"):
        assert bilal.get(f"{answer['url']}{address}").status_code in (200, 202), address
    asked = {"seq": 3, "action": "offer", "price": 1700}
    fork = bilal.post(
        f"/api{answer['url']}fork/", json.dumps(asked), content_type="application/json"
    )
    assert fork.status_code in (201, 409, 422), fork.content
