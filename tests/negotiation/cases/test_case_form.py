"""A teacher writes a case: the form, its faults in plain words, what is kept, the file."""

import re
from typing import Any

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from bazaarbatna.cases.case import Case, Choice, from_toml, in_library
from negotiation.cases.form import case_from, draft_from, draft_of
from negotiation.cases.game import CASE
from negotiation.cases.own import MOST_KEPT, ChangedMeanwhile, keep, read_file, to_file
from negotiation.models import Game, OwnCase
from tests.support.case_forms import fields_of
from tests.support.rooms import a_host, at_desk

pytestmark = pytest.mark.django_db

CASES = in_library()


def told(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def faults(client: Client, **changed: str) -> list[str]:
    answer = client.post("/cases/own/", {**fields_of(CASES["job"]), **changed})
    assert answer.status_code == 422
    page = answer.content.decode()
    found = re.search(r'id="preview".*?<ul>(.*?)</ul>', page, re.DOTALL)
    assert found is not None
    return re.findall(r"<li>(.*?)</li>", found[1])


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_case_goes_through_form_and_file_and_is_the_same(name: str) -> None:
    case = CASES[name]
    assert case_from(draft_of(case)) == case
    assert case_from(draft_from(fields_of(case))) == case
    assert read_file(to_file(case)) == from_toml(to_file(case)) == case


def test_a_case_is_shown_from_both_sides_and_played(client: Client) -> None:
    page = told(client.get("/cases/own/"))
    assert "A used scooter" in page
    assert "Fill in the form" in page
    page = told(client.get("/cases/own/?from=job"))
    assert "<svg" in page
    page = told(client.post("/cases/own/", fields_of(CASES["job"])))
    assert "both want the same" in page
    assert "an even split of every issue" in page
    answer = client.post("/cases/own/", {**fields_of(CASES["job"]), "id": "mine", "seat": "b"})
    assert answer.status_code == 302
    game = Game.objects.get(pk=answer["Location"].split("/")[-2])
    assert CASE.position_of(game).state.case.id == "mine"


def test_faults_are_said_in_plain_words_with_their_place(client: Client) -> None:
    assert faults(client, **{"issues.0.high": "9"}) == ["Salary: 10 is not below 9"]
    for text in ("ten", "33,3", "50%", "1e5", "", "1000001"):
        (told,) = faults(client, **{"a.outside": text})
        place = "First role, Points without a deal"
        assert told == f"{place}: “{text}” is no number such as 1200 or 33.5, at most 1,000,000"
    assert faults(client, **{"title.hi": ""}) == ["Title: no words in हिन्दी"]
    blank = {"issues.1.label.en": "", "issues.1.label.hi": "", "issues.1.key": ""}
    assert faults(client, **blank) == ["2, Name: no words in English, हिन्दी"]
    assert faults(client, rounds="1") == [
        "Moves for each side: between 2 and 40 moves for each side"
    ]
    (told,) = faults(client, **{"issues.0.a_bends": "12 is 3"})
    assert told.startswith("Salary: write points between as")
    (told,) = faults(client, **{"issues.0.step": "0.5"})
    assert told == "Salary, Steps of: a whole number is needed"
    (told,) = faults(client, **{"issues.0.high": "9" * 11})
    assert told.endswith("at most 999,999,999")


@pytest.mark.parametrize("text", ["30,000", "30 000", "₹30,000", "३००००", "30000.0"])
def test_numbers_are_read_as_people_write_them(text: str) -> None:
    fields = fields_of(CASES["scooter"]) | {"issues.0.low": text, "a.outside": "−1,20,000"}
    case = case_from(draft_from(fields))
    assert (case.issues[0].values[0], case.a.outside) == (30_000, -120_000)


def test_no_two_options_or_issues_look_alike_in_a_language_that_is_shown(client: Client) -> None:
    twins = {"issues.1.options.0.label.hi": "एक", "issues.1.options.1.label.hi": " एक "}
    fields = {**fields_of(CASES["scooter"]), **twins}
    answer = client.post("/cases/own/", fields)
    assert answer.status_code == 422
    assert "two are called “एक”" in told(answer)
    del fields["languages.hi"]
    assert client.post("/cases/own/", fields).status_code == 200
    price = fields["issues.0.label.en"]
    answer = client.post("/cases/own/", {**fields, "issues.2.label.en": price})
    assert f"two are called “{price}”" in told(answer)


def test_a_long_sheet_is_kept_whole(client: Client) -> None:
    """A browser that stops at so many letters would lose the end of what is pasted."""
    sheet = "Do not tell. " * 1_500
    page = told(client.post("/cases/own/", {**fields_of(CASES["job"]), "a.sheet.en": sheet}))
    field = page.partition('id="a.sheet.en"')[2].partition("</textarea>")[0]
    assert sheet.strip() in field
    assert "maxlength" not in field


def test_a_file_in_another_encoding_is_refused(client: Client) -> None:
    text = to_file(CASES["scooter"]).replace("scooter", "scootér").encode("latin-1", "replace")
    file = SimpleUploadedFile("case.toml", text)
    answer = client.post("/cases/own/", {"do": "read", "file": file})
    assert answer.status_code == 422
    assert "This is no text in UTF-8: save it as such." in told(answer)


def test_a_fault_is_said_in_the_readers_language(client: Client) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "hi"
    (told,) = faults(client, **{"issues.0.high": "9"})
    assert "से कम नहीं" in told


def test_forty_options_and_no_issue_at_all_are_refused(client: Client) -> None:
    choice = next(at for at, one in enumerate(CASES["job"].issues) if isinstance(one, Choice))
    many = {f"issues.{choice}.options.{at}.label.en": f"option {at}" for at in range(40)}
    many |= {f"issues.{choice}.options.{at}.a": "1" for at in range(40)}
    assert any("between two and eight" in one for one in faults(client, **many))
    none = {name: text for name, text in fields_of(CASES["job"]).items() if "issues" not in name}
    answer = client.post("/cases/own/", none)
    assert "from one to eight things to settle" in told(answer)


def test_an_author_is_warned_of_what_can_be_played_but_teaches_nothing(client: Client) -> None:
    flat = {
        name: "5"
        for name in fields_of(CASES["project"])
        if re.fullmatch(r"issues\.\d+\.options\.\d+\.a", name)
    }
    page = told(client.post("/cases/own/", {**fields_of(CASES["project"]), **flat}))
    assert "All packages are worth the same to the first role." in page
    page = told(client.post("/cases/own/", {**fields_of(CASES["job"]), "a.outside": "101"}))
    assert "No deal is better for both than any package." in page


def test_the_form_grows_and_shrinks(client: Client) -> None:
    fields = fields_of(CASES["laptop"])
    count = len(CASES["laptop"].issues)
    page = told(client.post("/cases/own/", {**fields, "do": "add:choice"}))
    assert page.count('class="case-part case-issue"') == count + 1
    assert page.count('class="case-option"') == 2
    assert CASES["laptop"].a.sheet["en"][:20] in page, "nothing is lost"
    page = told(client.post("/cases/own/", {**fields, "do": "drop:0"}))
    assert page.count('class="case-part case-issue"') == count - 1
    for odd in ("drop:99", "up:x", "option:0:0:0", "add:dice", "drop:", "option:-1"):
        assert client.post("/cases/own/", {**fields, "do": odd}).status_code == 200


def test_hostile_fields_are_no_error(client: Client) -> None:
    for odd in (
        {"issues": "x"},
        {"issues.0": "x", "issues.0.label": "y"},
        {"a": "x", "b.name": "y", "title": "z"},
        {"issues.0.options.0": "x", "issues.0.kind": "choice"},
        {
            "issues.0.options.0.words": "x",
            "issues.0.options.0.label": "x",
            "issues.0.kind": "choice",
        },
        {".....": "x", "a.b.c.d.e.f.g": "h", "issues.99999999999.kind": "choice"},
        {"rounds": "9" * 400, "issues.0.low": "1e9", "issues.0.high": "nan"},
        {"rounds": "²", "a.outside": "٣"},
        {"issues.0.kind": "number", "issues.0.options.0.a": "1", "do": "check"},
        {"issues.0.options": "foo"},
    ):
        assert client.post("/cases/own/", odd).status_code == 422, odd
    number = {"issues.0.kind": "number", "issues.0.options.0.a": "1", "do": "option:0"}
    for odd in (number, {**number, "do": "drop:0:0"}, {"issues.0.options": "foo", "do": "up:0"}):
        assert client.post("/cases/own/", odd).status_code == 200, odd


def test_a_file_fills_the_form_or_says_what_is_wrong(client: Client) -> None:
    text = to_file(CASES["lease"])
    page = told(client.post("/cases/own/", {"do": "read", "text": text}))
    assert f'value="{CASES["lease"].title["en"]}"' in page
    sent = SimpleUploadedFile("case.toml", text.encode())
    page = told(client.post("/cases/own/", {"do": "read", "file": sent}))
    assert f'value="{CASES["lease"].title["en"]}"' in page
    answer = client.post("/cases/own/", {"do": "read", "text": "title = "})
    assert answer.status_code == 422
    assert "line 1" in told(answer)
    deep = "a." * 30_000 + "b = 1"
    assert client.post("/cases/own/", {"do": "read", "text": deep}).status_code == 422
    answer = client.post("/cases/own/", {**fields_of(CASES["lease"]), "do": "file"})
    assert from_toml(answer.content.decode()) == CASES["lease"]
    assert answer["Content-Disposition"] == 'attachment; filename="lease.toml"'


def test_an_account_keeps_its_cases_and_opens_rooms_with_them() -> None:
    host, other = at_desk(a_host()), at_desk(a_host("omar"))
    fields = {**fields_of(CASES["scooter"]), "id": "", "title.en": "My =scooter <b>"}
    answer = host.post("/cases/own/", {**fields, "do": "keep"})
    row = OwnCase.objects.get()
    assert answer["Location"] == f"/cases/own/{row.pk}/"
    page = host.get(answer["Location"]).content.decode()
    assert "My =scooter &lt;b&gt;" in page
    assert f"/rooms/new/?case=own-{row.pk}" in page
    assert "My =scooter" in host.get("/rooms/new/").content.decode()
    assert "My =scooter" not in other.get("/rooms/new/").content.decode()
    for client in (other, Client()):
        assert client.get(f"/cases/own/{row.pk}/").status_code == 404
        assert client.post(f"/cases/own/{row.pk}/", {**fields, "do": "forget"}).status_code == 404
    seen = row.changed_at.isoformat()
    changed = {**fields, "title.en": "Changed", "seen": seen, "do": "keep"}
    host.post(f"/cases/own/{row.pk}/", changed)
    row.refresh_from_db()
    assert (row.title, OwnCase.objects.count()) == ("Changed", 1)
    host.post(f"/cases/own/{row.pk}/", {**fields, "do": "forget"})
    assert not OwnCase.objects.exists()


def test_of_two_pages_the_later_one_overwrites_nothing_unasked() -> None:
    host = at_desk(a_host())
    fields = fields_of(CASES["scooter"])
    host.post("/cases/own/", {**fields, "do": "keep"})
    row = OwnCase.objects.get()
    first = row.changed_at.isoformat()
    at = f"/cases/own/{row.pk}/"
    host.post(at, {**fields, "title.en": "One", "seen": first, "do": "keep"})
    answer = host.post(at, {**fields, "title.en": "Two", "seen": first, "do": "keep"})
    assert answer.status_code == 409
    assert 'value="Two"' in answer.content.decode(), "nothing is lost"
    row.refresh_from_db()
    assert row.title == "One"
    found = re.search(r'name="seen" value="([^"]+)"', answer.content.decode())
    assert found is not None
    host.post(
        at, {**fields, "title.en": "Two", "seen": found[1].replace("&#x2B;", "+"), "do": "keep"}
    )
    row.refresh_from_db()
    assert row.title == "Two"


def test_of_two_posts_at_once_one_is_told_of_the_other() -> None:
    owner = a_host()
    case = CASES["scooter"]
    row = keep(owner, case, None)
    seen = row.changed_at.isoformat()
    other = OwnCase.objects.get(pk=row.pk)
    titled = msgspec.structs.replace(case, title={"en": "One", "hi": "एक"})
    keep(owner, titled, row, seen)
    with pytest.raises(ChangedMeanwhile):
        keep(owner, case, other, seen)
    assert OwnCase.objects.get().title == "One"


def test_a_case_that_could_not_be_read_again_is_not_kept() -> None:
    long = {f"{role}.sheet.{one}": "x" * 7_900 for role in "ab" for one in ("en", "hi")}
    long |= {f"{name}.{one}": "x" * 7_900 for name in ("facts", "guide") for one in ("en", "hi")}
    fields = {**fields_of(CASES["scooter"]), **long, "do": "keep"}
    answer = at_desk(a_host()).post("/cases/own/", fields)
    assert answer.status_code == 422
    assert "A case has at most 60,000 letters." in told(answer)
    assert "x" * 7_900 in told(answer), "nothing is lost"
    assert not OwnCase.objects.exists()


def test_a_line_end_is_one_letter_as_browsers_count_it() -> None:
    sheet = "x" * 3_999 + "\n" * 4_001
    sent = fields_of(CASES["scooter"]) | {"a.sheet.en": sheet.replace("\n", "\r\n")}
    assert draft_from(sent)["a"]["sheet"]["en"] == sheet


def test_a_language_that_the_form_has_no_fields_for_is_a_fault(client: Client) -> None:
    text = to_file(CASES["lease"]).replace('    "hi",\n', '    "ta",\n')
    text = re.sub(r"\bhi = ", "ta = ", text)
    assert from_toml(text).languages == ("en", "ta")
    answer = client.post("/cases/own/", {"do": "read", "text": text})
    assert answer.status_code == 422
    assert "Languages: ta: a case here is in en, hi" in told(answer)


def test_without_an_account_nothing_is_kept_and_it_is_said(client: Client) -> None:
    answer = client.post("/cases/own/", {**fields_of(CASES["scooter"]), "do": "keep"})
    assert "Only who has an account" in told(answer)
    assert not OwnCase.objects.exists()


def test_an_account_keeps_so_many_and_no_more() -> None:
    host = a_host()
    OwnCase.objects.bulk_create(OwnCase(owner=host, title="x", text="") for _ in range(MOST_KEPT))
    answer = at_desk(host).post("/cases/own/", {**fields_of(CASES["scooter"]), "do": "keep"})
    assert answer.status_code == 409
    assert OwnCase.objects.count() == MOST_KEPT


def test_what_is_kept_and_cannot_be_read_any_more_is_no_error() -> None:
    host = a_host()
    row = OwnCase.objects.create(owner=host, title="Old", text="id = 1")
    client = at_desk(host)
    page = client.get(f"/cases/own/{row.pk}/").content.decode()
    assert "Old" in page
    assert "It cannot be played yet" in page
    assert "id = 1</textarea>" in page, "what was written is not lost"
    assert f"own-{row.pk}" not in client.get("/rooms/new/").content.decode()


def test_a_draft_of_any_case_has_plain_numbers() -> None:
    case: Case = msgspec.structs.replace(CASES["scooter"])
    draft = draft_of(case)
    assert draft["issues"][0]["a_bends"] == "45000 = 32"
