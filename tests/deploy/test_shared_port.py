"""The web processes' one port: what they share, and what is said where nobody can listen."""

import socket
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.management import CommandError

from bazaar_site.management.commands.serve import web_children
from tests.support.servers import free_port


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield int(other.getsockname()[1])


@pytest.mark.parametrize(("count", "names"), [(1, ["site"]), (3, ["site 1", "site 2", "site 3"])])
def test_all_processes_inherit_one_socket_on_which_nobody_waits(
    monkeypatch: pytest.MonkeyPatch, count: int, names: list[str]
) -> None:
    monkeypatch.setattr(settings, "WEB_PROCESSES", count)
    port = free_port()
    children = web_children("127.0.0.1", port)
    assert [child.name for child in children] == names
    (shared,) = {child.inherited for child in children}
    assert shared is not None
    with shared:
        assert shared.getsockname() == ("127.0.0.1", port)
        assert not shared.getblocking()
        for child in children:
            assert child.command[child.command.index("--fd") + 1] == str(shared.fileno())


@pytest.mark.parametrize("count", [1, 3])
def test_a_taken_port_is_named(monkeypatch: pytest.MonkeyPatch, count: int, taken: int) -> None:
    monkeypatch.setattr(settings, "WEB_PROCESSES", count)
    with pytest.raises(CommandError, match=f"port {taken} of 127.0.0.1: Address already in use"):
        web_children("127.0.0.1", taken)


def test_several_processes_need_an_address_of_the_older_family(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings, "WEB_PROCESSES", 3)
    with pytest.raises(CommandError, match="IPv4"):
        web_children("::1", free_port())


def test_on_an_address_of_the_newer_family_the_one_process_listens_itself() -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as other:
        port = int(other.getsockname()[1])
        with pytest.raises(CommandError, match=f"port {port} of ::1: Address already in use"):
            web_children("::1", port)
    (alone,) = web_children("::1", port)
    assert alone.inherited is None
    assert alone.command[alone.command.index("--bind") + 1] == "::1"
