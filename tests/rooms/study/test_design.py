"""Designs: what does not fit together is told with its line and field; files come back whole."""

import json
from typing import Any

import msgspec
import pytest
from django.test import override_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooms.plan import Plan
from rooms.study.design import Design, Overrides
from rooms.study.faults import is_allowed, missing
from rooms.study.files import (
    MOST_FAULTS,
    READY,
    BadDesign,
    from_file,
    from_values,
    ready_studies,
    ready_text,
    to_json,
    to_toml,
)
from tests.rooms.study.conftest import DESIGN

LATE = {"assigned": "game"}


def test_what_an_arm_may_change_are_fields_of_a_plan() -> None:
    assert set(Overrides.__struct_fields__) <= set(Plan.__struct_fields__)


@pytest.mark.parametrize("key", READY)
def test_ready_made_studies_are_complete(key: str) -> None:
    design = ready_studies()[key]
    assert len(design.arms) == 2 or len(design.conditions) == 2
    assert design.block % 2 == 0
    assert design.debrief
    left = {fault.path for fault in missing(design)}
    assert "consent.contact" in left
    # Only what nobody but its host can know.
    assert all(path == "consent.contact" or path.endswith(".code") for path in left)
    assert "exits.finished.code" in left
    assert design.before
    assert design.after
    assert design.questions.ask


@pytest.mark.parametrize("key", READY)
def test_a_design_comes_back_from_its_file(key: str) -> None:
    design = ready_studies()[key]
    assert from_file(to_toml(design)) == design
    assert from_file(to_json(design)) == design


NASTY = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(text=NASTY, option=NASTY)
def test_every_text_survives_a_file(text: str, option: str) -> None:
    text = text.replace("\r", "")
    design = Design(title="x" + option.replace("\r", ""), information=text, debrief=text + '"')
    assert from_file(to_toml(design)) == design


def fault(text: str) -> tuple[str, str, int]:
    with pytest.raises(BadDesign) as caught:
        from_file(text)
    first = caught.value.faults[0]
    return first.path, first.words, first.line


def line_of(text: str, words: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if words in line)


@pytest.mark.parametrize(
    ("old", "new", "path", "words"),
    [
        ("chat = false", "chatt = false", "arms[1].plan.chatt", "no field of this name"),
        ("chat = false", 'chat = "no"', "arms[1].plan.chat", "yes or no"),
        ("months = 24", "months = 0", "consent.months", "must be 1 or more"),
        ("block = 4", "block = 3", "block", "take a multiple"),
        ("points = 7", "points = 40", "before[3].points", "must be 11 or less"),
        ('name = "age"', 'name = "My age"', "before[0].name", "a to z"),
        ('right = "Leave', 'right = "Leave!', "questions.ask[0].right", "one of the options"),
        ("sauda-network", "sauda-nobody", "plan.buyer", "Nobody here is called"),
        ('type = "slider"', 'type = "slide"', "after[2].type", "no question of the type"),
        ("https://app", "http://app", "exits.finished.url", "https addresses"),
        ('keeps = ["external_id"', 'keeps = ["address"', "consent.keeps[0]", "none of the"),
        ("least = 18", "least = 180", "before[0].least", "more than the most"),
        ("cap = 3.3", "cap = 1.3", "bonus.cap", "less than"),
    ],
)
def test_a_fault_in_a_file_has_its_field_and_line(
    old: str, new: str, path: str, words: str
) -> None:
    text = ready_text("chat").replace(old, new, 1)
    found = fault(text)
    assert found[0] == path
    assert words in found[1]
    assert found[2] == line_of(text, new)


def test_a_file_that_is_no_toml_says_where() -> None:
    _, words, line = fault('title = "x"\nminutes = = 3\n')
    assert line == 2
    assert words.startswith("TOML")
    _, words, line = fault('{"title": "x",\n "minutes": }')
    assert line == 2
    assert words.startswith("JSON")


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        ('title = "x"\n' + ".".join(["a"] * 20_000) + " = 1", "parts with dots", 2),
        ('title = "x"\nminutes = ' + "[" * 50_000, "deep", 2),
        ('title = "x"\nquota = ' + "9" * 5_000, "characters", 2),
        ('{"title": "x",\n"quota": ' + "9" * 5_000 + "}", "characters", 2),
        ('{"title": "x",\n"before": ' + "[" * 50_000, "deep", 2),
        ('{"title": "x",\n"bonus": {"base": NaN}}', "no number", 2),
        ('title = "x"\n[bonus]\nbase = inf', "no number", 3),
        ('{"title": "x",\n"title": "y"}', "stands twice", 2),
    ],
)
def test_a_file_that_would_stop_the_site_is_refused_with_its_line(
    text: str, words: str, line: int
) -> None:
    path, said, found = fault(text)
    assert (path, found) == ("", line)
    assert words in said


