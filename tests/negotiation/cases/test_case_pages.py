"""Cases as people play them: forms, refusals, the end, and what never reaches the other side."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from bazaarbatna.cases.case import in_library, other
from negotiation.cases.game import CASE
from negotiation.models import Game

pytestmark = pytest.mark.django_db(transaction=True)

CASES = in_library()


@pytest.fixture(autouse=True)
def fast_fingers(settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "messages": "900/minute", "games": "900/minute"}


def sits_down(client: Client, case: str, seat: str) -> Game:
    client.get("/cases/")
    answer = client.post(f"/cases/{case}/", {"seat": seat})
    assert answer.status_code == 302, answer.content
    return Game.objects.get(pk=answer["Location"].split("/")[-2])


def package_of(case: str, **changed: object) -> dict[str, object]:
    issues = CASES[case].issues
    return {f"issue-{one.key}": changed.get(one.key, one.values[0]) for one in issues}


def best_of(case: str, seat: str) -> dict[str, object]:
    return {
        f"issue-{issue.key}": issue.values[issue.points(seat).index(max(issue.points(seat)))]
        for issue in CASES[case].issues
    }


def move(client: Client, game: Game, action: str, **fields: object) -> Any:
    return client.post(f"/cases/table/{game.pk}/move/", {"action": action, **fields})


def test_the_shelf_has_six_cases_and_each_can_be_begun(client: Client) -> None:
    page = client.get("/cases/").content.decode()
    assert page.count('class="case-card"') == len(CASES) == 6
    for case in CASES:
        assert client.get(f"/cases/{case}/").status_code == 200
    assert client.get("/cases/nothing/").status_code == 404


@pytest.mark.parametrize("case", sorted(CASES))
@pytest.mark.parametrize("seat", ["a", "b"])
def test_a_case_is_played_to_its_end(client: Client, case: str, seat: str) -> None:
    game = sits_down(client, case, seat)
    for _ in range(CASES[case].rounds):
        game.refresh_from_db()
        if game.status == Game.Status.ENDED:
            break
        answer = move(client, game, "offer", **best_of(case, seat))
        assert answer.status_code == 302, answer.content
    page = client.get(f"/cases/table/{game.pk}/").content.decode()
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    assert game.outcome in ("deal", "walk", "deadline")
    assert "<svg" in page
    assert client.get(f"/replays/{game.pk}/").status_code == 200
    assert client.get("/replays/?mine=on").status_code == 200


def secrets_of(case: str, role: str) -> list[bytes]:
    """Words of a sheet that stand nowhere else, in both languages."""
    side = CASES[case].side(role)
    return [
        part.strip().encode()
        for text in side.sheet.values()
        for part in re.split(r"\*\*|[:.,।]", text)
        if len(part.strip()) > 12
    ]


@pytest.mark.parametrize("case", sorted(CASES))
@pytest.mark.parametrize("seat", ["a", "b"])
def test_nothing_of_the_other_sheet_reaches_anybody_while_it_runs(
    client: Client, case: str, seat: str
) -> None:
    game = sits_down(client, case, seat)
    their = other(seat)
    heard = b""
    for words in ("hello", "what matters to you?"):
        answer = move(client, game, "say", text=words)
        heard += answer.content
        for path in (f"/cases/table/{game.pk}/", "/replays/?mine=on"):
            heard += client.get(path).content
    heard += move(client, game, "offer", **best_of(case, seat)).content
    heard += move(client, game, "offer", **{"issue-price": "1"}).content
    heard += move(client, game, "read", text="something").content
    heard += client.get(f"/replays/{game.pk}/").content
    heard += client.get(f"/replays/{game.pk}.json").content
    game.refresh_from_db()
    assert game.status == Game.Status.LIVE
    frames = json.dumps(CASE.frames(game, game.owner)).encode()
    for secret in secrets_of(case, their):
        assert secret not in heard
        assert secret not in frames
    assert all(secret in heard for secret in secrets_of(case, seat)[:1])
    opened = CASE.frames(game, game.owner)[0]["event"]["case"]
    assert set(opened[their]) == {"name"}
    for issue in opened["issues"]:
        for part in (issue, *issue.get("options", ())):
            assert their not in part
    spectated = CASE.frames(game, "somebody")[0]["event"]["case"]
    assert set(spectated["a"]) == set(spectated["b"]) == {"name"}


def test_points_on_the_page_are_the_own_ones(client: Client) -> None:
    # The other's points of every option are made unlike all own ones.
    game = sits_down(client, "scooter", "a")
    page = client.get(f"/cases/table/{game.pk}/").content.decode()
    told = [
        json.loads(one.replace("&quot;", '"')) for one in re.findall(r'data-points="(.*?)"', page)
    ]
    assert told == [
        dict(zip(map(str, one.values), one.points("a"), strict=True))
        for one in CASES["scooter"].issues
    ]


def test_a_refusal_keeps_what_was_written(client: Client) -> None:
    game = sits_down(client, "scooter", "a")
    low = package_of("scooter", price=30000, day="fortnight", warranty="quarter", helmet="given")
    answer = move(client, game, "offer", text="please", **low)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "less than you have without a deal" in page
    assert "please" in page
    assert 'value="30000"' in page
    nonsense = move(client, game, "offer", **{"issue-price": "12"})
    assert nonsense.status_code == 409
    assert move(client, game, "jump").status_code in (400, 422)


def test_words_fill_rows_and_send_nothing(client: Client) -> None:
    game = sits_down(client, "scooter", "b")
    before = CASE.position_of(game).seq
    page = move(client, game, "read", text="45,000 and on Sunday, with the helmet").content.decode()
    assert 'value="45000"' in page
    assert re.search(r'value="sunday" checked', page)
    assert re.search(r'value="given" checked', page)
    game.refresh_from_db()
    assert game.last_seq == before


def test_a_stranger_has_no_way_to_a_table(client: Client) -> None:
    game = sits_down(client, "scooter", "a")
    chetan = Client()
    chetan.get("/cases/")
    assert chetan.get(f"/cases/table/{game.pk}/").status_code == 404
    assert move(chetan, game, "walk").status_code == 404


def test_a_bad_deal_is_possible_where_limits_are_soft(client: Client) -> None:
    game = sits_down(client, "laptop", "a")
    assert move(client, game, "offer", **{"issue-price": "20000"}).status_code == 302
    page = client.get(f"/cases/table/{game.pk}/").content.decode()
    assert "less than no deal" in page
