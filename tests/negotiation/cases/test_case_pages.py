"""Cases as people play them: forms, refusals, the end, and what never reaches the other side."""

import json
import re
from typing import Any

import msgspec
import pytest
from django.test import Client

from bazaarbatna.cases.case import Case, from_toml, in_library, other
from bazaarbatna.cases.packages import grid_of
from negotiation.cases.game import CASE
from negotiation.models import Game
from tests.support.case_forms import fields_of

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


def plays(client: Client, case: Case, seat: str) -> Game:
    answer = client.post("/cases/own/", {**fields_of(case), "seat": seat})
    assert answer.status_code == 302, answer.content.decode()
    return Game.objects.get(pk=answer["Location"].split("/")[-2])


def test_html_in_a_sheet_is_shown_and_not_obeyed(client: Client) -> None:
    sheet = "<script>alert(1)</script> [x](javascript:1) A shop"
    seller = msgspec.structs.replace(CASES["laptop"].a, sheet={"en": sheet, "hi": sheet})
    case = msgspec.structs.replace(CASES["laptop"], a=seller)
    page = client.post("/cases/own/", fields_of(case)).content.decode()
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert") > 2
    assert 'href="javascript' not in page


def test_the_file_of_a_case_is_the_librarys(client: Client) -> None:
    answer = client.get("/cases/files/lease.toml")
    assert from_toml(answer.content.decode()) == CASES["lease"]
    assert client.get("/cases/files/none.toml").status_code == 404


def test_a_finished_game_goes_home_as_a_file_and_comes_back_to_the_byte(client: Client) -> None:
    game = sits_down(client, "scooter", "a")
    move(client, game, "offer", **best_of("scooter", "a"))
    move(client, game, "walk", text="sorry")
    body = client.get(f"/replays/{game.pk}.json").content
    answer = client.post("/api/replays/import/", body, content_type="application/json")
    assert answer.status_code in (200, 201), answer.content
    again = Game.objects.get(pk=answer.json()["id"])
    events = CASE.position_of(game).events
    assert msgspec.json.encode(CASE.position_of(again).events) == msgspec.json.encode(events)
    page = client.get(f"/replays/{game.pk}/?seq=3").content.decode()
    assert "Seller offers: Price" in page
    shelf = client.get("/replays/?mine=on").content.decode()
    assert "Seller against Buyer" in shelf
    assert "No deal" in shelf


@pytest.mark.parametrize("reveal", ["own", "price", "at_debrief"])
def test_what_is_not_revealed_at_the_end_stays_hidden_everywhere(
    client: Client, reveal: str
) -> None:
    told: Any = reveal
    game = plays(client, msgspec.structs.replace(CASES["scooter"], reveal=told), "a")
    move(client, game, "walk")
    if (game := Game.objects.get(pk=game.pk)).status == Game.Status.LIVE:
        move(client, game, "walk")
    heard = client.get(f"/cases/table/{game.pk}/").content
    for path in ("/", "/?seq=1", ".json", "/card.png"):
        heard += client.get(f"/replays/{game.pk}{path}").content
    fork = {"seq": 3, "move": {"action": "walk"}}
    where = f"/api/replays/{game.pk}/fork/"
    heard += client.post(where, json.dumps(fork), content_type="application/json").content
    heard += client.get("/replays/?mine=on").content
    for secret in secrets_of("scooter", "b"):
        assert secret not in heard
    assert b'"outside"' not in heard


def test_it_is_an_environment(client: Client) -> None:
    def post(what: str, body: dict[str, Any]) -> Any:
        answer = client.post(f"/env/case/{what}", json.dumps(body), content_type="application/json")
        assert answer.status_code == 200, answer.content
        return answer.json()

    told = post("reset", {"seed": 5, "seat": "b"})
    assert "Without" not in json.dumps(told)
    for _ in range(40):
        if told["done"]:
            break
        offers = [one for one in told["observation"]["options"] if one["action"] != "walk"]
        episode = told["metadata"]["episode_id"]
        told = post("step", {"action": offers[0], "episode_id": episode})
    assert told["done"]
    assert 0 <= told["reward"] <= 1


def test_two_people_play_each_with_the_own_sheet(client: Client) -> None:
    client.get("/cases/")
    answer = client.post("/cases/project/", {"seat": "a", "friend": "1"})
    game = Game.objects.get(pk=answer["Location"].split("/")[-2])
    page = client.get(f"/cases/table/{game.pk}/").content.decode()
    link = re.findall(r"http://testserver(/cases/join/[^\"]+)", page)[0]
    bilal, chetan = Client(), Client()
    for one in (bilal, chetan):
        one.get("/cases/")
    assert "Omar" in bilal.get(link).content.decode()
    assert bilal.post(link).status_code == 302
    assert "Somebody has this chair already" in chetan.post(link).content.decode()
    assert chetan.get(f"/cases/table/{game.pk}/").status_code == 404
    assert chetan.get(link[:-2] + "x/").status_code == 404
    people = {"a": client, "b": bilal}
    heard = {"a": b"", "b": b""}
    grid = grid_of(CASES["project"])
    joint = {f"issue-{key}": value for key, value in grid.package(grid.best_joint).items()}
    best = {role: best_of("project", role) for role in "ab"}
    for number in range(4):
        turn = CASE.position_of(Game.objects.get(pk=game.pk)).state.turn
        waiting = other(turn)
        assert move(people[waiting], game, "walk").status_code == 409
        assert (
            move(people[turn], game, "offer", **(best[turn] if number < 3 else joint)).status_code
            == 302
        )
        for role, one in people.items():
            heard[role] += one.get(f"/cases/table/{game.pk}/").content
    position = CASE.position_of(Game.objects.get(pk=game.pk))
    assert position.state.moves == 4  # nobody's chair was played by the house
    seen = {"HX-Request": "true"}
    path = f"/cases/table/{game.pk}/?seen={position.seq}"
    assert client.get(path, headers=seen).status_code == 204
    for role in "ab":
        assert not [one for one in secrets_of("project", other(role)) if one in heard[role]]
        assert [one for one in secrets_of("project", role) if one in heard[role]]
    turn = position.state.turn
    assert move(people[turn], game, "accept").status_code == 302
    for role, one in people.items():
        page = one.get(f"/cases/table/{game.pk}/").content.decode()
        assert "<svg" in page
        ended = CASE.position_of(Game.objects.get(pk=game.pk)).state.ended
        assert ended is not None
        assert f'<b class="number">{ended.points[role]:.0f}</b> points' in page
        assert one.get(f"/replays/{game.pk}/").status_code == 200


def test_a_file_with_a_grid_beyond_measure_is_refused(client: Client) -> None:
    game = sits_down(client, "laptop", "a")
    for _ in range(2):
        if Game.objects.get(pk=game.pk).status == Game.Status.LIVE:
            move(client, game, "walk")
    told = json.loads(client.get(f"/replays/{game.pk}.json").content)
    told.pop("signature", None)
    (issue,) = told["scenario"]["case"]["issues"]
    issue["high"], issue["step"] = 2_000_000_000, 1
    issue["a"] = issue["b"] = [[20000, 0], [2_000_000_000, 9]]
    body = json.dumps(told)
    answer = client.post("/api/replays/import/", body, content_type="application/json")
    assert 400 <= answer.status_code < 500, answer.content
