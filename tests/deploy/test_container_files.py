"""Dockerfile, compose.yaml and what lies beside them say what the repository has."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from bazaar_site.env import Env
from tests.support.commands import ROOT
from tests.support.containers import (
    COMPOSE,
    DOCKERFILE,
    Missing,
    context_files,
    image_environment,
    instructions,
    services,
    variables,
)

SECRETS = {"BAZAAR_SECRET_KEY": "k" * 50, "POSTGRES_PASSWORD": "word"}
OURS = ("setup", "web", "worker")
FILES = (DOCKERFILE, COMPOSE, *sorted(p for p in (ROOT / "deploy").iterdir() if p.is_file()))
ELSEWHERE = {
    *("PATH", "PIP_NO_CACHE_DIR", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"),
    *("POSTGRES_USER", "POSTGRES_DB"),
}
"""Variables of other programs, which need no explanation of ours."""


def text_of(page: str) -> str:
    return (ROOT / "docs" / page).read_text()


def images() -> list[str]:
    found = {service["image"] for service in services(SECRETS).values()}
    return sorted(found | {rest for word, rest in instructions() if word == "FROM"})


@pytest.mark.parametrize("image", images())
def test_every_image_has_a_tag_that_means_one_thing(image: str) -> None:
    tag = image.partition(":")[2]
    assert tag == "local" or re.match(r"\d+\.\d+\.\d+|\d+\.\d+-", tag), image


def test_every_variable_that_is_named_is_explained() -> None:
    named = variables() | set(image_environment())
    for service in services(SECRETS).values():
        named |= set(service.get("environment", {}))
    example = (ROOT / "deploy" / "example.env").read_text()
    named |= set(re.findall(r"^(?:# )?([A-Z_]+)=", example, re.M))
    page = text_of("settings.md")
    assert sorted(name for name in named - ELSEWHERE if f"| `{name}` |" not in page) == []


def test_values_in_the_files_are_ones_the_site_takes() -> None:
    for name in OURS:
        told = {key: str(value) for key, value in services(SECRETS)[name]["environment"].items()}
        env = Env(**told)  # type: ignore[arg-type]
        assert env.database_url == "postgres://bazaar:word@postgres:5432/bazaar"
        assert env.web_processes == 2


@pytest.mark.parametrize("name", sorted(SECRETS))
def test_no_secret_has_a_value_of_ours(name: str) -> None:
    with pytest.raises(Missing, match=name):
        services(SECRETS | {name: ""})
    assert f"\n{name}=\n" in (ROOT / "deploy" / "example.env").read_text()


def container_commands() -> list[str]:
    found = {services(SECRETS)[name]["command"] for name in OURS}
    for line in (ROOT / "deploy" / "start.sh").read_text().splitlines():
        if not line.startswith(("#", "set ")):
            filled = line.replace('"$HOST"', "0.0.0.0").replace('"$PORT"', "7860")
            found.add(filled.removeprefix("exec "))
    return sorted(found)


@pytest.mark.parametrize("command", container_commands())
def test_every_command_is_one_that_the_repository_has(command: str) -> None:
    words = shlex.split(command)
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.M)
        return
    assert words[:2] == ["python", "manage.py"]
    parser = load_command_class(get_commands()[words[2]], words[2]).create_parser("", words[2])
    assert parser.parse_args(words[3:]).port


def test_a_process_manager_is_told_the_same_commands_as_serve_runs() -> None:
    from bazaar_site import programs

    page = text_of("deploy.md")
    web = programs.web_at("0.0.0.0", 8000)
    for command in (web, programs.worker(), programs.slow_worker()):
        assert command[:2] == [sys.executable, "-m"]
        assert f"\n{shlex.join(command[2:])}\n" in page


def test_the_image_starts_what_is_in_it_as_nobody_special() -> None:
    said = instructions()
    start: list[str] = json.loads(next(rest for word, rest in said if word == "CMD"))
    probe: list[str] = json.loads(
        next(rest for word, rest in said if word == "HEALTHCHECK").partition("CMD ")[2]
    )
    inside = set(map(str, context_files()))
    assert start[-1] in inside
    assert probe[-1] in inside
    assert ("USER", "1000") in said
    last_root = max(i for i, (word, rest) in enumerate(said) if "apt-get" in rest)
    assert [word for word, _ in said[:last_root]].count("USER") == 0


def test_code_and_packages_are_roots_and_the_container_writes_to_its_volume() -> None:
    said = instructions()
    words = [word for word, _ in said]
    assert words.index("USER") > max(
        index for index, word in enumerate(words) if word in ("RUN", "COPY")
    )
    assert [rest for word, rest in said if word == "COPY" and "--chown" in rest] == []
    for name in OURS:
        service = services(SECRETS)[name]
        assert service["read_only"] is True
        assert service["tmpfs"] == ["/tmp"]
        assert service["volumes"] == ["data:/data"]
        assert service["cap_drop"] == ["ALL"]


def test_the_image_has_the_clients_of_the_database_that_compose_runs() -> None:
    # Debian trixie comes with version 17; pg_dump refuses a server that is newer than itself.
    (base,) = [rest for word, rest in instructions() if word == "FROM"]
    assert base.endswith("-slim-trixie")
    assert any("postgresql-client" in rest for word, rest in instructions() if word == "RUN")
    assert services(SECRETS)["postgres"]["image"].startswith("postgres:17.")


def test_the_image_holds_what_the_site_runs_on_and_nothing_else() -> None:
    inside = {path.parts[0] for path in context_files()}
    rooms = {path.parent.name for path in ROOT.glob("*/apps.py")}
    assert rooms | {"deploy", "static", "templates", "manage.py", "Makefile"} <= inside
    assert not inside & {"tests", "var", ".venv", ".git", ".env", ".ci", "build"}
    copied = [rest.split()[1:-1] for word, rest in instructions() if word == "COPY"]
    for names in copied:
        assert set(names) <= inside | {"."}


def test_a_local_secret_stays_out_of_git_and_out_of_the_image(tmp_path: Path) -> None:
    asked = subprocess.run(
        ["git", "check-ignore", ".env"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert asked.stdout == ".env\n"


def test_no_file_names_the_host_of_a_package_index() -> None:
    pages = (*FILES, ROOT / "docs" / "deploy.md", ROOT / "constraints.txt")
    hosts = re.compile(r"pypi\.|pythonhosted|download\.pytorch|/simple|index-url[ =]http", re.I)
    assert [path.name for path in pages if hosts.search(path.read_text())] == []


def test_torch_is_pinned_to_the_version_that_the_docs_name() -> None:
    pinned = re.search(r"^torch==(.+)$", (ROOT / "constraints.txt").read_text(), re.M)
    assert pinned
    assert f"the same version {pinned[1]}" in text_of("deploy.md")


def test_the_space_listens_where_its_front_matter_says() -> None:
    _, front, rest = (ROOT / "deploy" / "space.md").read_text().split("---\n")
    said: dict[str, Any] = yaml.safe_load(front)
    assert rest.strip() == ""
    assert said["sdk"] == "docker"
    assert str(said["app_port"]) == image_environment()["PORT"]
    assert ("EXPOSE", str(said["app_port"])) in instructions()
    assert len(said["short_description"]) <= 60


def test_profiles_leave_the_plain_site_alone() -> None:
    plain = [name for name, service in services(SECRETS).items() if "profiles" not in service]
    assert plain == [*OURS, "redis", "postgres"]
    published = [port for name in plain for port in services(SECRETS)[name].get("ports", ())]
    assert published == ["127.0.0.1:8000:8000"]
