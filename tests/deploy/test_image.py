"""What `make image` does with the Dockerfile, without the minutes that it takes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.deploy import image
from tests.support.containers import SLIM, instructions

Ran = tuple[Sequence[str], str, Mapping[str, str], str]


@pytest.fixture
def ran() -> list[Ran]:
    """What would have been run in the root."""
    return []


@pytest.fixture
def made(tmp_path: Path, ran: list[Ran]) -> image.Image:
    """An image on an empty folder, with build arguments."""

    def note(words: Sequence[str], folder: str, kept: Mapping[str, str], user: str) -> None:
        ran.append((words, folder, dict(kept), user))

    return image.Image(tmp_path, note, {"BAZAAR_COMMIT": "abc"})


def test_the_instructions_are_carried_out_as_a_builder_does(
    made: image.Image, ran: list[Ran], tmp_path: Path
) -> None:
    for word, rest in instructions():
        made.carry_out(word, rest)
    runs = [rest for word, rest in instructions() if word == "RUN"]
    assert [words for words, *_ in ran] == [["sh", "-c", rest] for rest in runs]
    assert [folder for _, folder, *_ in ran] == ["/", "/app", "/app"]
    assert {user for *_, user in ran} == {"0"}
    installing = ran[1][2]
    assert installing["VENV"] == "/opt/venv"
    assert installing["PATH"].startswith("/opt/venv/bin:/usr/local/bin")
    assert "HOST" not in installing
    assert made.user == "1000"
    assert made.environment["BAZAAR_COMMIT"] == "abc"
    assert made.environment["PORT"] == "7860"
    assert (tmp_path / "app" / "manage.py").exists()
    assert not (tmp_path / "app" / "tests").exists()
    assert set(made.said) == {"FROM", "EXPOSE", "HEALTHCHECK", "CMD"}


@pytest.mark.parametrize(
    ("word", "rest", "why"),
    [
        ("ADD", "https://host/file /", "ADD is an instruction that nothing here carries out"),
        ("COPY", "tests ./", "COPY tests: .dockerignore keeps it out"),
        ("COPY", "nothing.txt ./", "COPY nothing.txt"),
    ],
)
def test_what_it_cannot_do_it_does_not_pass_over(
    made: image.Image, word: str, rest: str, why: str
) -> None:
    with pytest.raises(image.Refused, match=why):
        made.carry_out(word, rest)


def a_builder(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """Put a docker of our own before all others; gives where it notes how it was called."""
    log = folder / "asked"
    (folder / "docker").write_text(f'#!/bin/sh\necho "$@" >> {log}\n{script}\n')
    (folder / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr(image, "BUILDERS", ("docker",))
    monkeypatch.setattr(image, "lint", lambda _: None)
    return log


def test_a_builder_that_runs_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    log = a_builder(tmp_path, monkeypatch, "exit 0")
    assert image.main(tmp_path / "image") == 0
    assert log.read_text().splitlines()[-2:] == [
        "build --tag bazaarbatna:local .",
        f"build --tag bazaar-env:local --file {SLIM} .",
    ]
    a_builder(tmp_path, monkeypatch, '[ "$1" != build ]')
    assert image.main(tmp_path / "image") == 1
    assert "Failed (1): docker build" in capsys.readouterr().out


@pytest.mark.parametrize("script", ["exit 1", '[ "$1" = info ]'])
def test_without_an_engine_or_the_base_and_without_a_clean_root_it_says_why(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    log = a_builder(tmp_path, monkeypatch, script)
    monkeypatch.setattr(image.shutil, "which", lambda name: name if name == "docker" else None)
    assert image.main(tmp_path / "image") == 0
    assert "SKIPPED: the steps are not carried out" in capsys.readouterr().out
    assert "build" not in log.read_text()


def test_a_step_that_fails_tells_the_end_of_what_it_said() -> None:
    with pytest.raises(image.Refused, match=r"(?s)no such wheel.*Failed \(3\): sh -c"):
        image.told(["sh", "-c", "echo no such wheel >&2; exit 3"])


def test_the_environments_image_brings_no_site(
    made: image.Image, ran: list[Ran], tmp_path: Path
) -> None:
    for word, rest in instructions(SLIM):
        made.carry_out(word, rest)
    assert {path.name for path in (tmp_path / "srv").iterdir()} == {
        "README.md", "bazaarbatna", "pyproject.toml",
    }  # fmt: skip
    assert any(".[server]" in words[-1] for words, *_ in ran)
    assert made.user == "1001"
    assert dict(instructions(SLIM))["FROM"] == dict(instructions())["FROM"]
