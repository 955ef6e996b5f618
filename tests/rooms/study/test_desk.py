"""The host's pages: forms, files, the switch, a preview that keeps nothing; nobody else's."""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.test import Client

from rooms import hosting
from rooms.models import Answer, Member, Room, Study
from rooms.study import fields, flow
from rooms.study.design import Choice, Design
from rooms.study.desk import KINDS, PARTS
from rooms.study.files import READY, ready_studies, ready_text
from tests.rooms.study.conftest import DESIGN, MakeStudy, Participant

pytestmark = pytest.mark.django_db


@pytest.fixture
def priya(host: User) -> Client:
    client = Client()
    client.force_login(host)
    return client


class Reader(HTMLParser):
    """Reads a form's fields off its page, as a browser would send them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = {}
        self.select = self.area = ""
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {key: value or "" for key, value in attrs}
        name = at.get("name", "")
        is_ticked = at.get("type") not in ("checkbox", "radio") or "checked" in at
        match tag:
            case "input" if name and name != "csrfmiddlewaretoken" and is_ticked:
                self.found.setdefault(name, []).append(at.get("value", ""))
            case "select":
                self.select = name
            case "option" if self.select and "selected" in at:
                self.found.setdefault(self.select, []).append(at.get("value", ""))
            case "textarea":
                self.area, self.text = name, ""

    def handle_data(self, data: str) -> None:
        if self.area:
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.found.setdefault(self.area, []).append(self.text.removeprefix("\n"))
            self.area = ""
        if tag == "select":
            self.select = ""


def seen_at(client: Client, address: str) -> str:
    """The version of a study that its page was drawn with."""
    return client.get(address).content.decode().partition('name="seen" value="')[2].split('"')[0]


def sent(client: Client, address: str, **changes: Any) -> dict[str, Any]:
    reader = Reader()
    reader.feed(client.get(address).content.decode())
    return {**reader.found, "do": "save", **changes}


def test_a_study_of_somebody_else_is_not_there(a_study: MakeStudy) -> None:
    code = a_study().room.code
    chetan = Client()
    chetan.force_login(User.objects.create_user("chetan"))
    for client in (chetan, Client()):
        for page in (
            *("", "texts/", "pay/", "pay.csv", "file.toml", "preregistration.md"),
            "preview/chat/consent/",
        ):
            assert client.get(f"/rooms/{code}/study/{page}").status_code == 404, page
        assert client.post(f"/rooms/{code}/study/", {"do": "stop"}).status_code == 404
    assert Study.objects.get().stopped_at is None


@pytest.mark.parametrize("key", READY)
def test_a_ready_made_study_is_taken_with_one_press(priya: Client, host: User, key: str) -> None:
    from rooms.plan import Plan

    room = Room.objects.create(host=host, name="r", plan={})
    assert priya.get(f"/rooms/{room.code}/study/").status_code == 200
    priya.post(f"/rooms/{room.code}/study/", {"do": "ready", "ready": key})
    study = Study.objects.get()
    assert flow.design_of(study) == ready_studies()[key]
    assert study.is_pilot
    room.refresh_from_db()
    plan = Plan(**{**room.plan, "listings": ()})
    assert plan.meeting == "policy"
    assert plan.starts_itself
    assert priya.get(f"/rooms/{room.code}/study/").status_code == 200


@pytest.mark.parametrize("itself", [True, False])
def test_a_study_says_that_somebody_has_to_start_it(
    priya: Client, a_study: MakeStudy, itself: bool
) -> None:
    study = a_study(plan={"starts_itself": itself}, arms=[{"name": "all"}])
    Room.objects.update(state=Room.State.GATHERING)
    at = f"/rooms/{study.room.code}/study/"
    assert ("Nobody plays before" in priya.get(at).content.decode()) is not itself
    hosting.start(Room.objects.get())
    assert "Nobody plays before" not in priya.get(at).content.decode()


def test_a_study_from_nothing_starts_itself(priya: Client, host: User) -> None:
    room = Room.objects.create(host=host, name="Mine", plan={})
    priya.post(f"/rooms/{room.code}/study/", {"do": "ready", "seen": ""})
    assert flow.design_of(Study.objects.get()).plan.starts_itself is True


@pytest.mark.parametrize("name", [*READY, "own"])
def test_a_form_that_is_sent_as_it_came_changes_nothing(
    priya: Client, a_study: MakeStudy, name: str
) -> None:
    study = a_study({"is_pilot": True})
    if name != "own":
        page = f"/rooms/{study.room.code}/study/"
        sends = {"do": "upload", "text": ready_text(name), "seen": seen_at(priya, page)}
        assert priya.post(page, sends).status_code == 302
    before = flow.design_of(Study.objects.get())
    for key in PARTS:
        address = f"/rooms/{study.room.code}/study/{key}/"
        answer = priya.post(address, sent(priya, address))
        assert answer.status_code == 302, answer.content.decode()
        assert flow.design_of(Study.objects.get()) == before, key


def test_every_kind_of_question_can_be_added_moved_and_removed(
    priya: Client, a_study: MakeStudy
) -> None:
    study = a_study({"is_pilot": True}, before=[])
    address = f"/rooms/{study.room.code}/study/before/"
    for kind in KINDS:
        answer = priya.post(address, sent(priya, address, do=f"add:before:{kind}"))
        assert answer.status_code == 302, answer.content.decode()
    design = flow.design_of(Study.objects.get())
    assert [one.__struct_config__.tag for one in design.before] == list(KINDS)
    priya.post(address, sent(priya, address, do="up:before:7"))
    priya.post(address, sent(priya, address, do="remove:before:0"))
    kinds = [one.__struct_config__.tag for one in flow.design_of(Study.objects.get()).before]
    assert kinds == [*KINDS[1:6], "date", "slider"]


@pytest.mark.parametrize(
    ("language", "ask", "yes"),
    [("en", "How did you get on with the other side?", "Yes"),
     ("hi", "सामने वाले के साथ आपकी कैसी निभी?", "हाँ")],
)  # fmt: skip
def test_the_questions_after_a_game_are_a_block_to_add(
    priya: Client, a_study: MakeStudy, language: str, ask: str, yes: str
) -> None:
    study = a_study({"is_pilot": True}, after=[], language=language)
    address = f"/rooms/{study.room.code}/study/after/"
    assert "add:after:feelings" in priya.get(address).content.decode()
    for _ in range(2):
        answer = priya.post(address, sent(priya, address, do="add:after:feelings"))
        assert answer.status_code == 302, answer.content.decode()
    after = flow.design_of(Study.objects.get()).after
    names = ["instrumental", "self", "process", "relationship", "again"]
    assert [one.name for one in after[:5]] == [f"svi_{name}" for name in names]
    assert len({one.name for one in after}) == 10
    assert not any(one.required for one in after)
    assert after[3].ask == ask
    assert isinstance(after[4], Choice)
    assert after[4].options[0] == yes
    assert priya.post(address, sent(priya, address)).status_code == 302


def test_arms_and_their_payment_can_be_added(priya: Client, a_study: MakeStudy) -> None:
    study = a_study({"is_pilot": True})
    address = f"/rooms/{study.room.code}/study/arms/"
    priya.post(address, sent(priya, address, do="add:arms"))
    priya.post(address, sent(priya, address, do="add:arms.2.bonus"))
    data = sent(priya, address)
    data |= {"arms.2.name": "high", "arms.2.plan.chat": "no", "arms.2.bonus.base": "3.50"}
    assert priya.post(address, data).status_code == 302
    arm = flow.design_of(Study.objects.get()).arm("high")
    assert arm is not None
    assert arm.bonus is not None
    assert (arm.plan.chat, arm.bonus.base) == (False, 3.5)
    priya.post(address, sent(priya, address, do="remove:arms.2.bonus"))
    assert flow.design_of(Study.objects.get()).arms[2].bonus is None


def test_a_wrong_field_is_told_beside_it_and_the_rest_is_not_lost(
    priya: Client, a_study: MakeStudy
) -> None:
    study = a_study({"is_pilot": True})
    address = f"/rooms/{study.room.code}/study/before/"
    data = sent(priya, address)
    data |= {"before.0.least": "a lot", "before.1.ask": "Which town?"}
    answer = priya.post(address, data)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "a number" in html
    assert 'aria-describedby="p-before-0-least"' in html
    assert 'value="Which town?"' in html
    assert flow.design_of(Study.objects.get()).before[1].ask == "Where do you live?"


@pytest.mark.parametrize(
    "do", ["remove:before:99", "add:nothing:short", "dance:before:1", "remove:a.b.c", "up:before:x"]
)
def test_a_button_that_is_none_does_nothing(priya: Client, a_study: MakeStudy, do: str) -> None:
    study = a_study({"is_pilot": True})
    address = f"/rooms/{study.room.code}/study/before/"
    before = flow.design_of(Study.objects.get())
    assert priya.post(address, sent(priya, address, do=do)).status_code in (404, 422)
    assert flow.design_of(Study.objects.get()) == before


def test_what_people_agreed_to_cannot_change_any_more(priya: Client, a_study: MakeStudy) -> None:
    study = a_study()
    Participant(study, "one").to_the_lobby()
    texts = f"/rooms/{study.room.code}/study/texts/"
    answer = priya.post(texts, sent(priya, texts, **{"consent.months": "99"}))
    assert answer.status_code == 422
    assert "People have taken part" in answer.content.decode()
    people = f"/rooms/{study.room.code}/study/people/"
    assert priya.post(people, sent(priya, people, quota="12")).status_code == 302
    design = flow.design_of(Study.objects.get())
    assert (design.quota, design.consent.months) == (12, 12)


def test_a_fault_of_another_page_leads_there(priya: Client, a_study: MakeStudy) -> None:
    study = a_study({"is_pilot": True}, bonus={"base": 2})
    people = f"/rooms/{study.room.code}/study/people/"
    answer = priya.post(people, sent(priya, people, **{"waiting.then": "end"}))
    assert answer.status_code == 422
    html = answer.content.decode()
    assert f'href="/rooms/{study.room.code}/study/ends/#bonus-waited"' in html
    assert "pay for waiting, too" in html


def test_a_pilot_goes_live_when_nothing_is_missing(priya: Client, a_study: MakeStudy) -> None:
    consent = {**DESIGN["consent"], "contact": ""}
    study = a_study({"is_pilot": True}, consent=consent)
    address = f"/rooms/{study.room.code}/study/"
    answer = priya.post(address, {"do": "live"})
    assert answer.status_code == 422
    assert "Name whom people can write to." in answer.content.decode()
    texts = f"{address}texts/"
    priya.post(texts, sent(priya, texts, **{"consent.contact": "Priya"}))
    priya.post(address, {"do": "live"})
    assert Study.objects.get().is_pilot is False
    priya.post(address, {"do": "pilot"})
    assert Study.objects.get().is_pilot is True
    priya.post(address, {"do": "stop"})
    assert Study.objects.get().stopped_at is not None
    priya.post(address, {"do": "open"})
    assert Study.objects.get().stopped_at is None


def test_a_live_study_with_people_is_no_pilot_again(priya: Client, a_study: MakeStudy) -> None:
    study = a_study()
    Participant(study, "one").to_the_lobby()
    priya.post(f"/rooms/{study.room.code}/study/", {"do": "pilot"})
    priya.post(f"/rooms/{study.room.code}/study/", {"do": "seed", "seed": "1"})
    study.refresh_from_db()
    assert (study.is_pilot, study.seed) == (False, 7)


def test_a_file_comes_and_goes(priya: Client, a_study: MakeStudy) -> None:
    study = a_study({"is_pilot": True})
    address = f"/rooms/{study.room.code}/study/"
    for kind in ("toml", "json"):
        file = priya.get(f"{address}file.{kind}")
        assert "attachment" in file["Content-Disposition"]
        before = flow.design_of(Study.objects.get())
        upload = SimpleUploadedFile(f"s.{kind}", file.content)
        seen = seen_at(priya, address)
        priya.post(address, {"do": "ready", "ready": "chat", "seen": seen})
        assert flow.design_of(Study.objects.get()) != before
        sends = {"do": "upload", "file": upload, "seen": seen_at(priya, address)}
        assert priya.post(address, sends).status_code == 302
        assert flow.design_of(Study.objects.get()) == before


@pytest.mark.parametrize("raw", [b"\xff\xfe\x00", b"x" * 300_001, b"", b"[[arms]]\nname = 3\n"])
def test_a_file_that_is_no_study_is_told_so(priya: Client, a_study: MakeStudy, raw: bytes) -> None:
    study = a_study({"is_pilot": True})
    answer = priya.post(
        f"/rooms/{study.room.code}/study/",
        {"do": "upload", "file": SimpleUploadedFile("s.toml", raw or b" ")},
    )
    assert answer.status_code == 422
    assert "This cannot be used yet" in answer.content.decode()


@pytest.mark.parametrize("arm", ["chat", "prices"])
def test_a_preview_walks_through_every_page_and_keeps_nothing(
    priya: Client, a_study: MakeStudy, arm: str
) -> None:
    code = a_study().room.code
    at = f"/rooms/{code}/study/preview/{arm}/"
    assert priya.post(f"{at}consent/", {"do": "agree"}).status_code == 200
    steps: list[tuple[str, dict[str, str]]] = [
        ("consent", {"agree": "yes"}),
        ("questions", {"try": "1", "floor": "The least you take"}),
        ("before", {"age": "30"}),
        ("play", {}),
        ("after", {"fair": "3"}),
    ]
    for (step, data), (following, _) in zip(steps, [*steps[1:], ("done", {})], strict=True):
        page = priya.get(f"{at}{step}/")
        assert page.status_code == 200
        assert "Nothing is kept" in page.content.decode()
        assert priya.post(f"{at}{step}/", data)["Location"] == f"{at}{following}/"
    assert "DONE1" in priya.get(f"{at}done/").content.decode()
    wrong = priya.post(f"{at}questions/", {"try": "2", "floor": "The price you ask"})
    assert "rather keep" in wrong.content.decode()
    assert "Please answer this." in priya.post(f"{at}before/", {}).content.decode()
    assert not Member.objects.exists()
    assert not Answer.objects.exists()
    assert priya.get(f"/rooms/{code}/study/preview/nobody/consent/").status_code == 404


@pytest.mark.parametrize("step", ["consent", "questions", "before", "play", "after", "done"])
def test_a_preview_goes_on_from_every_page_of_a_study_that_asks_nothing(
    priya: Client, a_study: MakeStudy, step: str
) -> None:
    study = a_study(instructions="", questions={}, before=[], after=[])
    at = f"/rooms/{study.room.code}/study/preview/chat/"
    ahead = "play" if step in ("consent", "questions", "before") else "done"
    assert priya.post(f"{at}{step}/", {"agree": "yes"})["Location"] == f"{at}{ahead}/"


def test_every_field_of_a_design_has_words() -> None:
    form = fields.form_of(Design, fields_of_everything(), [], fields.Around({}, {}))
    bare = [one.path for one in fields.every(form) if one.label == one.path.rpartition(".")[2]]
    assert [path for path in bare if not path.rpartition(".")[2].isdigit()] == []
    for one in fields.every(form):
        for pick in one.picks:
            assert pick.words, one.path


def fields_of_everything() -> dict[str, Any]:
    questions: list[dict[str, Any]] = []
    for kind in KINDS:
        question = {"type": kind, "name": f"q_{kind}", "ask": "?"}
        questions.append(question | fields.NEW.get(kind, {}))
    checks = [{"type": kind, "name": kind, "ask": "?"} for kind in ("choice", "number")]
    return {
        "title": "x",
        "before": questions,
        "questions": {"ask": checks},
        "arms": [{"name": "a", "bonus": {}}],
    }


def test_a_form_cannot_be_made_endless() -> None:
    values = fields.read_form(Design, QueryDict("n:before=99999999"), ["before"])
    assert len(values["before"]) <= 100


@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("kind", ["toml", "json"])
@pytest.mark.parametrize("pasted", [False, True])
def test_our_own_file_comes_back_with_a_mark_before_it(
    priya: Client, a_study: MakeStudy, begin: bytes, kind: str, pasted: bool
) -> None:
    study = a_study({"is_pilot": True})
    address = f"/rooms/{study.room.code}/study/"
    body = begin + priya.get(f"{address}file.{kind}").content
    sends: Any = {"text": body.decode()} if pasted else {"file": SimpleUploadedFile("x", body)}
    before = flow.design_of(study)
    seen = seen_at(priya, address)
    assert priya.post(address, {"do": "upload", "seen": seen, **sends}).status_code == 302
    assert flow.design_of(Study.objects.get()) == before


@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * 20_000) + "=1",
        "a=" + "[" * 100_000,
        '{"a":' + "[" * 100_000,
        "a=" + "9" * 5_000,
        '{"a":' + "9" * 5_000,
        '{"title": "x", "bonus": {"base": NaN}}',
        'title = "x"\n[[before]]\ntype="number"\nname="q"\nask="?"\nleast=nan',
        'title = "x"\n[plan]\nlistings = [99999999999999999999]',
    ],
)
def test_a_file_that_would_stop_the_site_gets_a_sentence(
    priya: Client, host: User, text: str
) -> None:
    room = Room.objects.create(host=host, name="r", plan={})
    answer = priya.post(f"/rooms/{room.code}/study/", {"do": "upload", "text": text})
    assert answer.status_code == 422
    assert not Study.objects.exists()


@pytest.mark.parametrize(
    ("part", "sends"),
    [
        ("before", {"n:before": "9" * 5_000}),
        ("before", {"n:before": "1", "before.0.type": "nothing"}),
        ("before", {"n:before": "1", "before.0.type": "number", "before.0.least": "nan"}),
        ("people", {"quota": "9" * 5_000}),
        ("people", {"quota": "1e300"}),
        ("ends", {"bonus.base": "nan"}),
        ("ends", {"bonus.base": "inf"}),
        ("arms", {"plan.listings": "1e300"}),
        ("arms", {"plan.listings": "9" * 400}),
        ("arms", {"do": "up:arms:" + "9" * 5_000}),
        ("arms", {"do": "add:arms." + "9" * 5_000 + ".plan:x"}),
    ],
)
def test_a_form_that_no_page_has_is_refused_in_words(
    priya: Client, a_study: MakeStudy, part: str, sends: dict[str, str]
) -> None:
    study = a_study({"is_pilot": True})
    before = Study.objects.get().design
    address = f"/rooms/{study.room.code}/study/{part}/"
    assert priya.post(address, sent(priya, address, **sends)).status_code in (404, 422)
    assert Study.objects.get().design == before
    preview = f"/rooms/{study.room.code}/study/preview/chat/questions/"
    assert priya.post(preview, {"try": "9" * 5_000}).status_code == 200


def test_two_hosts_who_write_at_once_lose_nothing(priya: Client, a_study: MakeStudy) -> None:
    study = a_study()
    page = f"/rooms/{study.room.code}/study/after/"
    opened = sent(priya, page, debrief="Priya wrote that.")
    priya.post(page, {**opened, "debrief": "Ravi wrote this."})
    for sends in (opened, {**opened, "seen": ""}, {**opened, "do": "add:after:long"}):
        late = priya.post(page, sends)
        body = late.content.decode()
        assert late.status_code == 409
        assert "Somebody has changed this part" in body
        assert "<td>Ravi wrote this.</td><td>Priya wrote that.</td>" in body, "both are there"
        assert body.count("<tr>") == 2, "what is the same in both is not told"
        assert flow.design_of(Study.objects.get()).debrief == "Ravi wrote this."
    reader = Reader()
    reader.feed(body)
    assert priya.post(page, {**reader.found, "do": "save"}).status_code == 302
    assert flow.design_of(Study.objects.get()).debrief == "Priya wrote that."


def test_a_question_that_the_other_host_added_is_told_with_all_it_asks(
    priya: Client, a_study: MakeStudy
) -> None:
    page = f"/rooms/{a_study(after=[]).room.code}/study/after/"
    opened = sent(priya, page, debrief="Mine")
    asked = sent(priya, page, do="add:after:likert")
    assert [priya.post(page, asked).status_code for _ in range(2)] == [302, 302], "pressed twice"
    assert len(flow.design_of(Study.objects.get()).after) == 1
    again = sent(priya, page, **{"after.0.ask": "Was it <b>fair</b>?"})
    assert priya.post(page, again).status_code == 302
    body = priya.post(page, opened).content.decode()
    assert "<td>Was it &lt;b&gt;fair&lt;/b&gt;?</td><td>–</td>" in body
    # Somebody else who changes another part meanwhile is nobody's loss.
    texts = f"/rooms/{Study.objects.get().room.code}/study/texts/"
    theirs = sent(priya, texts, title="Another title")
    priya.post(page, sent(priya, page, debrief="Kept"))
    assert priya.post(texts, theirs).status_code == 302
    design = flow.design_of(Study.objects.get())
    assert (design.title, design.debrief) == ("Another title", "Kept")


def test_a_file_does_not_replace_what_its_host_has_not_seen(
    priya: Client, host: User, a_study: MakeStudy
) -> None:
    study = a_study()
    page = f"/rooms/{study.room.code}/study/"
    seen = seen_at(priya, page)
    priya.post(f"{page}after/", sent(priya, f"{page}after/", debrief="Ravi wrote this."))
    mine = {"do": "upload", "text": ready_text("chat")}
    late = priya.post(page, {**mine, "seen": seen})
    body = late.content.decode()
    assert late.status_code == 409
    assert "Somebody has changed this study" in body
    assert "[[before]]" in body, "the pasted text is still there"
    assert flow.design_of(Study.objects.get()).debrief == "Ravi wrote this."
    reader = Reader()
    reader.feed(body)
    assert priya.post(page, {**mine, "seen": reader.found["seen"][0]}).status_code == 302
    assert flow.design_of(Study.objects.get()) == ready_studies()["chat"]
    # Of two who begin in an empty room at once the second reads that there is a study by now.
    room = Room.objects.create(host=host, name="r", plan={})
    begins = [{"do": "ready", "ready": key, "seen": ""} for key in ("chat", "chat", "told")]
    at = f"/rooms/{room.code}/study/"
    assert [priya.post(at, one).status_code for one in begins] == [302, 302, 409]


def test_factors_and_a_prompt_can_be_added_by_pressing(priya: Client, a_study: MakeStudy) -> None:
    study = a_study(arms=[{"name": "all"}])
    page = f"/rooms/{study.room.code}/study/arms/"
    for do in ("add:factors", "add:factors.0.levels", "add:arms.0.prompt"):
        answer = priya.post(page, sent(priya, page, do=do, **{"arms.0.prompt.words": "Buy it."}))
        if do.endswith("prompt"):
            assert answer.status_code in (302, 422)
        else:
            assert answer.status_code == 302, answer.content.decode()
    design = flow.design_of(Study.objects.get())
    assert [len(one.levels) for one in design.factors] == [3]
    assert len(design.cells) == 3
