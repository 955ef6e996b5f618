"""Several web processes on one port: what they share, and what they are told when they cannot."""

import socket
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.management import CommandError

from bazaar_site.management.commands.serve import web_children
from tests.support.servers import free_port


@pytest.fixture(autouse=True)
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site with three web processes."""
    monkeypatch.setattr(settings, "WEB_PROCESSES", 3)


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield int(other.getsockname()[1])


def test_all_processes_inherit_one_socket_on_which_nobody_waits() -> None:
    port = free_port()
    children = web_children("127.0.0.1", port)
    assert [child.name for child in children] == ["site 1", "site 2", "site 3"]
    (shared,) = {child.inherited for child in children}
    assert shared is not None
    with shared:
        assert shared.getsockname() == ("127.0.0.1", port)
        assert not shared.getblocking()
        for child in children:
            assert child.command[child.command.index("--fd") + 1] == str(shared.fileno())
            assert not child.vital


def test_a_taken_port_is_named(taken: int) -> None:
    with pytest.raises(CommandError, match=f"port {taken} of 127.0.0.1: Address already in use"):
        web_children("127.0.0.1", taken)


def test_an_address_of_the_other_family_is_explained() -> None:
    with pytest.raises(CommandError, match="IPv4"):
        web_children("::1", free_port())


def test_one_process_listens_itself(monkeypatch: pytest.MonkeyPatch, taken: int) -> None:
    monkeypatch.setattr(settings, "WEB_PROCESSES", 1)
    (alone,) = web_children("::1", taken)
    assert alone.vital
    assert alone.inherited is None
    assert alone.command[alone.command.index("--bind") + 1] == "::1"
