"""What docs/environment.md says of fields and codes is what the code has."""

import re
from pathlib import Path

import pytest

from bazaarbatna.envs.bargain.resets import Reset
from bazaarbatna.envs.bargain.views import View
from bazaarbatna.envs.openenv import errors
from tests.support.examples import needed_by, told_to_install

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "environment.md").read_text()


def test_every_field_of_an_observation_and_a_reset_is_explained() -> None:
    fields = (*View.__struct_fields__, *Reset.__struct_fields__)
    assert [name for name in fields if f"`{name}`" not in PAGE] == []


def test_every_code_of_the_protocol_is_explained_with_its_status() -> None:
    for kind in vars(errors).values():
        if not isinstance(kind, type) or not issubclass(kind, errors.ProtocolError):
            continue
        row = re.search(rf"^\| `{kind.code}` \| (.*?) \|", PAGE, re.M)
        assert row is not None, kind.code
        assert kind is errors.UnknownType or str(kind.status) in row[1]


def test_the_code_without_a_server_runs(capsys: pytest.CaptureFixture[str]) -> None:
    block = next(b for b in re.findall(r"```python\n(.*?)```", PAGE, re.S) if "SuiteGame" in b)
    exec(compile(block, "docs/environment.md", "exec"), {})
    assert capsys.readouterr().out.startswith("10 bargains")


@pytest.mark.parametrize("name", ["random_agent", "rule_agent", "llm_agent"])
def test_an_example_needs_no_more_than_its_first_lines_tell_to_install(name: str) -> None:
    told = told_to_install(name)
    assert needed_by(name) == told
    row = re.search(rf"^\| `examples/{name}.py` \| .*? \| (.*?) \|$", PAGE, re.M)
    assert row is not None
    assert set(row[1].split(", ")) == told
