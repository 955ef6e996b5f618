"""JSON files are read one record at a time, and broken ones are refused with the place."""

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from negotiation.catalogue import records as module
from negotiation.catalogue.records import UnreadableFile, json_records


def a_file(folder: Path, content: str | bytes) -> Path:
    path = folder / "items.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("content", "records"),
    [
        ("[]", []),
        (" [ ] \n", []),
        ("", []),
        ('[{"a": 1}, {"a": [2, "]"]}]', [{"a": 1}, {"a": [2, "]"]}]),
        ('\ufeff[{"a": 1}]', [{"a": 1}]),
        ('{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}]),
        ('[1, "two", null, 12345]', [1, "two", None, 12345]),
    ],
)
def test_arrays_and_lines_of_records_are_read(
    tmp_path: Path, content: str, records: list[object]
) -> None:
    assert list(json_records(a_file(tmp_path, content))) == records


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('[{"a": 1},\n {"a": oops}]', "line 2, column 8: Expecting value"),
        ('[{"a": 1}\n{"a": 2}]', "line 2, column 1: expected , or ]"),
        ('[{"a": 1}', "the end"),
        ('[{"a": 1},', "Expecting value"),
        ('[{"a": 1},]', "Expecting value"),
        ('[{"a": 1}] extra', "line 1, column 12: something follows"),
        ("<html>", "line 1, column 1: expected an array"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"a": ' + "9" * 5000 + "}]", "a number is too long"),
        (b'[{"a": "caf\xe9"}]', "not UTF-8 near byte 11"),
        ('[{"a": 1}]'.encode("utf-16"), "not UTF-8 near byte 0"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_a_broken_file_is_named_with_the_place(
    tmp_path: Path, content: str | bytes, complaint: str
) -> None:
    with pytest.raises(UnreadableFile) as unreadable:
        list(json_records(a_file(tmp_path, content)))
    assert complaint in str(unreadable.value)
    assert str(unreadable.value).startswith("items.json")


def test_records_before_the_broken_place_come_out_first(tmp_path: Path) -> None:
    records = json_records(a_file(tmp_path, '[{"a": 1}, nonsense]'))
    assert next(records) == {"a": 1}
    with pytest.raises(UnreadableFile):
        next(records)


def test_a_record_larger_than_allowed_is_refused_without_reading_on(tmp_path: Path) -> None:
    endless = '[{"a": "' + "x" * (module.MAX_RECORD * 3)
    with pytest.raises(UnreadableFile, match="no record may be longer"):
        list(json_records(a_file(tmp_path, endless)))


def test_a_file_of_30_megabytes_is_read_in_a_few(tmp_path: Path) -> None:
    record = {"title": "Lamp", "description": "x" * 3000}
    path = a_file(tmp_path, "[" + ",\n".join([json.dumps(record)] * 10_000) + "]")
    tracemalloc.start()
    count = sum(1 for _ in json_records(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 10_000
    assert peak < 4_000_000 < path.stat().st_size / 5


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    records=st.lists(
        st.dictionaries(st.text(max_size=9), st.one_of(st.text(), st.integers(), st.none())),
        max_size=8,
    ),
    chunk=st.integers(min_value=1, max_value=40),
    indent=st.sampled_from([None, 1]),
)
def test_where_chunks_are_cut_makes_no_difference(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    records: list[dict[str, object]],
    chunk: int,
    indent: int | None,
) -> None:
    monkeypatch.setattr(module, "CHUNK", chunk)
    text = json.dumps(records, indent=indent, ensure_ascii=False)
    path = a_file(tmp_path, text.encode(errors="replace"))
    assert list(json_records(path)) == json.loads(path.read_text(encoding="utf-8"))
