"""A finished match on its replay page: steps, what-ifs, seal and file."""

import hashlib
import re

import pytest
from django.test import Client

from arena.auction.web.records import event_from
from arena.models import Match, MatchSeat
from bazaarbatna.auction.events import Ended
from negotiation.models import EventRow, Game
from tests.support.tables import a_match, plays_out
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def bilal() -> Client:
    """Bilal, who spectates."""
    return a_visitor()


@pytest.fixture
def match() -> Match:
    """A finished match of four."""
    found = a_match("rules:aggressive", "rules:smart", "rules:og", "sauda", seed=11)
    plays_out(found.pk)
    return found


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def steps(html: str) -> list[tuple[int, int, bool]]:
    """First and last event of each step, and whether it is shown."""
    found = re.findall(
        r'<section class="step [^"]*" data-seq="(\d+)" data-last-seq="(\d+)"[^>]*?( hidden)?>', html
    )
    return [(int(first), int(last), not hidden) for first, last, hidden in found]


def test_every_event_of_the_match_lies_in_one_step(bilal: Client, match: Match) -> None:
    html = page(bilal, f"/replays/{match.pk}/")
    covered = [n for first, last, _ in steps(html) for n in range(first, last + 1)]
    assert covered == list(range(1, Game.objects.get(pk=match.pk).last_seq + 1))
    assert next(shown for _, _, shown in steps(html))


def test_the_match_opens_at_its_start_and_tells_no_end_unasked(bilal: Client, match: Match) -> None:
    html = page(bilal, f"/replays/{match.pk}/")
    body = html[html.index("<body") :]
    ending = '<details class="replay-ending">'
    folded = body[body.index(ending) : body.index("</details>", body.index(ending))]
    headline = re.search(r'<p class="lede">(.*?)\.', folded)
    assert headline is not None
    assert "seller who was" in folded
    assert "seller who was" not in body.replace(folded, "")
    assert '<article class="replay replay-match is-unended"' in html
    # The sums of the end, and how it was played, are left out until somebody asks for them.
    open_to_all = body.replace(folded, "")
    for part in ('<section class="sheet"', '<section id="grades"'):
        tag = open_to_all[open_to_all.index(part) :].split(">", 1)[0]
        assert "data-after-end" in tag
        opened = open_to_all.index(part)
        open_to_all = open_to_all[:opened] + open_to_all[open_to_all.index("</section>", opened) :]
    before = open_to_all[: open_to_all.index('class="replay-chart"')]
    assert headline[1] not in re.sub(r'<section class="share.*?</section>', "", before, flags=re.S)


def test_every_moment_leads_to_a_what_if(bilal: Client, match: Match) -> None:
    html = page(bilal, f"/replays/{match.pk}/")
    moments = html.split('<section class="step step-')[1:]
    assert all(('class="what-if"' in one) != ('class="what-if-hint"' in one) for one in moments)
    first, *_ = re.findall(r'<a href="(\?seq=\d+)">1</a>', moments[-1])
    here = page(bilal, f"/replays/{match.pk}/{first}").split('<section class="step step-')[1:]
    shown = [one for one in here if "hidden>" not in one[: one.index(">") + 1]]
    assert ['class="what-if"' in one for one in shown] == [True]


def test_a_link_to_a_moment_shows_it_and_hides_what_came_later(bilal: Client, match: Match) -> None:
    first, last, _ = steps(page(bilal, f"/replays/{match.pk}/"))[1]
    html = page(bilal, f"/replays/{match.pk}/?seq={first}")
    assert [one for one in steps(html) if one[2]] == [(first, last, True)]
    lanes = html[html.index('id="match-lanes"') : html.index('class="replay-under"')]
    for tag in re.findall(r'<[^>]*data-seq="\d+"[^>]*>', lanes):
        number = int(re.search(r'data-seq="(\d+)"', tag)[1])  # type: ignore[index]
        assert ("is-later" in tag) == (number > last), tag


def test_the_sheet_opens_budgets_and_theory_and_the_seal_holds(bilal: Client, match: Match) -> None:
    html = page(bilal, f"/replays/{match.pk}/")
    assert "match the fingerprint" in html
    assert html.count("’s budget") >= 4
    assert "What theory would say" in html
    assert "What happened" in html


def test_the_file_proves_itself(bilal: Client, match: Match) -> None:
    exported = bilal.get(f"/replays/{match.pk}.json").json()
    assert exported["format"] == "bazaarbatna.arena/1"
    found = hashlib.sha256(exported["committed_text"].encode()).hexdigest()
    assert found == exported["commitment"] == exported["events"][0]["commitment"]
    assert [event["seq"] for event in exported["events"]] == list(
        range(1, len(exported["events"]) + 1)
    )
    assert len(exported["opened"]["budgets"]) == len(exported["game"]["buyers"]) == 4


def test_another_bid_in_an_envelope_leads_to_a_child_that_answers(
    bilal: Client, match: Match
) -> None:
    html = page(bilal, f"/replays/{match.pk}/")
    seq = re.search(r'<select [^>]*name="seq"[^>]*><option value="(\d+)"', html)
    assert seq is not None
    answer = bilal.post(f"/replays/{match.pk}/fork/", {"seq": seq[1], "action": "walk"})
    assert answer.status_code == 302
    child = page(bilal, answer.headers["Location"])
    assert "What if Vikram had left in round 1?" in child
    assert "As it was" in child
    assert "This move, played on: about" in child
    assert "1 what-if" in page(bilal, f"/replays/{match.pk}/")


def test_a_bid_above_the_budget_is_refused_with_its_reason(bilal: Client, match: Match) -> None:
    html = page(bilal, f"/replays/{match.pk}/")
    seq = re.search(r'<select [^>]*name="seq"[^>]*><option value="(\d+)"', html)
    assert seq is not None
    form = {"seq": seq[1], "action": "offer", "price": "9999999"}
    answer = bilal.post(f"/replays/{match.pk}/fork/", form)
    assert answer.status_code == 409
    assert "above your budget" in answer.content.decode()


def test_a_link_says_the_same_to_who_sat_there_and_to_everybody(
    bilal: Client, match: Match
) -> None:
    address = f"/replays/{match.pk}/"
    told = re.compile(r'property="og:description" content="([^"]*)"')
    before, card = told.findall(page(bilal, address)), bilal.get(f"{address}card.png")
    ended = event_from(EventRow.objects.get(game=match.pk, kind="ended").payload)
    assert isinstance(ended, Ended)
    assert ended.winner is not None
    MatchSeat.objects.filter(match=match.pk, index=ended.winner).update(owner=key_of(bilal))
    after = page(bilal, address)
    assert "You got it for" in after
    assert told.findall(after) == before != []
    assert bilal.get(f"{address}card.png")["ETag"] == card["ETag"]


def test_the_shelf_lists_matches(bilal: Client, match: Match) -> None:
    assert f"/replays/{match.pk}/" in page(bilal, "/replays/")