@pytest.mark.parametrize("line", ["[ " + " " * 90_000 + '"x"', '"' + " " * 90_000 + '"x"'])
def test_a_line_of_blanks_in_a_text_does_not_stop_the_search_for_a_field(line: str) -> None:
    assert fault(f'title = 3\ninformation = """\n{line}\n"""')[::2] == ("title", 1)
    assert fault(f"information = 'x'\nlisted = [\n{line}, ]\ntitle = 3")[1]


def test_a_value_that_reads_like_a_reason_is_told_and_cut() -> None:
    """The reasons are looked for in a text that repeats the value."""
    value = "Invalid enum value " * 9_000 + "\\nx"
    path, words, _ = fault(f'title = "x"\nlanguage = "{value}"')
    assert path == "language"
    assert len(words) < 400


def test_at_most_so_many_faults_are_told() -> None:
    arms = ", ".join(f'"a{number}"' for number in range(12))
    question = f'[[before]]\ntype = "short"\nname = "q"\nask = "?"\narms = [{arms}]\n'
    with pytest.raises(BadDesign) as caught:
        from_file('title = "x"\n' + question * 50)
    assert len(caught.value.faults) == MOST_FAULTS


def test_a_design_that_could_not_be_brought_back_is_not_made() -> None:
    arms = [{"name": f"a{number}", "instructions": "क" * 20_000} for number in range(4)]
    with pytest.raises(BadDesign, match="at most 200 kilobytes"):
        from_values({"title": "x", "arms": arms})


@pytest.mark.parametrize("written", [to_toml, to_json])
def test_a_mark_before_our_own_file_is_passed_over(written: Any) -> None:
    design = ready_studies()["chat"]
    assert from_file("\ufeff" + written(design)) == design


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"before": [DESIGN["before"][0]] * 2}, "before[1].name"),
        ({"arms": [{"name": "a"}, {"name": "a"}]}, "arms[1].name"),
        ({"before": [{**DESIGN["before"][0], "arms": ["nobody"]}]}, "before[0].arms"),
        ({**LATE, "before": [{**DESIGN["before"][0], "arms": ["chat"]}]}, "before[0].arms"),
        ({**LATE, "arms": [{"name": "a", "instructions": "x"}]}, "arms[0].instructions"),
        ({"arms": [{"name": "a", "bonus": {"currency": "INR"}}]}, "bonus.currency"),
        ({"after": [{"type": "date", "name": "d", "ask": "?", "least": "soon"}]}, "after[0].least"),
        ({"arms": []}, "arms"),
        ({"consent": {**DESIGN["consent"], "keeps": ["prices"]}}, "consent.train"),
        ({"consent": {**DESIGN["consent"], "keeps": ["prices"]}}, "consent.quote"),
        ({"waiting": {"then": "end"}, "bonus": {"base": 1}}, "bonus.waited"),
        ({"waiting": {"then": "end"},
          "arms": [{"name": "a", "bonus": {"currency": "GBP", "rule": "share", "rate": 1}}]},
         "arms[0].bonus.waited"),
        ({"consent": {**DESIGN["consent"], "withdrawal": ["external_id"]},
          "bonus": {"base": 1, "withdrawn": 1}}, "bonus.withdrawn"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_found(change: dict[str, Any], path: str) -> None:
    with pytest.raises(BadDesign) as caught:
        from_values({**DESIGN, **change})
    assert path in [one.path for one in caught.value.faults]


@pytest.mark.parametrize(
    "change",
    [
        {"waiting": {"then": "end"}, "bonus": {}},
        {"waiting": {"then": "end"}, "bonus": {"base": 1, "waited": 1}},
        {"waiting": {"then": "policy"}, "bonus": {"base": 1}},
        {"consent": {"keeps": ["prices"], "quote": False, "train": False}},
    ],
)
def test_what_keeps_its_word_is_no_fault(change: dict[str, Any]) -> None:
    assert from_values({**DESIGN, **change})


@pytest.mark.parametrize(
    ("url", "fine"),
    [
        ("https://app.prolific.com/x?cc=1", True),
        ("https://APP.prolific.com/", True),
        ("http://app.prolific.com/", False),
        ("https://app.prolific.com.evil.org/", False),
        ("https://evil.org/app.prolific.com", False),
        ("https://app.prolific.com@evil.org/", False),
        ("https://app.prolific.com:8443/", False),
        ("https://evil.org\\@app.prolific.com/", False),
        ("javascript:alert(1)", False),
        ("//app.prolific.com/", False),
        ("https://[app.prolific.com/", False),
        ("", False),
    ],
)
def test_people_are_sent_to_named_hosts_only(url: str, fine: bool) -> None:
    assert is_allowed(url) is fine


def test_the_operator_names_the_hosts() -> None:
    with override_settings(STUDY_HOSTS=" survey.example.org , "):
        assert is_allowed("https://survey.example.org/back")
        assert not is_allowed("https://app.prolific.com/")


def test_a_design_is_the_same_as_values_and_as_a_row() -> None:
    design = from_values(DESIGN)
    again = msgspec.convert(json.loads(json.dumps(msgspec.to_builtins(design))), Design)
    assert again == design
