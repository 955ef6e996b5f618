"""Every package, image and file of data has a licence in docs/licences.md, which is current."""

import subprocess
from pathlib import PurePath

import pytest

from deploy import licences
from tests.deploy.test_container_files import images
from tests.support.commands import ROOT

CODE = {".css", ".html", ".js", ".lua", ".md", ".po", ".py", ".sh"}
ELSEWHERE = ("tests/", "templates/", ".ci/", "deploy/")
"""Text of the house's own like its code: tests make up the data that they need."""


def tracked(*patterns: str) -> set[str]:
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--"]
    done = subprocess.run([*asked, *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(filter(None, done.stdout.split("\0")))


def data_files() -> set[str]:
    return {
        name
        for name in tracked()
        if "/" in name
        and PurePath(name).suffix not in CODE
        and PurePath(name).name != "ruff.toml"
        and not name.startswith(ELSEWHERE)
    }


def test_the_page_is_what_the_command_writes() -> None:
    assert licences.PAGE.read_text() == licences.page(), "run `make licences`"


def test_every_pinned_package_stands_in_it_with_its_version() -> None:
    page = licences.PAGE.read_text()
    pins = licences.pins()
    assert len(pins) > 200
    missing = [name for name, version in pins.items() if f"\n| {name} | {version} | " not in page]
    assert missing == []


def test_every_file_of_data_is_named() -> None:
    named: set[str] = set()
    for entry in licences.SAID["data"]:
        for pattern in entry["files"]:
            found = tracked(pattern)
            assert found, f"{pattern} names nothing"
            named |= found
    assert sorted(data_files() - named) == []


def test_every_image_is_named() -> None:
    names = {image.partition(":")[0] for image in images()} - {"bazaarbatna"}
    assert names == {one["name"] for one in licences.SAID["image"]}


def test_what_asks_for_more_than_a_notice_is_explained() -> None:
    for name in licences.pins():
        licence = licences.licence_of(name)
        for kind in ("AGPL", "SSPL", "EUPL", "NonCommercial", "NC"):
            assert kind not in licence, f"{name}: {licence}"
        if "GPL" in licence:
            assert ("LGPL" if "LGPL" in licence else "GPL") in licences.SAID["remarks"]
    site = licences.with_all_they_need(licences.wanted_by("site", "train"))
    copyleft = {name for name in site & set(licences.pins()) if "GPL" in licences.licence_of(name)}
    assert copyleft == {"jwcrypto", "psycopg", "psycopg-binary"}


def test_a_package_that_states_none_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(licences.SAID, "packages", {})
    with pytest.raises(licences.Unknown, match="axe-playwright-python"):
        licences.licence_of("axe-playwright-python")
    with pytest.raises(licences.Unknown, match="no-such-package"):
        licences.licence_of("no-such-package")
