"""What a process looks at before it asks a model server: who answers there, and what it has."""

import base64
import gc
import json
import shutil
import socketserver
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from agents.backends.local.remote import Door
from agents.speech.model import VOICE, FarProgram
from tests.support.waiting import until

LABEL = "sauda-mini:sft@1"


class Looked(BaseHTTPRequestHandler):
    """Lists models as it is told, closes after each answer, and lets nobody in without a name."""

    models: tuple[dict[str, str], ...] = ({"id": LABEL, "state": "ready"},)
    asks_for = ""
    status = 200

    def do_GET(self) -> None:
        """List."""
        is_known = self.headers.get("Authorization", "") == self.asks_for
        self._answer(200 if is_known else 401, {"data": self.models})

    def do_POST(self) -> None:
        """Refuse, or take a model up."""
        self._answer(self.status, {"error": {"code": "busy"}})

    def _answer(self, status: int, told: object) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""

    def address_string(self) -> str:
        """Name who asks, which a Unix socket does not."""
        return ""


@contextmanager
def serving(server: socketserver.BaseServer) -> Iterator[None]:
    """Let it answer, from a thread."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def place() -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix="bazaar-test-")
    yield f"{folder}/models"
    shutil.rmtree(folder)


@contextmanager
def looked_at(place: str, label: str = LABEL) -> Iterator[Door]:
    door = Door(place)
    door.want(label)
    try:
        yield door
    finally:
        door.unwant(label)
        until(lambda: not door.there)


@contextmanager
def by_address(**told: object) -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), type("Told", (Looked,), told)) as server, serving(server):
        yield f"127.0.0.1:{server.server_port}"


def test_a_server_that_goes_leaves_no_open_socket_behind(place: str) -> None:
    with warnings.catch_warnings(record=True) as said, looked_at(place) as door:
        warnings.simplefilter("always")
        with serving(socketserver.UnixStreamServer(place, Looked)):
            until(lambda: door.state(LABEL) == "ready")
        until(lambda: not door.there)
        gc.collect()
    assert [str(one.message) for one in said if one.category is ResourceWarning] == []


def test_a_name_and_password_in_the_address_are_told_to_the_list_too() -> None:
    known = f"Basic {base64.b64encode(b'asha:bazaar').decode()}"
    with by_address(asks_for=known) as at, looked_at(f"http://asha:bazaar@{at}") as door:
        until(lambda: door.state(LABEL) == "ready")


def test_a_model_whose_name_says_state_makes_no_model_process() -> None:
    models = ({"id": "state-spaces/mamba"},)
    with by_address(models=models, status=404) as at, looked_at(f"http://{at}") as door:
        until(lambda: door.there)
        assert not door.knows_states
        assert door.state(LABEL) == "ready"


def test_one_that_fails_to_load_a_model_is_not_taken_for_another_kind_of_server() -> None:
    models = ({"id": "sauda-nano", "state": "ready"},)
    with by_address(models=models, status=500) as at, looked_at(f"http://{at}") as door:
        until(lambda: door.there)
        assert door.state(LABEL) == "loading"


def test_a_server_that_is_no_model_process_is_not_asked_for_the_voice() -> None:
    with by_address(models=({"id": "llama"},)) as at, looked_at(f"http://{at}", VOICE) as door:
        until(lambda: door.there)
        assert not FarProgram(door).is_ready


def test_one_whose_seats_are_taken_says_nothing_and_nothing_is_wrong() -> None:
    heard: list[object] = []
    models = ({"id": VOICE, "state": "ready"},)
    with by_address(models=models, status=503) as at, looked_at(f"http://{at}", VOICE) as door:
        far = FarProgram(door)
        until(lambda: far.is_ready)
        far.complete({"prompt": "x"}, lambda chunk: bool(heard.append(chunk)))
    assert heard == []
