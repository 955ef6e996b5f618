"""A case in a study: arms that play several issues, what is paid, exported and forgotten."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from bazaarbatna.bargain.moves import Walk
from bazaarbatna.cases.case import Case, file_of, in_library
from negotiation.bargain import sessions
from negotiation.cases.game import CASE, HOUSE
from negotiation.cases.own import OWN, keep, playable
from negotiation.handwritten import read_toml
from negotiation.models import EventRow, Game, Listing
from rooms import hosting
from rooms.export.checking import check
from rooms.export.writing import export_to
from rooms.models import Room, RoomGame, Study
from rooms.plan import Opponent
from rooms.seating import pairing
from rooms.study import fields, flow, paying
from rooms.study.design import Design
from rooms.study.files import BadDesign, from_file, from_values, ready_studies, to_toml
from rooms.study.forgetting import withdraw
from rooms.study.hosts import save
from tests.rooms.export.test_export_study import rows
from tests.rooms.study.conftest import DESIGN, MakeStudy, Participant

pytestmark = pytest.mark.django_db

SCOOTER = in_library()["scooter"]
DEAL = {"price": 45000, "day": "sunday", "warranty": "quarter", "helmet": "given"}
PEOPLE = {"meeting": "people", "roles": "seller"}


@pytest.fixture(autouse=True)
def ready(settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "messages": "900/minute"}
    Listing.objects.create(
        title="Lamp", category="Home", list_price=200_000, street_price=150_000, source_key="l"
    )


def arm(name: str, **plan: Any) -> dict[str, Any]:
    return {"name": name, "plan": {"case": "scooter", **plan}}


class Table:
    """Two participants at one table; ``one`` and ``two`` by role."""

    def __init__(self, study: Study) -> None:
        people = [Participant(study, name).to_the_lobby() for name in ("first", "second")]
        for who in people:
            who.client.get(f"/rooms/{study.room.code}/")
        row = RoomGame.objects.get()
        assert row.seller
        assert row.buyer
        by_id = {who.external_id: who for who in people}
        self.game, self.row = row.game, row
        self.by_role = {"a": by_id[row.seller.external_id], "b": by_id[row.buyer.external_id]}

    def page(self, role: str) -> str:
        answer = self.by_role[role].client.get(f"/cases/table/{self.game.pk}/")
        return str(answer.content.decode())

    def moves(self, role: str, action: str, text: str = "", **package: object) -> int:
        told = {f"issue-{key}": value for key, value in package.items()} | {"text": text}
        address = f"/cases/table/{self.game.pk}/move/"
        return int(self.by_role[role].client.post(address, {"action": action, **told}).status_code)

    def deal(self) -> None:
        first = CASE.position_of(Game.objects.get()).state.turn
        second = "b" if first == "a" else "a"
        assert self.moves(second, "say", "Tell me first.") == 302, "talk is free"
        assert self.moves(first, "offer", "With the helmet?", **DEAL) == 302
        assert self.moves(second, "accept", "Done.") == 302


def study_of_pairs(a_study: MakeStudy, **changes: Any) -> Study:
    study = a_study(arms=[arm("whole", reveal="own")], **changes)
    Room.objects.update(plan={**study.room.plan, **PEOPLE})
    return Study.objects.get()


def test_two_participants_settle_a_case_and_hear_their_own_points_alone(
    a_study: MakeStudy,
) -> None:
    table = Table(study_of_pairs(a_study))
    assert table.game.kind == "case"
    for role, other in (("a", "b"), ("b", "a")):
        page = table.page(role)
        assert 'class="masthead"' not in page, "a study's pages have no menu"
        assert SCOOTER.side(role).sheet["en"].split("**")[0] in page
        assert SCOOTER.side(other).sheet["en"].split("**")[0] not in page
    table.deal()
    page = table.page("a")
    assert "You have" in page
    assert "The other side has" not in page
    assert "case-cloud" not in page
    who = table.by_role["a"]
    assert who.client.get(f"/replays/{table.game.pk}/").status_code == 404
    assert who.client.get(f"/rooms/{who.room.code}/")["Location"] == who.at("after")


def test_the_export_has_packages_and_points_and_plays_again(
    a_study: MakeStudy, tmp_path: Path
) -> None:
    table = Table(study_of_pairs(a_study))
    table.deal()
    export_to(table.row.room, tmp_path)
    found = check(tmp_path)
    assert found.faults == []
    assert found.games == 1
    [game] = rows(tmp_path, "games")
    a, b = SCOOTER.points("a", dict(DEAL)), SCOOTER.points("b", dict(DEAL))
    assert (game["case"], game["outcome"], game["price"]) == ("scooter", "deal", None)
    assert json.loads(game["package"]) == DEAL
    assert (game["seller_points"], game["buyer_points"]) == (a, b)
    assert game["most_points"] >= a + b
    turns = rows(tmp_path, "turns")
    assert [one["kind"] for one in turns] == ["message", "offer", "accept"]
    assert (turns[1]["seller_points"], turns[1]["buyer_points"]) == (a, b)
    assert turns[0]["text"] == "Tell me first."
    own = rows(tmp_path, "person_games")
    assert [one["points"] for one in own] == [a, b]
    assert [one["surplus"] for one in own] == [a - SCOOTER.a.outside, b - SCOOTER.b.outside]
    assert all(0 < one["share"] <= 1 and one["own_limit"] is None for one in own)
    log = tmp_path / "events.jsonl"
    log.write_text(log.read_text().replace("Done.", "Gone."))
    assert check(tmp_path).faults


def test_words_that_are_forgotten_leave_a_game_that_plays_again(
    a_study: MakeStudy, tmp_path: Path
) -> None:
    table = Table(study_of_pairs(a_study))
    table.deal()
    for who in table.by_role.values():
        withdraw(who.member)
    payloads = b"".join(bytes(row.payload) for row in EventRow.objects.all())
    assert b"Tell me first." not in payloads
    assert b"With the helmet?" not in payloads
    CASE.positions.forget_all()
    assert CASE.position_of(Game.objects.get()).state.ended
    export_to(table.row.room, tmp_path)
    assert check(tmp_path).faults == []


def test_who_leaves_in_the_middle_leaves_the_seat_to_the_house(a_study: MakeStudy) -> None:
    table = Table(study_of_pairs(a_study))
    withdraw(table.by_role["a"].member)
    table.page("b")
    game = Game.objects.get()
    assert game.policy == "case"
    assert set(CASE.people(game)) == {"b"}


@pytest.mark.parametrize("rule", ["share", "surplus"])
def test_points_are_paid(a_study: MakeStudy, rule: str) -> None:
    table = Table(study_of_pairs(a_study, bonus={"rule": rule, "rate": 0.01, "over": "sum"}))
    table.deal()
    row = RoomGame.objects.get()
    assert row.seller
    won = paying.result(row.seller, row)
    assert 0 < won.share <= 1
    assert won.surplus == SCOOTER.points("a", dict(DEAL)) - SCOOTER.a.outside


def test_each_arm_plays_the_case_against_its_own_player_of_the_house(a_study: MakeStudy) -> None:
    study = a_study(
        arms=[arm("hard", opponent="boulware"), arm("soft", opponent="conceder")], instructions=""
    )
    for number in range(2):
        who = Participant(study, f"p{number}").to_the_lobby()
        who.client.get(f"/rooms/{study.room.code}/")
        pairing.advance(study.room)
        game = who.member.sales.get().game
        assert CASE.position_of(game).state.house == {
            "hard": "boulware", "soft": "conceder"
        }[who.member.arm]  # fmt: skip
        package = {f"issue-{one.key}": one.values[0] for one in SCOOTER.issues}
        address = f"/cases/table/{game.pk}/move/"
        who.client.get(f"/cases/table/{game.pk}/")  # the house may begin
        assert who.client.post(address, {"action": "offer", **package}).status_code == 302
        assert len(CASE.position_of(Game.objects.get(pk=game.pk)).state.history) >= 2


def test_the_players_of_a_plan_are_those_of_the_house() -> None:
    assert set(Opponent.__args__) == set(HOUSE)  # type: ignore[attr-defined]  # a Literal's


def chosen_in(design: Design, cases: Mapping[str, Case] | None = None) -> fields.Pick:
    """Return what the form shows as the case of the first arm."""
    around = fields.Around({}, cases or {})
    shown = fields.form_of(Design, msgspec.to_builtins(design), ("arms",), around)
    picks = next(one for one in fields.every(shown) if one.path == "arms.0.plan.case").picks
    [chosen] = [one for one in picks if one.is_chosen]
    return chosen


def test_a_host_chooses_a_case_of_their_own_in_the_form(a_study: MakeStudy, host: User) -> None:
    study = a_study(arms=[{"name": "mine"}, {"name": "theirs"}])
    own = msgspec.structs.replace(SCOOTER, id="mine")
    row = keep(host, own, None)
    strangers = keep(User.objects.create_user("ravi"), own, None)
    client = Client()
    client.force_login(host)
    address = f"/rooms/{study.room.code}/study/arms/"
    page = client.get(address).content.decode()
    name = f"{OWN}{row.pk}"
    assert page.count(f'<option value="{name}">') >= 2
    assert "A used scooter (yours)" in page
    assert strangers.pk not in page

    def choose(case: str) -> Any:
        page = client.get(address).content.decode()
        sent = {
            "seen": page.partition('name="seen" value="')[2].partition('"')[0],
            "n:arms": "2",
            "arms.0.name": "mine",
            "arms.1.name": "theirs",
            "assigned": "consent",
        }
        return client.post(
            address, sent | {"arms.0.plan.case": case, "order": "latin", "block": "0"}
        )

    assert choose(name).status_code == 302
    design = flow.design_of(Study.objects.get())
    assert (design.arms[0].plan.case, design.arms[1].plan.case) == (own, msgspec.UNSET)
    assert chosen_in(design, playable(host)).value == name
    # A change of the case is none of the study's, until it is chosen again.
    changed = msgspec.structs.replace(own, rounds=7)
    keep(host, changed, row, row.changed_at.isoformat())
    held = chosen_in(design, playable(host))
    assert held.words == "A used scooter (as this study keeps it)"
    assert choose(held.value).status_code == 302
    assert flow.design_of(Study.objects.get()).arms[0].plan.case == own
    assert choose(name).status_code == 302
    assert flow.design_of(Study.objects.get()).arms[0].plan.case == changed
    for foreign in (f"{OWN}{strangers.pk}", f"{OWN}gone"):
        refused = choose(foreign)
        assert refused.status_code == 422
        assert f"There is no case “{foreign}”" in refused.content.decode()
    assert choose("{bad").status_code == 404


def test_arms_play_a_case_of_ones_own_or_a_sale(a_study: MakeStudy) -> None:
    own = read_toml(file_of("scooter")) | {"id": "mine"}
    plans = [{"case": own}, {"case": "sale"}]
    arms = [{"name": f"arm_{number}", "plan": plan} for number, plan in enumerate(plans)]
    design = from_values({**DESIGN, "arms": arms})
    assert from_file(to_toml(design)) == design
    plan = hosting.plan_of(a_study(arms=arms).room)
    first, second = (one.plan.over(plan).case for one in design.arms)
    assert first
    assert (first.id, second) == ("mine", None)
    # The form keeps it, though no list has it.
    chosen = chosen_in(design)
    assert chosen.words == f"{SCOOTER.title['en']} (as this study keeps it)"
    assert msgspec.json.decode(chosen.value)["id"] == "mine"


ASKS = [
    {"name": "theirs", "about": "limit", "rounds": [1]},
    {"name": "mine", "about": "price", "rounds": [1], "required": True, "pays": 2.5},
    {"name": "odds", "about": "deal", "rounds": [1]},
]


def test_each_is_asked_beside_a_case_and_the_other_hears_nothing(
    a_study: MakeStudy, tmp_path: Path
) -> None:
    table = Table(study_of_pairs(a_study, beliefs=ASKS))
    first = CASE.position_of(Game.objects.get()).state.turn
    second = "b" if first == "a" else "a"
    begins, waits = table.by_role[first], table.by_role[second]
    assert 'name="form"' not in waits.client.get(waits.at("belief")).content.decode()
    assert f'hx-get="/rooms/{begins.room.code}/belief/"' in table.page(first)
    assert f'hx-get="/rooms/{begins.room.code}/belief/"' not in table.page(second), "not the turn"
    text = begins.client.get(begins.at("belief")).content.decode()
    them = SCOOTER.side(second).name["en"]
    assert f"How many points has the other side ({them}) without a deal" in text
    assert "up to" not in text, "all or nothing, as usual"
    assert "can bring 2.50 GBP: the nearer it is to the truth, the likelier" in text
    assert table.moves(first, "offer", **DEAL) == 409, "the answer comes first"
    assert table.moves(second, "say", "Well?") == 302, "who waits may speak"
    many = begins.post("belief", form="belief-1-1", theirs="-3", mine="1e6", odds="101")
    assert many.status_code == 422
    assert many.content.decode().count('class="problem"') == 2
    told = begins.post("belief", form="belief-1-1", theirs="31.25", mine="61.5", odds="77.7")
    assert told["Location"] == f"/cases/table/{table.game.pk}/"
    assert table.moves(first, "offer", **DEAL) == 302
    waits.post("belief", form="belief-1-1", theirs="", mine="50", odds="")
    assert table.moves(second, "accept") == 302
    frames = b"".join(bytes(row.payload) for row in EventRow.objects.all()).decode()
    for place in (table.page(second), table.page(first), frames):
        for secret in ("31.25", "61.5", "77.7"):
            assert secret not in place
    export_to(table.row.room, tmp_path)
    assert check(tmp_path).faults == []
    side = {"a": "seller", "b": "buyer"}
    found = {(one["side"], one["question"]): one for one in rows(tmp_path, "beliefs")}
    for role, other in ((first, second), (second, first)):
        truths = [found[side[role], name]["truth"] for name in ("theirs", "mine", "odds")]
        points = SCOOTER.points(role, dict(DEAL))
        assert truths == [SCOOTER.side(other).outside, points, 100]
    assert found[side[first], "mine"]["value"] == 61.5
    assert found[side[second], "theirs"]["value"] is None
    assert "of a case points" in (tmp_path / "codebook.csv").read_text()


def test_how_a_case_was_is_asked_at_its_end_and_between_two(
    a_study: MakeStudy, tmp_path: Path
) -> None:
    between = [{"type": "likert", "name": "trust", "ask": "I trusted the other.", "points": 5}]
    study = a_study(arms=[arm("all", reveal="own", feelings=True, games=2)], between=between)
    Room.objects.update(plan={**study.room.plan, **PEOPLE, "unmet_s": 0})
    table = Table(Study.objects.get())
    address = f"/cases/table/{table.game.pk}/answers/"
    client = table.by_role["a"].client
    assert client.post(address, {"self": "4"}).status_code == 404, "it goes on"
    table.deal()
    assert "How was it?" in table.page("a")
    assert "Would you bargain with the other side again?" in table.page("a")
    for told in ({"self": "4"}, {"process": "9"}, {"self": "5", "process": "2"}, {}):
        assert client.post(address, told).status_code == (302 if told == {"self": "4"} else 422)
    again = client.post(address, {"again": "yes"}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in again
    assert "Kept. Tap it again" in again
    assert table.by_role["b"].client.post(address, {"self": "2"}).status_code == 302
    assert Client().post(address, {"self": "2"}).status_code == 404
    pressed = 'value="none" aria-pressed="true"'
    assert table.page("b").count(pressed) == 1, "nobody sees the other's"
    who = table.by_role["a"]
    assert who.client.get(f"/rooms/{who.room.code}/")["Location"] == who.at("between")
    page = who.client.get(who.at("between")).content.decode()
    assert "I trusted the other." in page
    assert who.post("between", form="between-1", trust="4").status_code == 302
    export_to(table.row.room, tmp_path)
    found = [(one["form"], one["question"], one["value"]) for one in rows(tmp_path, "answers")]
    assert {("game", "self", 4), ("game", "again", 1), ("game", "self", 2)} < set(found)
    assert ("between", "trust", 4) in found
    games = {one["game"] for one in rows(tmp_path, "answers") if one["form"] in ("game", "between")}
    assert len(games) == 1
    assert None not in games


def test_a_debrief_shows_sales_and_cases_each_in_its_part(a_study: MakeStudy, host: User) -> None:
    own = read_toml(file_of("scooter"))
    own["issues"][0] |= {
        "high": 90000,
        "a": [[30000, 0], [90000, 50]],
        "b": [[30000, 40], [90000, 0]],
    }
    plays = {"sale": "sale", "scooter": "scooter", "job": "job", "mine": own}
    conditions = [{"name": name, "plan": {"case": case}} for name, case in plays.items()]
    study = a_study(arms=[{"name": "all"}], conditions=conditions, order="listed")
    who = Participant(study, "asha").to_the_lobby()
    for _ in plays:
        who.client.get(who.at("lobby").removesuffix("lobby/"))
        game = Game.objects.get(status=Game.Status.LIVE)
        if game.kind == "case":
            who.client.get(f"/cases/table/{game.pk}/")
            walked = who.client.post(f"/cases/table/{game.pk}/move/", {"action": "walk"})
            assert walked.status_code == 302
            continue
        sessions.opponent_turn(game.pk)
        sessions.play(game.pk, who.member.session, Walk(""))
    desk = Client()
    desk.force_login(host)
    address = f"/rooms/{study.room.code}/debrief/"
    page = desk.get(address).content.decode()
    chips = ["?of=one-price", "?of=job", "?of=scooter"]
    assert all(f'href="{chip}"' in page for chip in chips)
    assert 'href="?of=one-price" aria-current="page"' in page
    assert "Who found the trade" not in page
    for name in ("scooter", "job", "scooter.2"):
        part = desk.get(f"{address}?of={name}").content.decode()
        assert f'href="?of={name}" aria-current="page"' in part
        assert "Who found the trade" in part
        assert part.count('scope="row"><a href="/replays/') == 1, "its own game alone"
        opened = desk.post(f"{address}?of={name}", {"named": "1"})
        assert opened["Location"] == f"{address}?of={name}"
        table = desk.get(f"/rooms/{study.room.code}/packages.csv?of={name}").content.decode()
        assert in_library()[name.removesuffix(".2")].issues[0].key in table.splitlines()[0]
        assert len({line.split(",")[0] for line in table.splitlines()[1:]}) == 1, "its own game"
    assert "Who found the trade" not in desk.get(f"{address}?of=nothing").content.decode()
    heads, row = csv.reader(
        desk.get(f"/rooms/{study.room.code}/gradebook.csv").content.decode("utf-8-sig").splitlines()
    )
    told = dict(zip(heads, row, strict=True))
    assert told["One thing, one price: Games"] == "1"
    for name in ("A used scooter", "A used scooter (2)", "A job offer"):
        assert told[f"{name}: Games"] == "1"
    who.client.get(who.at("after"))
    assert who.client.get(address).status_code == 404, "not open"


def test_what_does_not_go_with_a_case_is_said(a_study: MakeStudy) -> None:
    room = a_study().room
    asks = {"beliefs": [{"name": "what", "pays": 1, "required": True}]}
    for arms, more, words in (
        ([arm("all", case="nothing")], {}, "no case"),
        ([arm("all", persona_told=False)], {}, "told who sits opposite"),
        ([{**arm("all"), "prompt": {"words": "Be kind."}}], {}, "no model speaks"),
        ([arm("all")], asks, "In a case this cannot be paid"),
    ):
        with pytest.raises(BadDesign, match=words):
            save(room, from_values({**DESIGN, "arms": arms, **more}))


def test_a_room_with_a_case_becomes_a_study_of_it(a_study: MakeStudy) -> None:
    room = a_study().room
    room.plan = {**room.plan, "case": msgspec.to_builtins(SCOOTER)}
    room.save()
    save(room, from_values(DESIGN))
    case = hosting.plan_of(Room.objects.get()).case
    assert case
    assert case.id == "scooter"


@pytest.mark.parametrize("key", ready_studies())
def test_a_ready_study_of_a_sale_stays_one_in_a_room_with_a_case(
    a_study: MakeStudy, key: str
) -> None:
    room = a_study().room
    room.plan = {**room.plan, "case": msgspec.to_builtins(SCOOTER)}
    room.save()
    design = ready_studies()[key]
    assert "**floor**" in design.instructions
    save(room, design)
    assert hosting.plan_of(Room.objects.get()).case is None
