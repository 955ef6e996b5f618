"""The examples of the house: what a new site's shelf holds before anybody has played."""

import re

import msgspec
import pytest
from django.core.management import call_command
from django.db.models import QuerySet
from django.test import Client
from django.utils.translation import override

from bazaarbatna.bargain.events import OfferMade
from negotiation.games.event_log import from_payload
from negotiation.models import EventRow, Game
from negotiation.ttl_cache import forget
from replays.featured import featured
from replays.simulating import EXAMPLES, play_examples
from tests.replays.test_featured import deal_at
from tests.support.finished import a_haggle, store

pytestmark = pytest.mark.django_db


@pytest.fixture
def examples() -> QuerySet[Game]:
    forget()
    call_command("load_catalogue", verbosity=0)
    call_command("record_games", "--examples")
    return Game.objects.filter(source=Game.Source.EXAMPLE)


def said(game: Game) -> list[str]:
    rows = EventRow.objects.filter(game=game).order_by("seq")
    return [text for row in rows if (text := getattr(from_payload(row.payload), "text", ""))]


def test_every_example_is_played_once_to_a_deal_in_words_and_whole_rupees(
    examples: QuerySet[Game],
) -> None:
    assert {(game.title, game.language) for game in examples} == {
        (one.goods, one.language) for one in EXAMPLES["game"]
    }
    assert play_examples() == 0
    for game in examples:
        events = [from_payload(row.payload) for row in EventRow.objects.filter(game=game)]
        prices = [event.price for event in events if isinstance(event, OfferMade)]
        assert all(price % 100 == 0 for price in prices), game.title
        script = r"[\u0904-\u0939]" if game.language == "hi" else r"[a-z]{3}"
        spoken = [text for text in said(game) if re.search(script, text)]
        assert len(spoken) >= 6, game.title
        assert len(spoken) >= len([text for text in said(game) if re.search(r"[^\W\d]", text)])
        assert len(set(spoken)) == len(spoken), game.title
        assert (game.outcome, game.owner, game.share_replay) == ("deal", "", True)


def test_a_line_of_an_example_is_not_wasted(examples: QuerySet[Game]) -> None:
    written = {line for one in EXAMPLES["game"] for line in one.lines}
    assert written <= {text for game in examples for text in said(game)}


def test_a_new_shelf_opens_with_three_examples_that_quote_a_line(
    client: Client, examples: QuerySet[Game]
) -> None:
    told = featured()
    assert {one.why for one in told} == {"closest", "best", "bluff"}
    assert {one.game.source for one in told} == {Game.Source.EXAMPLE}
    assert all(one.words for one in told)
    page = client.get("/replays/").content.decode()
    assert page.count("Example</span>") == examples.filter(language="en").count()
    one = examples.filter(seat=Game.Seat.SELLER)[0]
    page = client.get(f"/replays/{one.pk}/").content.decode()
    assert "Sauda answers lines that we wrote" in page


def test_people_come_before_examples_and_silence_after_them(
    client: Client, examples: QuerySet[Game]
) -> None:
    silent = store(deal_at(1250, 1450, 1300, 1400, 1350))
    told = featured()
    assert silent not in {one.game for one in told}
    talks = store(a_haggle())
    forget()
    assert talks in {one.game for one in featured()}
    page = client.get("/replays/").content.decode()
    listed = re.findall(r'<h2 class="shelf-title"><a href="/replays/(\w+)/"', page)
    assert set(listed[:2]) == {silent.pk, talks.pk}
    english = examples.filter(language="en")
    assert set(listed[2:]) == set(english.values_list("pk", flat=True))


def test_who_reads_hindi_finds_haggles_in_hindi(client: Client, examples: QuerySet[Game]) -> None:
    page = client.get("/replays/", headers={"accept-language": "hi"}).content.decode()
    listed = re.findall(r'<h2 class="shelf-title"><a href="/replays/(\w+)/"', page)
    hindi = set(examples.filter(language="hi").values_list("pk", flat=True))
    assert set(listed) == hindi
    with override("hi"):
        told = featured()
    assert {one.why for one in told} == {"closest", "best", "bluff"}
    assert {one.game.pk for one in told} < hindi
    quoted = re.findall(r"<q>(.*?)</q>", page)
    assert len(quoted) == len(told)
    assert all(re.search("[\u0904-\u0939]", one) for one in quoted)
    # Found by whoever looks for them, all the same.
    every = client.get("/replays/?source=example", headers={"accept-language": "hi"})
    assert every.content.decode().count('class="shelf-title"') == examples.count()


def test_a_site_with_english_examples_gets_those_of_another_language_once(
    examples: QuerySet[Game],
) -> None:
    hindi = examples.filter(language="hi")
    number = hindi.count()
    hindi.delete()
    assert play_examples() == number
    assert play_examples() == 0


def test_a_game_told_in_another_language_comes_after_the_examples_of_the_readers(
    examples: QuerySet[Game],
) -> None:
    store(a_haggle())
    Game.objects.filter(source=Game.Source.PERSON).update(language="hi")
    assert {one.game.source for one in featured()} == {Game.Source.EXAMPLE}
    with override("hi"):
        assert Game.Source.PERSON in {one.game.source for one in featured()}


def test_an_example_that_the_house_no_longer_understands_is_left_out(
    examples: QuerySet[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    examples.all().delete()
    one = EXAMPLES["game"][0]
    lost = msgspec.structs.replace(one, lines=(*one.lines, "One more thing."))
    monkeypatch.setitem(EXAMPLES, "game", (lost, msgspec.structs.replace(one, goods="A whale")))
    assert play_examples() == 0
    assert not Game.objects.exists()
